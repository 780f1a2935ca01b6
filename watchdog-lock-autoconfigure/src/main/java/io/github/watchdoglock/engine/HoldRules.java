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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.settings.EngineSettings;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a request for its hold. Immutable; times are nanoseconds.
 *
 * @param minHold how long the key stays locked at least
 * @param maxHold how long the hold may last
 * @param longHold when the hold is reported as long; zero for ten times its lease
 * @param onLoss the action of a loss for the first handle
 * @param limits the times at which the hold ends at the latest, as set by open re-entries
 */
record HoldRules(long minHold, long maxHold, long longHold, OnLoss onLoss, List<Long> limits) {

	/* Longer than any hold lasts, and small enough for calculations without overflow. */
	private static final long NEVER = Long.MAX_VALUE / 4;

	private static final int LONG_IN_LEASES = 10;

	HoldRules(long minHold, long maxHold, long longHold, OnLoss onLoss) {
		this(minHold, maxHold, longHold, onLoss, List.of());
	}

	static HoldRules of(EngineSettings settings) {
		return new HoldRules(0, nanos(settings.maxHoldTime(), NEVER), nanos(settings.longHoldWarning(), 0),
				settings.onLoss());
	}

	/* Return these rules with the values that a request sets. */
	HoldRules with(LockRequest request) {
		if (request.key().isRole()) {
			// A role is held on purpose, for as long as its leader works.
			return new HoldRules(0, NEVER, NEVER, this.onLoss);
		}
		if (request.minHoldTime() == null && request.maxHoldTime() == null && request.onLoss() == null) {
			return this;
		}
		return new HoldRules(nanos(request.minHoldTime(), this.minHold), nanos(request.maxHoldTime(), this.maxHold),
				this.longHold, onLoss(request));
	}

	/*
	 * Return the rules of a re-entry. Minimum and maximum are only those of the request
	 * itself, because those of the instance began with the hold.
	 */
	HoldRules ofReentry(LockRequest request) {
		return new HoldRules(0, NEVER, this.longHold, this.onLoss).with(request);
	}

	/* Return these rules with a minimum hold that is at least this long. */
	HoldRules lockedFor(long minHold) {
		return (minHold <= this.minHold) ? this
				: new HoldRules(minHold, this.maxHold, this.longHold, this.onLoss, this.limits);
	}

	/*
	 * Return these rules with an end at this time at the latest, until the limit is
	 * lifted.
	 */
	HoldRules limited(long end) {
		List<Long> limits = new ArrayList<>(this.limits);
		limits.add(end);
		return limited(limits);
	}

	HoldRules lifted(long end) {
		List<Long> limits = new ArrayList<>(this.limits);
		limits.remove(Long.valueOf(end));
		return limited(limits);
	}

	private HoldRules limited(List<Long> limits) {
		return new HoldRules(this.minHold, this.maxHold, this.longHold, this.onLoss, limits);
	}

	boolean isLimited() {
		return this.maxHold < NEVER;
	}

	/* The time at which a hold has lasted too long. */
	long end(long acquired) {
		long end = acquired + this.maxHold;
		for (long limit : this.limits) {
			end = Alarm.earlier(end, limit);
		}
		return end;
	}

	/* The action of a loss for a request, also for a re-entry. */
	OnLoss onLoss(LockRequest request) {
		OnLoss own = request.onLoss();
		return (own != null && own != OnLoss.DEFAULT) ? own : this.onLoss;
	}

	long longHold(LeaseTiming timing) {
		return (this.longHold > 0) ? this.longHold : LONG_IN_LEASES * timing.length();
	}

	/* Return these rules for a hold that was reported as long. */
	HoldRules reportedLong() {
		return new HoldRules(this.minHold, this.maxHold, NEVER, this.onLoss, this.limits);
	}

	/* When to check whether a hold lasts unusually long, or too long. */
	long nextLimit(long acquired, LeaseTiming timing) {
		return Alarm.earlier(end(acquired), acquired + longHold(timing));
	}

	private static long nanos(@Nullable Duration duration, long otherwise) {
		if (duration == null) {
			return otherwise;
		}
		return (duration.toDays() > 36_500) ? NEVER : duration.toNanos();
	}

}
