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

package io.github.watchdoglock.autoconfigure;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.interceptor.declaration.LockDefaults;
import io.github.watchdoglock.settings.EngineSettings.HandOffRules;
import io.github.watchdoglock.settings.LeaseLimits;
import org.jspecify.annotations.Nullable;

/**
 * Per-lock properties. If one of them is null, the property for all locks applies.
 * Immutable.
 *
 * @param leaseTime How long a lock lasts in Redis unless its holder renews it.
 * @param waitTime How long to wait for a lock that another caller holds; not for
 * tryAcquire. Zero tries once, -1 waits indefinitely.
 * @param minHoldTime How long a lock is kept at least.
 * @param maxHoldTime How long a lock may be held before it is lost.
 * @param commitCheck How old the last answer of Redis may be when a transaction is
 * committed. Zero always asks Redis, -1 never.
 * @param permits How many callers may hold a lock together, across all instances. One and
 * zero are an exclusive lock, which is the default.
 * @param linger How long an instance keeps a released lock for its next caller.
 * @param handOffs How often in a row a lock is passed on within an instance while another
 * instance waits for it. Zero releases it each time.
 * @param renewal Whether the watchdog renews it.
 * @param onLoss Effect of a lost lock on the work that runs under it.
 * @param onContention Effect on a call of an annotated method whose lock cannot be
 * acquired in time.
 * @param fenced Whether transactions under a lock are fenced in the database.
 * @param release When the lock of an annotated method that is called inside a transaction
 * is released.
 */
record NamedLockProperties(@Nullable Duration leaseTime, @Nullable Duration waitTime, @Nullable Duration minHoldTime,
		@Nullable Duration maxHoldTime, @Nullable Duration commitCheck, @Nullable Integer permits,
		@Nullable Duration linger, @Nullable Integer handOffs, @Nullable Renewal renewal, @Nullable OnLoss onLoss,
		@Nullable OnContention onContention, @Nullable Boolean fenced, @Nullable LockRelease release) {

	/* The time limit of hand-offs ends before this number is reached. */
	private static final int MAX_HAND_OFFS = 1_000;

	/* Sets nothing. */
	static final NamedLockProperties NONE = new NamedLockProperties(null, null, null, null, null, null, null, null,
			null, null, null, null, null);

	NamedLockProperties {
		onLoss = (onLoss != OnLoss.DEFAULT) ? onLoss : null;
		onContention = (onContention != OnContention.DEFAULT) ? onContention : null;
		release = (release != LockRelease.DEFAULT) ? release : null;
	}

	void check(String name, PropertyProblems problems, LeaseLimits limits) {
		String prefix = property(name);
		problems.requirePositive(prefix + ".max-hold-time", this.maxHoldTime);
		problems.requireWait(prefix + ".wait-time", this.waitTime);
		problems.requireCommitCheck(prefix + ".commit-check", this.commitCheck);
		problems.requireNotNegative(prefix + ".min-hold-time", this.minHoldTime, "30s");
		if (this.minHoldTime != null && this.leaseTime != null && this.renewal == Renewal.OFF) {
			problems.require(this.minHoldTime.compareTo(this.leaseTime) <= 0, prefix + ".min-hold-time",
					PropertyProblems.print(this.minHoldTime), "it is longer than the lease, which is not renewed",
					"set one that is not longer than lease-time, or leave renewal out");
		}
		problems.requireFromZero(prefix + ".permits", this.permits, LockDefaults.MAX_PERMITS, "an exclusive lock",
				"set the number of callers that may hold the lock at once, or leave it out");
		problems.requireLinger(prefix + ".linger", this.linger);
		if (this.linger != null && !this.linger.isZero()) {
			String linger = PropertyProblems.print(this.linger);
			problems.require(this.minHoldTime == null || this.minHoldTime.isZero(), prefix + ".linger", linger,
					"a lock with a minimum hold is never kept for its next caller",
					"leave out linger, or min-hold-time");
			problems.require(this.renewal != Renewal.OFF, prefix + ".linger", linger,
					"a lock that is not renewed is never kept for its next caller", "leave out linger, or renewal");
			problems.require(this.permits == null || this.permits <= 1, prefix + ".linger", linger,
					"a permit is never kept for its next caller", "leave out linger, or permits");
		}
		problems.requireFromZero(prefix + ".hand-offs", this.handOffs, MAX_HAND_OFFS,
				"no hand-offs while another instance waits",
				"set the number of hand-offs, or leave it out for " + HandOffRules.USUAL);
		if (this.leaseTime != null) {
			problems.requireAllowed(prefix + ".lease-time", this.leaseTime, this.renewal != Renewal.OFF, limits);
		}
	}

	/* As it is written. */
	static String property(String name) {
		return name.matches("[A-Za-z0-9-]+") ? "locks." + name : "locks[" + name + "]";
	}

	/* The request, with what it does not say. */
	LockRequest complete(LockRequest request, Duration defaultLease) {
		OnLoss own = (request.onLoss() != OnLoss.DEFAULT) ? request.onLoss() : null;
		boolean leased = this.leaseTime != null || this.renewal != null;
		Lease lease = leased
				? new Lease(Objects.requireNonNullElse(this.leaseTime, defaultLease), this.renewal != Renewal.OFF)
				: null;
		LockRequest completed = request;
		completed = complete(completed, request.waitTime(), this.waitTime, LockRequest::withWaitTime);
		completed = complete(completed, request.lease(), lease, LockRequest::withLease);
		completed = complete(completed, request.minHoldTime(), this.minHoldTime, LockRequest::withMinHoldTime);
		completed = complete(completed, request.maxHoldTime(), this.maxHoldTime, LockRequest::withMaxHoldTime);
		completed = complete(completed, request.permits(), this.permits, NamedLockProperties::withPermits);
		completed = complete(completed, own, this.onLoss, LockRequest::withOnLoss);
		return complete(completed, request.fenced(), this.fenced, LockRequest::withFenced);
	}

	private static <T> LockRequest complete(LockRequest request, @Nullable T own, @Nullable T named,
			BiFunction<LockRequest, T, LockRequest> setter) {
		return (own == null && named != null) ? setter.apply(request, named) : request;
	}

	private static LockRequest withPermits(LockRequest request, int permits) {
		if (permits > 0 && request.mode() == LockMode.READ) {
			throw new IllegalArgumentException("Lock '" + request.key() + "' is requested for reading, and"
					+ " watchdog-lock." + property(request.key().name()) + ".permits is " + permits
					+ ". Remove this property, or request the lock without LockMode.READ");
		}
		return request.withPermits(permits);
	}

}
