/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.watchdoglock.interceptor;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * A publisher that is to be subscribed to under one lock.
 *
 * @param request the lock
 * @param work the publisher
 * @param completion adds at least what happens when the lock is lost
 */
record ReactiveRequest(LockRequest request, Publisher<?> work,
		UnaryOperator<LockRequest> completion) implements ReactiveWork {

	@Override
	public List<WantedLock> wanted() {
		LockRequest completed = this.completion.apply(this.request);
		OnLoss onLoss = Objects.requireNonNull(completed.onLoss(), "'onLoss' must be completed");
		return List.of(new WantedLock(completed, onLoss, Contention.FAIL));
	}

	@Override
	public Publisher<Object> begin(HeldLocks held) {
		return Flux.from(this.work);
	}

	@Override
	public Publisher<Object> refused(Refusal refusal) {
		return Flux.error(refusal.cause());
	}

}
