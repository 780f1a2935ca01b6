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
 * Exception thrown when a lock was lost while its holder still worked. Another caller may
 * hold the lock.
 */
public class LockLostException extends LockException {

	private final LockLoss loss;

	/**
	 * Create an exception.
	 * @param loss which lock was lost, and why
	 */
	public LockLostException(LockLoss loss) {
		super(message(loss), null);
		this.loss = loss;
	}

	/**
	 * Create an exception that says what to do.
	 * @param loss which lock was lost, and why
	 * @param action what to do, as a clause that is appended to the message
	 */
	public LockLostException(LockLoss loss, String action) {
		super(message(loss) + ". " + action, null);
		this.loss = loss;
	}

	private static String message(LockLoss loss) {
		return "Lock '" + loss.key() + "' (token " + loss.token() + ") was lost: " + loss.reason().description();
	}

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	public LockKey getKey() {
		return this.loss.key();
	}

	/**
	 * Return the token of the lost hold.
	 * @return the fencing token
	 */
	public long getToken() {
		return this.loss.token();
	}

	/**
	 * Return why the lock was lost.
	 * @return the reason
	 */
	public LockLoss.Reason getReason() {
		return this.loss.reason();
	}

}
