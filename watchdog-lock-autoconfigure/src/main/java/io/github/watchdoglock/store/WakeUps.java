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
 * The delivery of hints from the store. Hints may arrive late, twice or never, so waiting
 * attempts also poll.
 */
public interface WakeUps {

	/**
	 * Deliver the hints for an instance from now on. Does not block.
	 * @param instance the id of the instance
	 * @param hints receives the hints; called on an I/O thread
	 */
	void subscribe(String instance, Hints hints);

	/**
	 * Stop delivering hints for an instance.
	 * @param instance the id of the instance
	 */
	void unsubscribe(String instance);

	/**
	 * Notify an attempt that this instance holds a key and does not keep it idle. Does
	 * not block, and whether the message arrives is not reported.
	 * @param key the key
	 * @param attempt the attempt that requests the key
	 */
	void inUse(LockKey key, AttemptId attempt);

	/**
	 * Receives hints about possible changes. No hint is an answer: the store has to be
	 * asked.
	 */
	interface Hints {

		/**
		 * A key may be reserved for an attempt.
		 * @param key the key
		 * @param attempt the attempt
		 */
		void granted(LockKey key, AttemptId attempt);

		/**
		 * Other attempts wait for a key.
		 * @param key the key
		 * @param attempt the attempt that holds it
		 * @param by the attempt that has joined the queue
		 */
		void contended(LockKey key, AttemptId attempt, AttemptId by);

		/**
		 * A key that an attempt requested is held: its holder does not keep it idle.
		 * @param key the key
		 * @param attempt the attempt that requested it
		 */
		void inUse(LockKey key, AttemptId attempt);

		/**
		 * A key may have been taken from its holder by force; the holder asks the store.
		 * @param key the key
		 * @param attempt the holder, or former holder
		 */
		void forced(LockKey key, AttemptId attempt);

		/**
		 * A key is to be taken by force if its present hold has this token.
		 * @param key the key
		 * @param attempt the holder
		 * @param token the token
		 */
		void forceRequested(LockKey key, AttemptId attempt, long token);

		/**
		 * The holder of a key is requested to release it when its work has ended.
		 * @param key the key
		 * @param attempt the holder
		 */
		void resignRequested(LockKey key, AttemptId attempt);

		/**
		 * A connection to the store was lost, possibly because the store is being
		 * restarted or replaced. Must not block; called on any thread.
		 */
		void disconnected();

		/**
		 * Hints arrive from now on, and those sent before may be lost. Not called on an
		 * I/O thread.
		 */
		void subscribed();

		/**
		 * A connection to the store was opened, possibly to a store that has lost its
		 * last changes, or to another one. Not called on an I/O thread.
		 */
		void connected();

	}

}
