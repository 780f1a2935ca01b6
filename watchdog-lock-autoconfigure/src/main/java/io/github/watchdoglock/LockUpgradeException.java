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

/**
 * Exception thrown when a thread that holds a lock to read requests it to write. The read
 * lock of the thread itself blocks the request, and two such threads would wait for each
 * other indefinitely. So the request fails at once. This is not contention, because
 * neither waiting nor skipping would help.
 */
public class LockUpgradeException extends LockException {

	private final LockKey key;

	/**
	 * Create an exception.
	 * @param key the lock
	 */
	public LockUpgradeException(LockKey key) {
		super("Lock '" + key + "' was not acquired for writing, because this thread holds it for reading. Release it"
				+ " first, or acquire it for writing from the beginning, which also allows reading", null);
		this.key = key;
	}

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	public LockKey getKey() {
		return this.key;
	}

}
