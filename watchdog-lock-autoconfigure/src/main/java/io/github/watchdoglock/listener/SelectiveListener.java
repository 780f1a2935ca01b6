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

package io.github.watchdoglock.listener;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;

/**
 * A listener of the library itself. It can do without the routine notifications of each
 * lock, and it is notified of the outcome of releases that had failed.
 */
public interface SelectiveListener extends LockListener {

	/** Replaces the token if there was no hold but an attempt to acquire the lock. */
	long NO_HOLD = 0;

	/**
	 * Return whether the listener currently receives routine notifications: waiting,
	 * acquired, not acquired, renewed, released, handed off. Notifying a listener that
	 * ignores them costs a busy instance a tenth of its time. Called for each
	 * notification, on any thread, so it must neither block nor throw.
	 * @return false to receive none of them
	 */
	default boolean receivesRoutine() {
		return true;
	}

	/**
	 * Return whether the listener currently receives notifications of releases that were
	 * repeated, and of problems with the requests for a name. Called as
	 * {@link #receivesRoutine()} is.
	 * @return false to receive none of them
	 */
	default boolean receivesRepetitions() {
		return true;
	}

	/**
	 * Receive that a failed release, or the failed undoing of an attempt, is not repeated
	 * any more. Called once; if there was a hold, after {@link #releaseFailed}.
	 * @param key the lock
	 * @param token the hold's fencing token; {@link #NO_HOLD} if there was no hold, in
	 * which case the failure was not reported
	 * @param end why it is not repeated any more
	 */
	default void releaseRepeated(LockKey key, long token, End end) {
	}

	/**
	 * Receive that a caller has requested a permit with one number of permits, while
	 * other callers use another number. Called with each answer of the store that says
	 * so.
	 * @param key the lock
	 * @param permits the caller's number of permits
	 * @param others the number of a caller that has a permit or waits for one
	 */
	default void permitsDiffer(LockKey key, int permits, int others) {
	}

	/**
	 * Receive that a reader waits although only readers hold the lock, because the
	 * maximum number of readers has been reached. Called with each answer of the store
	 * that says so.
	 * @param key the lock
	 * @param readers the maximum number of readers that the store admits
	 */
	default void readersFull(LockKey key, int readers) {
	}

	/**
	 * The reasons why a release is not repeated any more.
	 */
	enum End {

		/** The store has carried it out, now or with an earlier command. */
		DONE,

		/** The lease has expired. */
		OVER,

		/**
		 * It was dropped, because too many releases wait already, the application stops,
		 * or the store rejects it permanently: the key is free when the lease has
		 * expired.
		 */
		DROPPED

	}

}
