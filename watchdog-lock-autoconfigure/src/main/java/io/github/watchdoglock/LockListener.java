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
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Hears what happens to the locks of this instance. Beans of this type are found, but not
 * those of child contexts.
 * <p>
 * Called on a thread of the library, one call at a time for each listener, in order, some
 * time after the fact. Exceptions are logged and otherwise ignored. A listener that can't
 * keep up misses calls (counted and logged): beyond 10,000 that wait for it, and of
 * {@link #lost} beyond 100,000.
 */
public interface LockListener {

	/**
	 * A caller asks for a lock; one call of {@link #acquired} or {@link #notAcquired}
	 * follows. Not called for a re-entry.
	 * @param key the lock
	 */
	default void waiting(LockKey key) {
	}

	/**
	 * A caller has the lock.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param waited from asking until now
	 */
	default void acquired(LockKey key, long token, Duration waited) {
	}

	/**
	 * A caller did not get the lock.
	 * @param key the lock
	 * @param outcome why not
	 * @param waited from asking until now
	 */
	default void notAcquired(LockKey key, Outcome outcome, Duration waited) {
	}

	/**
	 * The store confirmed a renewal.
	 * @param key the lock
	 * @param token the hold's fencing token
	 */
	default void renewed(LockKey key, long token) {
	}

	/**
	 * A renewal failed; it is tried again while the lease lasts.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param cause what went wrong
	 */
	default void renewalFailed(LockKey key, long token, Throwable cause) {
	}

	/**
	 * Renewing began to fail: the lock is lost unless that changes in time.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param remaining the time left until then
	 * @param cause what went wrong
	 */
	default void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
	}

	/**
	 * Renewing works again after {@link #atRisk}.
	 * @param key the lock
	 * @param token the hold's fencing token
	 */
	default void recovered(LockKey key, long token) {
	}

	/**
	 * A lock is held for unusually long: longer than
	 * {@code watchdog-lock.long-hold-warning}. Told once for each hold.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param held from acquiring until now
	 * @param stack what its thread does at the moment; empty where it has none
	 */
	default void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
	}

	/**
	 * A lock is held longer than its maximum; {@link #lost} is told of it too.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param held from acquiring until now
	 * @param stack what its thread does at the moment; empty where it has none
	 */
	default void maxHoldExceeded(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
	}

	/**
	 * Nobody is left who could close a lock: its thread has ended, or its detached handle
	 * was collected. {@link #lost} is told of it too.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param thread name of the thread; null where it was a detached handle
	 */
	default void abandoned(LockKey key, long token, @Nullable String thread) {
	}

	/**
	 * A lock is lost. One that turns out to be gone only when it is closed is told here
	 * too, in place of {@link #released}: somebody else may have had it meanwhile.
	 * @param loss which, and why
	 * @param held from acquiring until now
	 */
	default void lost(LockLoss loss, Duration held) {
	}

	/**
	 * A holder closed its lock in time, and the store was told or could not be.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param held from acquiring until closing
	 */
	default void released(LockKey key, long token, Duration held) {
	}

	/**
	 * The store could not be told of a release; it frees the key when it is told again,
	 * or when the lease is over.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param cause what went wrong
	 */
	default void releaseFailed(LockKey key, long token, Throwable cause) {
	}

	/**
	 * The lock went from its holder to the next caller, who waited for it, and was free
	 * for nobody in between. Told where the holder was, after {@link #released}.
	 * @param key the lock
	 * @param scope where the next caller is
	 */
	default void handedOff(LockKey key, Scope scope) {
	}

	/**
	 * Why a caller did not get a lock.
	 */
	enum Outcome {

		/**
		 * Somebody else held it until the wait was over.
		 */
		TIMEOUT,

		/**
		 * The caller was interrupted, or cancelled its future.
		 */
		INTERRUPTED,

		/**
		 * The store failed, or the service was closed.
		 */
		ERROR

	}

	/**
	 * How far a lock was handed.
	 */
	enum Scope {

		/**
		 * From one caller of this instance to another.
		 */
		LOCAL,

		/**
		 * From this instance to another one, which was first in the queue of the store.
		 */
		REMOTE

	}

}
