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

import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockListener.Scope;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/**
 * The meters of one lock name. Timers and counters are registered together, those of a
 * mode when it is first used, and are never removed: rates miss the increment that
 * creates a counter.
 */
final class NameMeters {

	final Counter renewed;

	final Counter renewalGone;

	final Counter renewalFailed;

	final Counter unconfirmed;

	final Counter longHolds;

	final EnumMeters<Scope, Counter> handOffs;

	final AtomicInteger idle;

	private final TransientGauges gauges;

	private final Map<Mode, ModeMeters> modes = new ConcurrentHashMap<>();

	private final MeterRegistry registry;

	private final String name;

	NameMeters(MeterRegistry registry, String name) {
		this.registry = registry;
		this.name = name;
		TaggedMeters meters = new TaggedMeters(registry, Tags.of("lock", name));
		this.renewed = renewals(meters, "renewed");
		this.renewalGone = renewals(meters, "gone");
		this.renewalFailed = renewals(meters, "error");
		this.unconfirmed = meters.counter("watchdog.lock.unconfirmed",
				"Checks before a commit in which Redis did not confirm the lock");
		this.longHolds = meters.counter("watchdog.lock.long.holds", "Locks that were held for unusually long");
		this.handOffs = new EnumMeters<>(EnumSet.allOf(Scope.class), (scope) -> meters.counter("watchdog.lock.handoffs",
				"Hand-offs of locks from a holder to the next waiting caller", "scope", scope));
		this.gauges = new TransientGauges(meters);
		this.idle = this.gauges.add("watchdog.lock.idle", "Idle locks that this instance keeps for their next caller");
	}

	/* Called after a waiting caller was counted. */
	void use(ModeMeters mode) {
		this.gauges.use();
		mode.gauges.use();
	}

	void hideIfIdle() {
		this.gauges.hideIfIdle();
		this.modes.values().forEach((mode) -> mode.gauges.hideIfIdle());
	}

	ModeMeters of(Mode mode) {
		return Guard.registerOnce(this.registry, this.modes, mode, (target) -> new ModeMeters(target, this.name, mode));
	}

	private static Counter renewals(TaggedMeters meters, String outcome) {
		return meters.counter("watchdog.lock.renewals", "Renewals of leases by the watchdog", "outcome", outcome);
	}

}
