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

package io.github.watchdoglock.metrics;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.github.watchdoglock.LockListener.Outcome;
import io.github.watchdoglock.LockListener.Scope;
import io.github.watchdoglock.LockLoss;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of one name of locks. Timers and counters are registered all at once and
 * stay: a counter that appears with its first increment hides it from rates.
 */
final class NameMeters {

	final NameGauges gauges;

	final Timer acquired;

	final Timer releasedHold;

	final Timer lostHold;

	final Counter renewed;

	final Counter renewalGone;

	final Counter renewalFailed;

	final Counter longHolds;

	private final Map<Outcome, Timer> notAcquired = new EnumMap<>(Outcome.class);

	private final Map<LockLoss.Reason, Counter> lost = new EnumMap<>(LockLoss.Reason.class);

	private final Map<Scope, Counter> handOffs = new EnumMap<>(Scope.class);

	private final MeterRegistry registry;

	private final String name;

	NameMeters(MeterRegistry registry, String name) {
		this.registry = registry;
		this.name = name;
		this.gauges = new NameGauges(registry, name);
		this.acquired = acquire("acquired");
		for (Outcome outcome : Outcome.values()) {
			this.notAcquired.put(outcome, acquire(outcome.name().toLowerCase(Locale.ROOT)));
		}
		this.releasedHold = hold("released");
		this.lostHold = hold("lost");
		this.renewed = renewals("renewed");
		this.renewalGone = renewals("gone");
		this.renewalFailed = renewals("error");
		this.longHolds = Counter.builder("watchdog.lock.long.holds")
			.description("Locks that were held for unusually long")
			.tag("lock", name)
			.register(registry);
		for (LockLoss.Reason reason : EnumSet.complementOf(EnumSet.of(LockLoss.Reason.RESIGNED))) {
			this.lost.put(reason,
					Counter.builder("watchdog.lock.lost")
						.description("Locks that ended before they were released")
						.tags("lock", name, "reason", reason.tag())
						.register(registry));
		}
		for (Scope scope : Scope.values()) {
			this.handOffs.put(scope,
					Counter.builder("watchdog.lock.handoffs")
						.description("Locks that went from a holder to the next caller, who waited")
						.tags("lock", name, "scope", scope.name().toLowerCase(Locale.ROOT))
						.register(registry));
		}
	}

	Timer notAcquired(Outcome outcome) {
		return Objects.requireNonNull(this.notAcquired.get(outcome));
	}

	Counter lost(LockLoss.Reason reason) {
		return Objects.requireNonNull(this.lost.get(reason));
	}

	Counter handOffs(Scope scope) {
		return Objects.requireNonNull(this.handOffs.get(scope));
	}

	private Timer acquire(String outcome) {
		return Timer.builder("watchdog.lock.acquire")
			.description("Time from asking for a lock until the answer")
			.tags("lock", this.name, "outcome", outcome)
			.register(this.registry);
	}

	private Timer hold(String outcome) {
		return Timer.builder("watchdog.lock.hold")
			.description("Time from acquiring a lock until its end")
			.tags("lock", this.name, "outcome", outcome)
			.register(this.registry);
	}

	private Counter renewals(String outcome) {
		return Counter.builder("watchdog.lock.renewals")
			.description("Renewals of leases by the watchdog")
			.tags("lock", this.name, "outcome", outcome)
			.register(this.registry);
	}

}
