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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockListener.Scope;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of one name of locks. Timers and counters are registered all at once, those
 * of a mode when it is first used, and stay: a counter that appears with its first
 * increment hides it from rates.
 */
final class NameMeters {

	final NameGauges gauges;

	final Counter renewed;

	final Counter renewalGone;

	final Counter renewalFailed;

	final Counter longHolds;

	private final Map<Scope, Counter> handOffs = new EnumMap<>(Scope.class);

	private final Map<Mode, ModeMeters> modes = new ConcurrentHashMap<>();

	/* Guards registering those of a mode, so that none are made twice. */
	private final ReentrantLock registering = new ReentrantLock();

	private final MeterRegistry registry;

	private final String name;

	NameMeters(MeterRegistry registry, String name) {
		this.registry = registry;
		this.name = name;
		this.gauges = new NameGauges(registry, name);
		this.renewed = renewals("renewed");
		this.renewalGone = renewals("gone");
		this.renewalFailed = renewals("error");
		this.longHolds = Counter.builder("watchdog.lock.long.holds")
			.description("Locks that were held for unusually long")
			.tag("lock", name)
			.register(registry);
		for (Scope scope : Scope.values()) {
			this.handOffs.put(scope,
					Counter.builder("watchdog.lock.handoffs")
						.description("Locks that went from a holder to the next caller, who waited")
						.tags("lock", name, "scope", scope.name().toLowerCase(Locale.ROOT))
						.register(registry));
		}
	}

	/* To be called after counting. */
	void use(Mode mode) {
		if (!this.modes.containsKey(mode)) {
			register(mode);
		}
		this.gauges.use(mode);
	}

	ModeMeters of(Mode mode) {
		ModeMeters meters = this.modes.get(mode);
		return (meters != null) ? meters : register(mode);
	}

	private ModeMeters register(Mode mode) {
		this.registering.lock();
		try {
			ModeMeters meters = this.modes.get(mode);
			if (meters == null) {
				meters = Guard.register(this.registry, (target) -> new ModeMeters(target, this.name, mode));
				this.modes.put(mode, meters);
			}
			return meters;
		}
		finally {
			this.registering.unlock();
		}
	}

	Counter handOffs(Scope scope) {
		return Objects.requireNonNull(this.handOffs.get(scope));
	}

	private Counter renewals(String outcome) {
		return Counter.builder("watchdog.lock.renewals")
			.description("Renewals of leases by the watchdog")
			.tags("lock", this.name, "outcome", outcome)
			.register(this.registry);
	}

}
