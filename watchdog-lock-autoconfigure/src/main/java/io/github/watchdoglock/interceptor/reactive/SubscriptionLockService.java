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

package io.github.watchdoglock.interceptor.reactive;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.ReactiveLockService;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import io.github.watchdoglock.listener.Instrumentation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Acquires the locks of subscriptions from a {@link LockService}, as annotated reactive
 * methods do. Thread-safe.
 */
public final class SubscriptionLockService implements ReactiveLockService {

	private final ReactiveSubscriptions subscriptions;

	private final UnaryOperator<LockRequest> completion;

	/**
	 * Create a service.
	 * @param service acquires the locks
	 * @param instrumentation surrounds the work under them
	 * @param completion completes a request with options that it does not set: at least
	 * {@code onLoss}
	 */
	public SubscriptionLockService(LockService service, Instrumentation instrumentation,
			UnaryOperator<LockRequest> completion) {
		this.subscriptions = new ReactiveSubscriptions(() -> service, instrumentation);
		this.completion = completion;
	}

	/* A single value waits for the end of the publisher, and so for the release. */
	@Override
	public <T> Mono<T> withLock(LockRequest request, Mono<T> work) {
		return this.<T>publisher(request, work).singleOrEmpty();
	}

	@Override
	public <T> Flux<T> withLock(LockRequest request, Flux<T> work) {
		return publisher(request, work);
	}

	@SuppressWarnings("unchecked")
	private <T> Flux<T> publisher(LockRequest request, Publisher<T> work) {
		Objects.requireNonNull(request, "'request' must not be null");
		Objects.requireNonNull(work, "'work' must not be null");
		return (Flux<T>) this.subscriptions.to(new Request(request, work, this.completion));
	}

	/**
	 * A publisher to be subscribed to under one lock.
	 *
	 * @param request the request for the lock
	 * @param work the publisher
	 * @param completion completes the request, at least with {@code onLoss}
	 */
	private record Request(LockRequest request, Publisher<?> work,
			UnaryOperator<LockRequest> completion) implements ReactiveSubscriptions.Work {

		@Override
		public List<RequestedLock> requested() {
			return List.of(new RequestedLock(this.completion.apply(this.request), Contention.FAIL));
		}

		@Override
		public Publisher<Object> begin(HeldLocks held) {
			return Flux.from(this.work);
		}

		@Override
		public Publisher<Object> refused(RequestedLock requested, LockNotAcquiredException cause) {
			return Flux.error(cause);
		}

	}

}
