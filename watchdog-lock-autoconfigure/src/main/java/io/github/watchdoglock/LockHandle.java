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

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * A handle to an acquired lock. Thread-safe.
 * <p>
 * Not promised: that the lock is still held because it was held a moment ago, or because
 * this handle is open. Call {@link #isHeld()} between steps, and pass
 * {@link #fencingToken()} to systems that must reject changes by a holder that was
 * overtaken.
 * <p>
 * For example: <pre>{@code
 * try (LockHandle handle = lockService.acquire(LockRequest.of("stock", sku))) {
 *     reserve(sku);
 *     if (handle.isHeld()) {
 *         ship(id, handle.fencingToken());
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * Return a number that grows with each hold of this key, across all instances. A
	 * store that rejects writes with a token smaller than the greatest one that it has
	 * seen is safe from holders that have lost the lock without noticing. The token is
	 * the same for all handles of one hold.
	 * @return the token, positive
	 */
	long fencingToken();

	/**
	 * Return whether the lock is held, by the clock of this process. This is false from a
	 * margin before the moment when the lock might be granted to another caller, and
	 * after this handle was closed. Sends no command, and takes nanoseconds.
	 * @return whether it is held
	 */
	boolean isHeld();

	/**
	 * Return how long the lock stays held if it is not renewed again.
	 * @return the remaining time, zero if the lock is not held
	 */
	Duration remaining();

	/**
	 * Return a stage that is completed when the lock is lost: at the latest a stop margin
	 * before another caller can acquire it, or, if the process was paused, when it
	 * continues. Dependent stages run on one of a few threads of the library and must not
	 * block. They may refer to this handle, which can still be garbage collected. A
	 * handle that belongs to no thread must stay reachable: after it was collected, the
	 * loss of its abandoned lock is reported to listeners, but no longer through this
	 * stage.
	 * @return a stage that stays incomplete if the lock is not lost
	 */
	CompletionStage<LockLoss> whenLost();

	/**
	 * Return the loss, if the lock has been lost until now: while the work ran, or found
	 * to be gone when it was closed. Sends no command, and takes nanoseconds.
	 * @return the loss, empty while the lock is held and after it was released in time
	 */
	Optional<LockLoss> loss();

	/**
	 * Extend the lease of the lock, for all handles of its hold, until the hold ends. The
	 * lease is as long as the longer of this lease and the present one, and is renewed if
	 * one of them is: it is never shortened. Does nothing if the handle has no lease.
	 * @param lease the lease; null for a renewed lease of the property
	 * {@code watchdog-lock.lease-time}
	 * @return completed when Redis has confirmed the lease, or at once if the present
	 * lease is as strong. Fails with {@link LockLostException} if the lock is lost, with
	 * {@link LockStoreException} if Redis fails or does not answer, and with
	 * {@link IllegalStateException} if this handle is closed; then the lease is unchanged
	 * @throws IllegalArgumentException if the lease is shorter than the service allows
	 */
	CompletableFuture<Void> extend(@Nullable Lease lease);

	/**
	 * Detach the hold from its thread, so that the hold can outlive the thread: the
	 * thread no longer re-enters the lock through this handle, and the lock is not
	 * released because the thread has ended.
	 * @return this handle
	 */
	LockHandle detach();

	/**
	 * Release the lock if this is the last open handle of the hold, and wait until Redis
	 * has confirmed the release, at most for the timeout of a command; a release that
	 * takes longer continues in the background. May be called by any thread, also by an
	 * interrupted one, any number of times. Never throws: a failure is logged and
	 * counted, and the release is repeated until the lease has expired.
	 */
	@Override
	void close();

	/**
	 * Release the lock like {@link #close()}, without waiting.
	 * @return completed when Redis has confirmed the release or has failed; never
	 * exceptionally
	 */
	CompletableFuture<Void> closeAsync();

}
