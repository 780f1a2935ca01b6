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
import java.util.stream.Collectors;

import io.github.watchdoglock.text.DurationText;
import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Exception thrown when another caller held the lock until the wait time had ended. Never
 * thrown for a failure of Redis.
 * <p>
 * It has no stack trace, which would cost more than the rest of a try that finds the lock
 * held: the message and {@link #getKey()} identify the lock.
 */
public class LockNotAcquiredException extends LockException {

	private static final int MAX_LABEL = 512;

	private static final int MAX_KEPT = 5;

	private final LockKey key;

	private final Duration waited;

	private final @Nullable String holder;

	private final @Nullable Duration remaining;

	/**
	 * Create an exception.
	 * @param key the lock
	 * @param waited how long the caller waited; zero if it tried once, without waiting
	 * @param holder label of the holder, null if unknown
	 * @param remaining the rest of the holder's lease, null if unknown
	 */
	public LockNotAcquiredException(LockKey key, Duration waited, @Nullable String holder,
			@Nullable Duration remaining) {
		this(key, waited, holder, remaining, List.of());
	}

	/**
	 * Create an exception for a caller whose transaction keeps other locks.
	 * @param key the lock
	 * @param waited how long the caller waited; zero if it tried once, without waiting
	 * @param holder label of the holder, null if unknown
	 * @param remaining the rest of the holder's lease, null if unknown
	 * @param kept the locks that the caller's transaction keeps, which the holder may be
	 * waiting for
	 */
	public LockNotAcquiredException(LockKey key, Duration waited, @Nullable String holder, @Nullable Duration remaining,
			List<LockKey> kept) {
		super("Lock '" + key + "' was not acquired" + (waited.isZero() ? "" : " within " + DurationText.of(waited))
				+ ": " + describe(key, holder) + (waited.isZero() ? ", and the wait time is zero" : "")
				+ describe(kept));
		this.key = key;
		this.waited = waited;
		this.holder = (holder != null) ? PrintableText.of(holder, MAX_LABEL) : null;
		this.remaining = remaining;
	}

	/**
	 * Create an exception for a lock that was granted, but that its caller could not use
	 * in time.
	 * @param key the lock
	 * @param waited how long the caller waited
	 * @param reason why, as a clause
	 */
	public LockNotAcquiredException(LockKey key, Duration waited, String reason) {
		super("Lock '" + key + "' was not acquired within " + DurationText.of(waited) + ": " + reason);
		this.key = key;
		this.waited = waited;
		this.holder = null;
		this.remaining = null;
	}

	/* The instance without the thread, unless ids are hidden, as people then are. */
	private static String describe(LockKey key, @Nullable String holder) {
		if (holder == null || holder.startsWith("(") || !key.isShown()) {
			return "another caller holds it";
		}
		int end = holder.indexOf('/', holder.indexOf('@'));
		return "held by " + PrintableText.of((end < 0) ? holder : holder.substring(0, end)) + " at the last answer";
	}

	private static String describe(List<LockKey> kept) {
		return kept.isEmpty() ? "" : "; this transaction keeps " + kept.size()
				+ ((kept.size() == 1) ? " lock" : " locks") + ": possible deadlock"
				+ kept.stream().limit(MAX_KEPT).map(LockKey::toString).collect(Collectors.joining("', '", " ('", "')"));
	}

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	public LockKey getKey() {
		return this.key;
	}

	/**
	 * Return how long the caller waited.
	 * @return the time from the request until the caller gave up; zero if it tried once,
	 * without waiting
	 */
	public Duration getWaited() {
		return this.waited;
	}

	/**
	 * Return the holder of the lock at the last answer of Redis.
	 * @return instance name, host and thread; null if unknown
	 */
	public @Nullable String getHolder() {
		return this.holder;
	}

	/**
	 * Return the rest of the holder's lease at the last answer of Redis. While its holder
	 * is alive, a renewed lease begins again with each renewal.
	 * @return the rest of the lease; null if unknown
	 */
	public @Nullable Duration getRemaining() {
		return this.remaining;
	}

}
