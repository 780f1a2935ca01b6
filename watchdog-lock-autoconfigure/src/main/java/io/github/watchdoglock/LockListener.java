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
 * A listener for the locks of this instance. Beans of this type are found, except those
 * of child contexts.
 * <p>
 * Called on a thread of the library, one call at a time for each listener, in order, some
 * time after the fact. Exceptions are logged and otherwise ignored. A listener that
 * cannot keep up misses calls (counted and logged): calls beyond 10,000 that wait for it,
 * or beyond 100,000 for {@link #lost}.
 */
public interface LockListener {

	/**
	 * Called when a caller requests a lock; one call of {@link #acquired} or
	 * {@link #notAcquired} follows. Not called for a re-entry.
	 * @param key the lock
	 */
	default void waiting(LockKey key) {
	}

	/**
	 * Called when a caller has acquired the lock. If the lock passes from caller to
	 * caller within the instance, this comes before {@link #released} of the former one.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param waited the time from the request until now
	 */
	default void acquired(LockKey key, long token, Duration waited) {
	}

	/**
	 * Called when a caller did not acquire the lock.
	 * @param key the lock
	 * @param outcome why not
	 * @param waited the time from the request until now
	 */
	default void notAcquired(LockKey key, Outcome outcome, Duration waited) {
	}

	/**
	 * Called when Redis has confirmed a renewal.
	 * @param key the lock
	 * @param token the hold's fencing token
	 */
	default void renewed(LockKey key, long token) {
	}

	/**
	 * Called when a renewal has failed. The renewal is tried again while the lease lasts.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param cause the failure
	 */
	default void renewalFailed(LockKey key, long token, Throwable cause) {
	}

	/**
	 * Called when renewals begin to fail: the lock is lost unless one succeeds in time.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param remaining the time left until then
	 * @param cause the failure
	 */
	default void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
	}

	/**
	 * Called when renewals succeed again after {@link #atRisk}.
	 * @param key the lock
	 * @param token the hold's fencing token
	 */
	default void recovered(LockKey key, long token) {
	}

	/**
	 * Called once for each hold that is unusually long: longer than
	 * {@code watchdog-lock.long-hold-warning}.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param held the time from acquiring until now
	 * @param stack the present stack of its thread; empty if it has no thread
	 */
	default void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
	}

	/**
	 * Called when a lock is held longer than its maximum hold time; {@link #lost} is
	 * called too.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param held the time from acquiring until now
	 * @param stack the present stack of its thread; empty if it has no thread
	 */
	default void maxHoldExceeded(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
	}

	/**
	 * Called when no code is left that could close a lock: its thread has ended, or its
	 * detached handle was garbage collected. {@link #lost} is called too.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param thread the name of the thread; null if it was a detached handle
	 */
	default void abandoned(LockKey key, long token, @Nullable String thread) {
	}

	/**
	 * Called when a lock is lost. Also called, instead of {@link #released}, if the lock
	 * is found to be gone only when it is closed: another caller may have held it
	 * meanwhile.
	 * @param loss which lock, and why
	 * @param held the time from acquiring until now
	 */
	default void lost(LockLoss loss, Duration held) {
	}

	/**
	 * Called when a holder has closed its lock in time, whether or not Redis could be
	 * notified of the release.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param held the time from acquiring until closing
	 */
	default void released(LockKey key, long token, Duration held) {
	}

	/**
	 * Called when the release could not be sent to Redis, or failed there. The key is
	 * free when a repetition succeeds, or when the lease has expired.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param cause the failure
	 */
	default void releaseFailed(LockKey key, long token, Throwable cause) {
	}

	/**
	 * Called when the lock was passed from its holder to the next caller, which waited
	 * for it, without being free in between. Called in the instance of the former holder,
	 * after {@link #released}.
	 * @param key the lock
	 * @param scope the location of the next caller
	 */
	default void handedOff(LockKey key, Scope scope) {
	}

	/**
	 * The reason why a caller did not acquire a lock.
	 */
	enum Outcome {

		/**
		 * Another caller held it until the wait time had ended.
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
	 * The location of the next caller.
	 */
	enum Scope {

		/**
		 * From one caller of this instance to another.
		 */
		LOCAL,

		/**
		 * From this instance to another one, which was first in the queue of Redis.
		 */
		REMOTE

	}

}
