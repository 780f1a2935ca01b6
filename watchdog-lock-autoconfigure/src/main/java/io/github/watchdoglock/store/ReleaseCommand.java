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

import java.time.Duration;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * A command that ends whatever an attempt has: the lease, a reservation, or a place in
 * the queue.
 *
 * @param key the key
 * @param attempt the attempt
 * @param lastToken the greatest token that was used, {@link #NONE} or {@link #UNKNOWN}
 * @param keep how long the key must not be handed on; zero hands it on at once
 * @param requeue the place that the instance takes in the same step; null for none
 * @param timeout how long the answer may take
 * @param grant how the lease was granted, if it was never renewed, and no other instance
 * is known to have changed it since; otherwise null, and a renewal may arrive after this
 * command. A store may compare the grant with its record instead of reading the record
 */
public record ReleaseCommand(LockKey key, AttemptId attempt, long lastToken, Duration keep, @Nullable Requeue requeue,
		Duration timeout, @Nullable Grant grant) {

	/**
	 * No token of the lease was used: the greatest token is reset to its value before the
	 * lease.
	 */
	public static final long NONE = 0;

	/** Tokens may have been used: the greatest token is unchanged. */
	public static final long UNKNOWN = -1;

	/**
	 * Create a command without information about the grant.
	 * @param key the key
	 * @param attempt the attempt
	 * @param lastToken the greatest token that was used, {@link #NONE} or
	 * {@link #UNKNOWN}
	 * @param keep how long the key must not be handed on; zero hands it on at once
	 * @param requeue the place that the instance takes in the same step; null for none
	 * @param timeout how long the answer may take
	 */
	public ReleaseCommand(LockKey key, AttemptId attempt, long lastToken, Duration keep, @Nullable Requeue requeue,
			Duration timeout) {
		this(key, attempt, lastToken, keep, requeue, timeout, null);
	}

	/**
	 * Return the same command with another minimum hold.
	 * @param keep how long the key must not be handed on; zero hands it on at once
	 * @return the command
	 */
	public ReleaseCommand keeping(Duration keep) {
		return new ReleaseCommand(this.key, this.attempt, this.lastToken, keep, this.requeue, this.timeout);
	}

	/**
	 * The grant of an exclusive lease with one token, {@link ReleaseCommand#lastToken},
	 * for which no other instance waited.
	 *
	 * @param holder the label in the request
	 * @param lease the length of the lease in the request
	 */
	public record Grant(String holder, Duration lease) {

	}

	/**
	 * A place for the other waiting callers of an instance.
	 *
	 * @param attempt their attempt
	 * @param poll the interval in which it will ask
	 */
	public record Requeue(AttemptId attempt, Duration poll) {

	}

}
