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

import io.github.watchdoglock.text.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * The values of a request.
 *
 * @param key see the accessor; the same applies to the other components
 */
record LockRequestValue(LockKey key, @Nullable Duration waitTime, @Nullable Lease lease, @Nullable Duration minHoldTime,
		@Nullable Duration maxHoldTime, @Nullable OnLoss onLoss, boolean releaseAfterTransaction,
		@Nullable Integer permits, LockMode mode, @Nullable Boolean fenced) implements LockRequest {

	private static final int MAX_PERMITS = 64;

	LockRequestValue {
		Objects.requireNonNull(key, "'key' must not be null");
		if (minHoldTime != null && minHoldTime.isNegative()) {
			throw new IllegalArgumentException("'minHoldTime' must not be negative: " + DurationText.of(minHoldTime));
		}
		if (minHoldTime != null && lease != null && !lease.renewed() && minHoldTime.compareTo(lease.duration()) > 0) {
			throw new IllegalArgumentException("'minHoldTime' of lock '" + key + "' is " + DurationText.of(minHoldTime)
					+ ", longer than its lease of " + DurationText.of(lease.duration())
					+ ", which is not renewed. Use a shorter minHoldTime, a longer lease, or a renewed lease");
		}
		if (maxHoldTime != null && (maxHoldTime.isNegative() || maxHoldTime.isZero())) {
			throw new IllegalArgumentException("'maxHoldTime' must be positive: " + DurationText.of(maxHoldTime));
		}
		if (permits != null && (permits < 0 || permits > MAX_PERMITS)) {
			throw new IllegalArgumentException("'permits' of lock '" + key + "' must be from 0 (an exclusive lock) to "
					+ MAX_PERMITS + ", and is " + permits);
		}
		if (permits != null && permits > 0 && mode == LockMode.READ) {
			throw new IllegalArgumentException("Lock '" + key + "' is requested with " + permits
					+ " permits and for reading. Use either permits, to limit the number of holders, or LockMode.READ");
		}
		if (Boolean.TRUE.equals(fenced)) {
			checkFenced(key, releaseAfterTransaction, permits, mode);
		}
	}

	private static void checkFenced(LockKey key, boolean releaseAfterTransaction, @Nullable Integer permits,
			LockMode mode) {
		if ((permits != null && permits > 1) || mode == LockMode.READ) {
			throw new IllegalArgumentException("Lock '" + key + "' is fenced, and requested "
					+ ((mode == LockMode.READ) ? "for reading" : "with permits")
					+ ": only one holder at a time can be fenced. Use withFenced(false), or an exclusive lock");
		}
		if (releaseAfterTransaction) {
			throw new IllegalArgumentException("Lock '" + key
					+ "' is fenced, and requested with withReleaseAfterTransaction(): a fenced lock must be acquired"
					+ " before its transaction begins. Use one of the two");
		}
	}

	@Override
	public LockRequest withKey(LockKey key) {
		return new LockRequestValue(key, this.waitTime, this.lease, this.minHoldTime, this.maxHoldTime, this.onLoss,
				this.releaseAfterTransaction, this.permits, this.mode, this.fenced);
	}

	@Override
	public LockRequest withWaitTime(Duration waitTime) {
		Objects.requireNonNull(waitTime, "'waitTime' must not be null");
		return new LockRequestValue(this.key, waitTime, this.lease, this.minHoldTime, this.maxHoldTime, this.onLoss,
				this.releaseAfterTransaction, this.permits, this.mode, this.fenced);
	}

	@Override
	public LockRequest withLease(Lease lease) {
		Objects.requireNonNull(lease, "'lease' must not be null");
		return new LockRequestValue(this.key, this.waitTime, lease, this.minHoldTime, this.maxHoldTime, this.onLoss,
				this.releaseAfterTransaction, this.permits, this.mode, this.fenced);
	}

	@Override
	public LockRequest withMinHoldTime(Duration minHoldTime) {
		Objects.requireNonNull(minHoldTime, "'minHoldTime' must not be null");
		return new LockRequestValue(this.key, this.waitTime, this.lease, minHoldTime, this.maxHoldTime, this.onLoss,
				this.releaseAfterTransaction, this.permits, this.mode, this.fenced);
	}

	@Override
	public LockRequest withMaxHoldTime(Duration maxHoldTime) {
		Objects.requireNonNull(maxHoldTime, "'maxHoldTime' must not be null");
		return new LockRequestValue(this.key, this.waitTime, this.lease, this.minHoldTime, maxHoldTime, this.onLoss,
				this.releaseAfterTransaction, this.permits, this.mode, this.fenced);
	}

	@Override
	public LockRequest withOnLoss(OnLoss onLoss) {
		Objects.requireNonNull(onLoss, "'onLoss' must not be null");
		return new LockRequestValue(this.key, this.waitTime, this.lease, this.minHoldTime, this.maxHoldTime, onLoss,
				this.releaseAfterTransaction, this.permits, this.mode, this.fenced);
	}

	@Override
	public LockRequest withReleaseAfterTransaction() {
		return new LockRequestValue(this.key, this.waitTime, this.lease, this.minHoldTime, this.maxHoldTime,
				this.onLoss, true, this.permits, this.mode, this.fenced);
	}

	@Override
	public LockRequest withPermits(int permits) {
		return new LockRequestValue(this.key, this.waitTime, this.lease, this.minHoldTime, this.maxHoldTime,
				this.onLoss, this.releaseAfterTransaction, permits, this.mode, this.fenced);
	}

	@Override
	public LockRequest withMode(LockMode mode) {
		Objects.requireNonNull(mode, "'mode' must not be null");
		return new LockRequestValue(this.key, this.waitTime, this.lease, this.minHoldTime, this.maxHoldTime,
				this.onLoss, this.releaseAfterTransaction, this.permits, mode, this.fenced);
	}

	@Override
	public LockRequest withFenced(boolean fenced) {
		return new LockRequestValue(this.key, this.waitTime, this.lease, this.minHoldTime, this.maxHoldTime,
				this.onLoss, this.releaseAfterTransaction, this.permits, this.mode, fenced);
	}

}
