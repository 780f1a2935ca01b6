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
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What is asked of a {@link LockService}. Immutable; what is not set comes from the
 * properties {@code watchdog-lock.locks.<name>.*} of the lock's name where there are
 * such, else from those for all locks.
 *
 * @param key the lock
 * @param waitTime how long to wait for it: zero tries once, negative waits without end,
 * null is the property {@code watchdog-lock.wait-time}
 * @param lease how long it lasts; null is the property {@code watchdog-lock.lease-time},
 * renewed
 * @param minHoldTime how long the lock stays taken at least, even if it is closed before,
 * unless the instance dies; null is no minimum
 * @param maxHoldTime when it is given up though its holder still works, positive; null is
 * the property {@code watchdog-lock.max-hold-time}
 * @param onLoss what happens to the work when the lock is lost; null is the property
 * {@code watchdog-lock.on-loss}
 * @param releaseAfterTransaction whether it outlives the transaction around it: see
 * {@link #withReleaseAfterTransaction()}
 */
public record LockRequest(LockKey key, @Nullable Duration waitTime, @Nullable Lease lease,
		@Nullable Duration minHoldTime, @Nullable Duration maxHoldTime, @Nullable OnLoss onLoss,
		boolean releaseAfterTransaction) {

	public LockRequest {
		Objects.requireNonNull(key, "'key' must not be null");
		if (minHoldTime != null && minHoldTime.isNegative()) {
			throw new IllegalArgumentException("'minHoldTime' must not be negative: " + minHoldTime);
		}
		if (maxHoldTime != null && (maxHoldTime.isNegative() || maxHoldTime.isZero())) {
			throw new IllegalArgumentException("'maxHoldTime' must be positive: " + maxHoldTime);
		}
	}

	/**
	 * Create a request whose lock is released when it is closed.
	 * @param key the lock
	 * @param waitTime how long to wait for it
	 * @param lease how long it lasts
	 * @param minHoldTime how long the lock stays taken at least
	 * @param maxHoldTime when it is given up though its holder still works
	 * @param onLoss what happens to the work when the lock is lost
	 */
	public LockRequest(LockKey key, @Nullable Duration waitTime, @Nullable Lease lease, @Nullable Duration minHoldTime,
			@Nullable Duration maxHoldTime, @Nullable OnLoss onLoss) {
		this(key, waitTime, lease, minHoldTime, maxHoldTime, onLoss, false);
	}

	/**
	 * A request for the lock that has a name and no id.
	 * @param name the name, not blank
	 * @return the request
	 * @throws LockKeyException if the name is null or blank
	 */
	public static LockRequest of(String name) {
		return of(LockKey.of(name));
	}

	/**
	 * A request for one of the locks of a name.
	 * @param name the name, not blank
	 * @param id the id, not blank; null for the lock without an id
	 * @return the request
	 * @throws LockKeyException if the name is null or blank, or the id blank
	 */
	public static LockRequest of(String name, @Nullable String id) {
		return of(LockKey.of(name, id));
	}

	/**
	 * A request for a key.
	 * @param key the key
	 * @return the request
	 */
	public static LockRequest of(LockKey key) {
		return new LockRequest(key, null, null, null, null, null);
	}

	/**
	 * This request with a time to wait.
	 * @param waitTime zero tries once, negative waits without end
	 * @return a new request
	 */
	public LockRequest withWaitTime(Duration waitTime) {
		Objects.requireNonNull(waitTime, "'waitTime' must not be null");
		return new LockRequest(this.key, waitTime, this.lease, this.minHoldTime, this.maxHoldTime, this.onLoss,
				this.releaseAfterTransaction);
	}

	/**
	 * This request with a lease.
	 * @param lease the lease
	 * @return a new request
	 */
	public LockRequest withLease(Lease lease) {
		Objects.requireNonNull(lease, "'lease' must not be null");
		return new LockRequest(this.key, this.waitTime, lease, this.minHoldTime, this.maxHoldTime, this.onLoss,
				this.releaseAfterTransaction);
	}

	/**
	 * This request with a minimum: if the lock is closed before, nobody gets it until
	 * then, here or elsewhere. The caller that closes it is not delayed. A re-entry has
	 * no minimum of its own.
	 * @param minHoldTime the time from acquiring on, not negative
	 * @return a new request
	 */
	public LockRequest withMinHoldTime(Duration minHoldTime) {
		Objects.requireNonNull(minHoldTime, "'minHoldTime' must not be null");
		return new LockRequest(this.key, this.waitTime, this.lease, minHoldTime, this.maxHoldTime, this.onLoss,
				this.releaseAfterTransaction);
	}

	/**
	 * This request with a maximum: who still holds the lock then has lost it, and the key
	 * is free when its lease is over. A re-entry has no maximum of its own.
	 * @param maxHoldTime the time from acquiring on, positive
	 * @return a new request
	 */
	public LockRequest withMaxHoldTime(Duration maxHoldTime) {
		Objects.requireNonNull(maxHoldTime, "'maxHoldTime' must not be null");
		return new LockRequest(this.key, this.waitTime, this.lease, this.minHoldTime, maxHoldTime, this.onLoss,
				this.releaseAfterTransaction);
	}

	/**
	 * This request with a rule for the work whose lock is lost.
	 * @param onLoss the rule
	 * @return a new request
	 */
	public LockRequest withOnLoss(OnLoss onLoss) {
		Objects.requireNonNull(onLoss, "'onLoss' must not be null");
		return new LockRequest(this.key, this.waitTime, this.lease, this.minHoldTime, this.maxHoldTime, onLoss,
				this.releaseAfterTransaction);
	}

	/**
	 * This request with a lock that outlives the transaction in which it is acquired.
	 * Closed within it, the lock is not released before the transaction is complete,
	 * committed or rolled back, so that who gets it next reads what was written under it.
	 * Until then it is renewed, its thread re-enters it, and its loss means what
	 * {@link #withOnLoss(OnLoss)} says: with {@link OnLoss#FAIL} the transaction is not
	 * committed. It is released after all that waits for the completion; a lock that is
	 * closed later than that is released then.
	 * <p>
	 * A thread that is in no transaction when it acquires the lock has it until it is
	 * closed, as ever. Reactive transactions are none of a thread's, and neither are
	 * those of managers without synchronization. Not for
	 * {@link LockService#acquireAsync(LockRequest)}, whose locks belong to no thread.
	 * @return a new request
	 */
	public LockRequest withReleaseAfterTransaction() {
		return new LockRequest(this.key, this.waitTime, this.lease, this.minHoldTime, this.maxHoldTime, this.onLoss,
				true);
	}

}
