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

import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else held the lock until the wait was over. Always of the wait, never of a
 * failing store.
 * <p>
 * It has no stack trace, which would cost more than the rest of a try that finds the lock
 * taken: the message and {@link #getKey()} tell which lock it is.
 */
public class LockNotAcquiredException extends LockException {

	private static final int MAX_LABEL = 512;

	private final transient LockKey key;

	private final Duration waited;

	private final @Nullable String holder;

	private final @Nullable Duration remaining;

	/**
	 * Create an exception.
	 * @param key the lock
	 * @param waited how long the caller waited; zero where it asked once, without waiting
	 * @param holder label of the holder, null where unknown
	 * @param remaining what the holder's lease had left, null where unknown
	 */
	public LockNotAcquiredException(LockKey key, Duration waited, @Nullable String holder,
			@Nullable Duration remaining) {
		super("Lock '" + key + "' was not acquired" + describe(waited));
		this.key = key;
		this.waited = waited;
		this.holder = (holder != null) ? PrintableText.of(holder, MAX_LABEL) : null;
		this.remaining = remaining;
	}

	/**
	 * Create an exception for a lock that was granted, though its caller could not have
	 * it in time.
	 * @param key the lock
	 * @param waited how long the caller waited
	 * @param reason why, as a clause
	 */
	public LockNotAcquiredException(LockKey key, Duration waited, String reason) {
		super("Lock '" + key + "' was not acquired within " + waited.toMillis() + " ms: " + reason);
		this.key = key;
		this.waited = waited;
		this.holder = null;
		this.remaining = null;
	}

	private static String describe(Duration waited) {
		return waited.isZero() ? ": somebody else holds it, and it was tried once, without waiting"
				: " within " + waited.toMillis() + " ms: somebody else holds it";
	}

	/**
	 * The lock.
	 * @return the key
	 */
	public LockKey getKey() {
		return this.key;
	}

	/**
	 * How long the caller waited.
	 * @return the time from asking to giving up; zero where it asked once, without
	 * waiting
	 */
	public Duration getWaited() {
		return this.waited;
	}

	/**
	 * Who held the lock when the store was last asked.
	 * @return instance name, host and thread; null where unknown
	 */
	public @Nullable String getHolder() {
		return this.holder;
	}

	/**
	 * What the holder's lease had left when the store was last asked. A renewed lease
	 * starts anew while its holder lives.
	 * @return the rest of the lease; null where unknown
	 */
	public @Nullable Duration getRemaining() {
		return this.remaining;
	}

}
