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
 */
record HoldRules(long minHold, long maxHold, long longHold, OnLoss onLoss) {

	/* Further away than any hold lasts, and near enough to count with. */
	private static final long NEVER = Long.MAX_VALUE / 4;

	private static final int LONG_IN_LEASES = 10;

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

	/* What a request says of losses, which counts for a re-entry too. */
	OnLoss onLoss(LockRequest request) {
		OnLoss own = request.onLoss();
		return (own != null && own != OnLoss.DEFAULT) ? own : this.onLoss;
	}

	long longHold(Terms terms) {
		return (this.longHold > 0) ? this.longHold : LONG_IN_LEASES * terms.length();
	}

	/* When to look whether a hold lasts too long, once it is called long or before. */
	long nextLimit(long acquired, Terms terms, boolean calledLong) {
		long most = acquired + this.maxHold;
		long usual = acquired + longHold(terms);
		return (calledLong || most - usual < 0) ? most : usual;
	}

	private static long nanos(@Nullable Duration duration, long otherwise) {
		if (duration == null) {
			return otherwise;
		}
		return (duration.toDays() > 36_500) ? NEVER : duration.toNanos();
	}

}
