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

package io.github.watchdoglock.interceptor.declaration;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * The values for attributes that an annotation does not set. Immutable.
 *
 * @param leaseTime the lease
 * @param renewal whether it is renewed; {@link Renewal#DEFAULT}: unless the annotation
 * sets a lease time
 * @param waitTime the wait time: zero tries once, negative waits indefinitely
 * @param minHoldTime how long a lock stays locked at least, null for no minimum
 * @param maxHoldTime how long a lock is held at most, null if there is no maximum for the
 * name
 * @param permits how many callers may hold a lock at once; 0, like 1, for an exclusive
 * lock
 * @param onContention what happens when the wait time has ended, not
 * {@link OnContention#DEFAULT}
 * @param onLoss what happens when the lock is lost
 * @param leaseRule rejects leases that an annotation must not request, through an
 * {@link IllegalArgumentException} that says why and what to do
 * @param keys processes a key before it is used
 * @param fenced whether transactions under a lock are fenced
 * @param release when a lock is released inside a transaction;
 * {@link LockRelease#DEFAULT}: after the transaction, if the lock can be kept
 */
public record LockDefaults(Duration leaseTime, Renewal renewal, Duration waitTime, @Nullable Duration minHoldTime,
		@Nullable Duration maxHoldTime, int permits, OnContention onContention, OnLoss onLoss,
		Consumer<Lease> leaseRule, UnaryOperator<LockKey> keys, boolean fenced, LockRelease release) {

	/**
	 * The maximum number of callers that may hold a lock at once.
	 */
	public static final int MAX_PERMITS = 64;

}
