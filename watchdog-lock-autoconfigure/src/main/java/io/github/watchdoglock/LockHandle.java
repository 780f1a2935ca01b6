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
 * What a caller has of a lock that it acquired. Thread-safe.
 * <p>
 * Not promised: that the lock is still held because it was a moment ago, or because this
 * handle is open. Ask {@link #isHeld()} between steps, and give {@link #fencingToken()}
 * to what must not be changed by a holder that was overtaken.
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * The lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * A number that grows with each hold of this key, over all instances. A store that
	 * refuses writes with a smaller token than it has seen is safe from holders that lost
	 * the lock unawares. The same for all handles of one hold.
	 * @return the token, positive
	 */
	long fencingToken();

	/**
	 * Whether the lock is held, by this process' clock: false from the moment that it
	 * might be given to somebody else less a margin, and after this handle was closed.
	 * Asks nobody and costs nanoseconds.
	 * @return whether it is held
	 */
	boolean isHeld();

	/**
	 * How long the lock stays held if it is not renewed once more.
	 * @return what is left, zero if it is not held
	 */
	Duration remaining();

	/**
	 * Return a stage that is completed when the lock is lost: at the latest a stop margin
	 * before another caller can have it, or, if the process was paused, when it
	 * continues. Dependent stages run on one of a few threads of the library and must not
	 * block. They may refer to this handle, which can still be collected. A handle that
	 * belongs to no thread must stay reachable: after it was collected, the loss of its
	 * abandoned lock is reported to listeners, and no longer here.
	 * @return a stage that stays incomplete if the lock is not lost
	 */
	CompletionStage<LockLoss> whenLost();

	/**
	 * The loss, if the lock was lost until now: while the work ran, or found gone when it
	 * was closed. Asks nobody and costs nanoseconds.
	 * @return the loss, empty while the lock is held and after it was released in time
	 */
	Optional<LockLoss> loss();

	/**
	 * Extend the lease of the lock, for all handles of its hold, until the hold ends. The
	 * lease is as long as the longer of this lease and the present one, and is renewed if
	 * one of them is: it is never shortened. Nothing happens to a handle without a lease.
	 * @param lease the lease; null is the property {@code watchdog-lock.lease-time},
	 * renewed
	 * @return completed when the store has confirmed it, at once if there is as much
	 * already; fails with {@link LockLostException} if the lock is lost, with
	 * {@link LockStoreException} if the store fails or does not answer, and with
	 * {@link IllegalStateException} if this handle is closed: then it lasts as before
	 * @throws IllegalArgumentException if the lease is shorter than the service allows
	 */
	CompletableFuture<Void> extend(@Nullable Lease lease);

	/**
	 * Free the hold from its thread, so that it outlives it: the thread no longer
	 * re-enters it by this handle, and its end is no reason to release it.
	 * @return this handle
	 */
	LockHandle detach();

	/**
	 * Give the lock back if this is the last open handle of the hold, and wait until the
	 * store knows, at most for the time-out of a command. Any thread may call this, any
	 * number of times; interrupted ones too. Never throws: a failure is logged and
	 * counted, and repeated in the background until the lease is over.
	 */
	@Override
	void close();

	/**
	 * Like {@link #close()} without waiting.
	 * @return completed when the store knows, or has failed; never exceptionally
	 */
	CompletableFuture<Void> closeAsync();

}
