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

package io.github.watchdoglock.redis;

import io.github.watchdoglock.store.WakeUps.Hints;

/**
 * Brings the hints of Redis, by one channel for each instance. Where they can't be had
 * there is one warning, and waiting instances poll.
 */
interface Subscriptions extends AutoCloseable {

	/** What brings nothing, where wake-ups are switched off. */
	Subscriptions NONE = new Subscriptions() {

		@Override
		public void begin() {
		}

		@Override
		public void reopen(Throwable reason) {
		}

		@Override
		public void moved() {
		}

		@Override
		public void subscribe(String instance, Hints hints) {
		}

		@Override
		public void unsubscribe(String instance) {
		}

		@Override
		public void close() {
		}

	};

	/**
	 * Connect, unless that was begun before. Does not block.
	 */
	void begin();

	/**
	 * Bring the hints for an instance from now on. Does not block.
	 * @param instance id of the instance
	 * @param hints where to bring them
	 */
	void subscribe(String instance, Hints hints);

	/**
	 * Bring no more hints for an instance.
	 * @param instance id of the instance
	 */
	void unsubscribe(String instance);

	/**
	 * Connect anew, since Redis has moved. Does not block.
	 * @param reason why that is believed
	 */
	void reopen(Throwable reason);

	/**
	 * Connect anew, and at once, where the connection does not lead to the primary that
	 * sentinels name now. Does not block.
	 */
	void moved();

	@Override
	void close();

}
