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
 * A listener of the library's own, which need not hear what happens to each lock in the
 * ordinary course, and hears what became of releases that had failed.
 */
public interface SelectiveListener extends LockListener {

	/**
	 * In place of a token where there was no hold but an attempt to get one.
	 */
	long NO_HOLD = 0;

	/**
	 * Whether it is to hear now of what is routine: waiting, acquired, not acquired,
	 * renewed, released, handed off. Telling somebody who does nothing with it costs a
	 * busy instance a tenth of its time. Asked for each piece of news, on any thread, so
	 * it must neither block nor throw.
	 * @return false to go without
	 */
	default boolean hearsRoutine() {
		return true;
	}

	/**
	 * Whether it is to hear of releases that were repeated, and of what is wrong with the
	 * requests for a name. Asked as {@link #hearsRoutine()}.
	 * @return false to go without
	 */
	default boolean hearsRepetitions() {
		return true;
	}

	/**
	 * A release or an undoing that had failed is repeated no more. Told once; where there
	 * was a hold, after {@link #releaseFailed}.
	 * @param key the lock
	 * @param token the hold's fencing token; {@link #NO_HOLD} where there was none, and
	 * nobody was told of the failure
	 * @param end why
	 */
	default void releaseRepeated(LockKey key, long token, End end) {
	}

	/**
	 * A caller has asked for a permit by one number, while others go by another one. Told
	 * as often as the store is asked.
	 * @param key the lock
	 * @param permits the caller's number
	 * @param others the number of somebody who has a permit or waits for one
	 */
	default void permitsDiffer(LockKey key, int permits, int others) {
	}

	/**
	 * A caller who wants to read waits though others read, since as many read as may.
	 * Told as often as the store is asked.
	 * @param key the lock
	 * @param readers how many read to whom the store can grant that
	 */
	default void readersFull(LockKey key, int readers) {
	}

	/**
	 * Why a release is repeated no more.
	 */
	enum End {

		/**
		 * The store has carried it out, or had done so before.
		 */
		DONE,

		/**
		 * The lease is over.
		 */
		OVER,

		/**
		 * Too many wait already, the application stops, or the store refuses it for good:
		 * the lease runs out.
		 */
		DROPPED

	}

}
