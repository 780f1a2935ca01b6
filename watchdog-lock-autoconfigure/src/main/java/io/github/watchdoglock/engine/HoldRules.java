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

import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.settings.EngineSettings;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of the hold that comes of it. Immutable; times are nanoseconds.
 *
 * @param minHold how long the key stays taken at least
 * @param maxHold how long the hold may last
 * @param longHold when it is called long; zero is ten times its lease
 * @param onLoss what a loss means to the first handle, never the default
 * @param limits by when it ends at the latest, as open re-entries say
 */
record HoldRules(long minHold, long maxHold, long longHold, OnLoss onLoss, @Nullable Limit limits) {

	/* Further away than any hold lasts, and near enough to count with. */
	private static final long NEVER = Long.MAX_VALUE / 4;

	private static final int LONG_IN_LEASES = 10;

	HoldRules(long minHold, long maxHold, long longHold, OnLoss onLoss) {
		this(minHold, maxHold, longHold, onLoss, null);
	}

	static HoldRules of(EngineSettings settings) {
		return new HoldRules(0, nanos(settings.maxHoldTime(), NEVER), nanos(settings.longHoldWarning(), 0),
				settings.onLoss());
	}

	/* These rules, where a request says nothing else. */
	HoldRules with(LockRequest request) {
		if (request.key().isRole()) {
			// Held on purpose for as long as its leader is well.
			return new HoldRules(0, NEVER, NEVER, this.onLoss);
		}
		if (request.minHoldTime() == null && request.maxHoldTime() == null && request.onLoss() == null) {
			return this;
		}
		return new HoldRules(nanos(request.minHoldTime(), this.minHold), nanos(request.maxHoldTime(), this.maxHold),
				this.longHold, onLoss(request));
	}

	/*
	 * What a re-entry says: of minimum and maximum only what is its own, since those of
	 * the instance began with the hold.
	 */
	HoldRules ofReentry(LockRequest request) {
		return new HoldRules(0, NEVER, this.longHold, this.onLoss).with(request);
	}

	/* These rules with a minimum hold that is at least as long. */
	HoldRules keptFor(long minHold) {
		return (minHold <= this.minHold) ? this
				: new HoldRules(minHold, this.maxHold, this.longHold, this.onLoss, this.limits);
	}

	/* These rules with an end by that moment, until it is lifted. */
	HoldRules limited(long end) {
		return new HoldRules(this.minHold, this.maxHold, this.longHold, this.onLoss, new Limit(end, this.limits));
	}

	HoldRules lifted(long end) {
		return new HoldRules(this.minHold, this.maxHold, this.longHold, this.onLoss, Limit.without(end, this.limits));
	}

	boolean isLimited() {
		return this.maxHold < NEVER;
	}

	/* When a hold has lasted for too long. */
	long end(long acquired) {
		return Limit.earliest(this.limits, acquired + this.maxHold);
	}

	/* What a request says of losses, which counts for a re-entry too. */
	OnLoss onLoss(LockRequest request) {
		OnLoss own = request.onLoss();
		return (own != null && own != OnLoss.DEFAULT) ? own : this.onLoss;
	}

	long longHold(LeaseTiming timing) {
		return (this.longHold > 0) ? this.longHold : LONG_IN_LEASES * timing.length();
	}

	/* These rules for a hold that listeners know to be long. */
	HoldRules calledLong() {
		return new HoldRules(this.minHold, this.maxHold, NEVER, this.onLoss, this.limits);
	}

	/* When to look whether a hold lasts unusually long, or too long. */
	long nextLimit(long acquired, LeaseTiming timing) {
		long most = end(acquired);
		long usual = acquired + longHold(timing);
		return (most - usual < 0) ? most : usual;
	}

	private static long nanos(@Nullable Duration duration, long otherwise) {
		if (duration == null) {
			return otherwise;
		}
		return (duration.toDays() > 36_500) ? NEVER : duration.toNanos();
	}

	/**
	 * A moment by which a hold ends, as a re-entry says, and those that others have said
	 * before. A list that is never changed.
	 */
	static final class Limit {

		private final long end;

		private final @Nullable Limit next;

		private final long earliest;

		Limit(long end, @Nullable Limit next) {
			this.end = end;
			this.next = next;
			this.earliest = earliest(next, end);
		}

		/* The earliest of a list, if that is before a moment. */
		static long earliest(@Nullable Limit list, long moment) {
			return (list != null && list.earliest - moment < 0) ? list.earliest : moment;
		}

		/* A list without one of a moment, which is mostly the last one. */
		static @Nullable Limit without(long end, @Nullable Limit list) {
			Limit before = null;
			Limit found = list;
			while (found != null && found.end != end) {
				before = new Limit(found.end, before);
				found = found.next;
			}
			Limit rest = (found != null) ? found.next : null;
			for (Limit other = before; other != null; other = other.next) {
				rest = new Limit(other.end, rest);
			}
			return rest;
		}

	}

}
