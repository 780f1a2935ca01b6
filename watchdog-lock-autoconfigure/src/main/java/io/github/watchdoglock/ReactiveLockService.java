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
 * Locks around reactive work, for code that is called within Reactor. A bean where
 * Reactor is there; its locks are those of {@link LockService}. Thread-safe.
 * <p>
 * Each subscription has the lock for itself: it asks for it, no thread waits, the work is
 * subscribed to when it is held, and it is given back when the work completes, fails or
 * is cancelled. A subscriber hears of the end when the lock is free; after a cancel that
 * takes a moment. A subscription that is cancelled while it waits asks no more.
 * <p>
 * What is subscribed to within the work re-enters the lock through Reactor's context, as
 * it does within a reactive method that is annotated, and within either in the other.
 * There is no re-entry where no context is passed on, as with {@code block()} on another
 * thread.
 * <p>
 * What happens to work whose lock is lost is up to {@link LockRequest#onLoss()}:
 * {@link OnLoss#INTERRUPT} cancels it, and the subscriber gets a
 * {@link LockLostException} at once; with {@link OnLoss#FAIL} it gets one in place of the
 * next signal. An error of the work is never replaced.
 * <p>
 * Not promised: that what has left the work is seen before the lock is free. It may still
 * be on its way through buffers; what must happen under the lock belongs into the work.
 */
public interface ReactiveLockService {

	/**
	 * Do work that gives one value or none under a lock.
	 * @param request what is asked for by each subscription, and how long it waits
	 * @param work subscribed to when the lock is held
	 * @param <T> the type of the value
	 * @return the work with the lock around it; nothing happens before it is subscribed
	 * to. Its errors are those of the work, of {@link LockService#acquireAsync} such as
	 * {@link LockNotAcquiredException}, and {@link LockLostException}. The value comes
	 * when the lock is free
	 */
	<T> Mono<T> withLock(LockRequest request, Mono<T> work);

	/**
	 * Do work that gives several values under a lock.
	 * @param request what is asked for by each subscription, and how long it waits
	 * @param work subscribed to when the lock is held, and asked for as many values as
	 * the subscriber asks for
	 * @param <T> the type of the values
	 * @return the work with the lock around it; nothing happens before it is subscribed
	 * to. Its errors are those of the work, of {@link LockService#acquireAsync} such as
	 * {@link LockNotAcquiredException}, and {@link LockLostException}
	 */
	<T> Flux<T> withLock(LockRequest request, Flux<T> work);

}
