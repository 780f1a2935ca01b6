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

package io.github.watchdoglock.store;

import io.github.watchdoglock.LockKey;

/**
 * Brings hints from the store. They may come late, twice or never: who waits polls too.
 */
public interface WakeUps {

	/**
	 * Bring the hints for an instance from now on. Does not block.
	 * @param instance id of the instance
	 * @param hints where to bring them; called on an I/O thread
	 */
	void subscribe(String instance, Hints hints);

	/**
	 * Bring no more hints for an instance.
	 * @param instance id of the instance
	 */
	void unsubscribe(String instance);

	/**
	 * Tell an attempt that a key is held by this instance, which does not keep it idle.
	 * Does not block, and nobody hears whether it arrived.
	 * @param key the key
	 * @param attempt who has come for it
	 */
	void inUse(LockKey key, AttemptId attempt);

	/**
	 * Whether the store may become another server, of which {@link Hints#moved()} tells.
	 * @return false where it is always the same one, or nobody hears of that
	 */
	default boolean tellsOfMoves() {
		return false;
	}

	/**
	 * What may be worth a look. None of these is an answer.
	 */
	interface Hints {

		/**
		 * A key may be reserved for an attempt.
		 * @param key the key
		 * @param attempt the attempt
		 */
		void granted(LockKey key, AttemptId attempt);

		/**
		 * Others wait for a key.
		 * @param key the key
		 * @param attempt its owner
		 * @param by the attempt that has come
		 */
		void contended(LockKey key, AttemptId attempt, AttemptId by);

		/**
		 * A key that was asked for is held: its owner does not keep it idle.
		 * @param key the key
		 * @param attempt who asked
		 */
		void inUse(LockKey key, AttemptId attempt);

		/**
		 * A key may have been taken from its owner, who asks the store.
		 * @param key the key
		 * @param attempt its owner, or former owner
		 */
		void forced(LockKey key, AttemptId attempt);

		/**
		 * Somebody asks the owner of a key to give it back, when its work has ended.
		 * @param key the key
		 * @param attempt its owner
		 */
		void asked(LockKey key, AttemptId attempt);

		/**
		 * The store is another server now, which may not have what the former one had.
		 * Not called on an I/O thread.
		 */
		void moved();

		/**
		 * The store can be asked again, which could not be reached before. Not called on
		 * an I/O thread.
		 */
		void reachable();

	}

}
