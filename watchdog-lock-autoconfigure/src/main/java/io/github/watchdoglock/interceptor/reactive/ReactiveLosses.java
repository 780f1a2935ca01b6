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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Ends reactive work whose lock is lost, or makes it fail.
 */
final class ReactiveLosses {

	private ReactiveLosses() {
	}

	/* The work, which ends or fails when a lock is lost. */
	static Flux<Object> guard(Flux<Object> work, HeldLocks held) {
		Flux<Object> interruptible = held.hasAny(OnLoss.INTERRUPT) ? untilInterrupted(work, held) : work;
		return held.hasAny(OnLoss.FAIL) ? untilFailing(interruptible, held) : interruptible;
	}

	/* Replaces the completion, after the locks have been released. */
	static Mono<Object> failure(HeldLocks held) {
		return Mono.defer(() -> {
			LockLoss loss = held.failingLoss();
			return (loss != null) ? Mono.error(new LockLostException(loss)) : Mono.empty();
		});
	}

	/* Cancelled by the loss, unless it has ended by itself. */
	private static Flux<Object> untilInterrupted(Flux<Object> work, HeldLocks held) {
		CompletableFuture<LockLoss> lost = new CompletableFuture<>();
		held.whenInterrupted(lost::complete);
		// Either the end of the work is first or the loss: work that a loss has cut must
		// not complete.
		AtomicBoolean ended = new AtomicBoolean();
		AtomicBoolean interrupted = new AtomicBoolean();
		return work.doOnComplete(() -> ended.set(true))
			.takeUntilOther(
					Mono.fromFuture(lost, true).doOnNext((loss) -> interrupted.set(ended.compareAndSet(false, true))))
			.concatWith(Mono
				.defer(() -> interrupted.get() ? Mono.error(new LockLostException(lost.join())) : Mono.empty()));
	}

	/* Values after the loss are not passed on. */
	private static Flux<Object> untilFailing(Flux<Object> work, HeldLocks held) {
		return work.handle((value, sink) -> {
			LockLoss loss = held.failingLoss();
			if (loss != null) {
				sink.error(new LockLostException(loss));
			}
			else {
				sink.next(value);
			}
		});
	}

}
