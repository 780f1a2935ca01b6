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

package io.github.watchdoglock;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Locks around reactive work, for code that runs within Reactor. A bean if Reactor is on
 * the class path. Its locks are those of {@link LockService}. Thread-safe.
 * <p>
 * Each subscription acquires the lock for itself, without blocking a thread. The work is
 * subscribed to when the lock is held, and the lock is released when the work completes,
 * fails or is cancelled. A subscriber receives the end when the lock is free; after a
 * cancel, the release follows a moment later. A subscription that is cancelled while it
 * waits ends its request.
 * <p>
 * Subscriptions within the work re-enter the lock through Reactor's context, as they do
 * within an annotated reactive method; each of the two re-enters the locks of the other.
 * Without a context there is no re-entry, for example with {@code block()} on another
 * thread.
 * <p>
 * {@link LockRequest#onLoss()} decides what happens to work whose lock is lost:
 * {@link OnLoss#INTERRUPT} cancels it, and the subscriber gets a
 * {@link LockLostException} at once. With {@link OnLoss#FAIL}, the subscriber gets one
 * instead of the next signal. An error of the work is never replaced.
 * <p>
 * Not promised: that the subscriber sees the values that the work has emitted before the
 * lock is free. They may still be in buffers. Do everything that must happen under the
 * lock inside the work.
 * <p>
 * For example: <pre>{@code
 * Mono<Receipt> receipt = reactiveLockService.withLock(LockRequest.of("stock", sku), shop.sell(sku));
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ReactiveLockService {

	/**
	 * Run work with at most one value under a lock.
	 * @param request the request of each subscription, and how long it waits
	 * @param work subscribed to when the lock is held
	 * @param <T> the type of the value
	 * @return the work with the lock around it; nothing happens before it is subscribed
	 * to. Its errors are those of the work, those of {@link LockService#acquireAsync}
	 * such as {@link LockNotAcquiredException}, and {@link LockLostException}. The value
	 * arrives when the lock is free
	 */
	<T> Mono<T> withLock(LockRequest request, Mono<T> work);

	/**
	 * Run work with several values under a lock.
	 * @param request the request of each subscription, and how long it waits
	 * @param work subscribed to when the lock is held; as many values are requested from
	 * it as the subscriber requests
	 * @param <T> the type of the values
	 * @return the work with the lock around it; nothing happens before it is subscribed
	 * to. Its errors are those of the work, those of {@link LockService#acquireAsync}
	 * such as {@link LockNotAcquiredException}, and {@link LockLostException}
	 */
	<T> Flux<T> withLock(LockRequest request, Flux<T> work);

}
