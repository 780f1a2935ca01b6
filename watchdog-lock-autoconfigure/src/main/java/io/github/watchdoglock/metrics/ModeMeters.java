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
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockListener.Outcome;
import io.github.watchdoglock.LockLoss.Reason;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the locks of a name that are requested in one mode.
 */
final class ModeMeters {

	final Timer acquired;

	final EnumMeters<Outcome, Timer> notAcquired;

	final Timer releasedHold;

	final Timer lostHold;

	final EnumMeters<Reason, Counter> lost;

	final TransientGauges gauges;

	final AtomicInteger held;

	final AtomicInteger waiting;

	/** Only for permits. */
	private final @Nullable Counter differing;

	private final MeterRegistry registry;

	private final Tags tags;

	ModeMeters(MeterRegistry registry, String name, Mode mode) {
		this.registry = registry;
		this.tags = Tags.of("lock", name, "mode", mode.tag());
		this.acquired = acquire("acquired");
		this.notAcquired = new EnumMeters<>(EnumSet.allOf(Outcome.class), this::acquire);
		this.releasedHold = hold("released");
		this.lostHold = hold("lost");
		this.lost = new EnumMeters<>(EnumSet.complementOf(EnumSet.of(Reason.RESIGNED)),
				(reason) -> Counter.builder("watchdog.lock.lost")
					.description("Locks that ended before they were released")
					.tags(this.tags.and("reason", reason))
					.register(registry));
		this.gauges = new TransientGauges(registry, this.tags);
		this.held = this.gauges.add("watchdog.lock.held", "Locks that this instance holds");
		this.waiting = this.gauges.add("watchdog.lock.waiting", "Callers of this instance that wait for a lock");
		this.differing = (mode == Mode.PERMIT) ? differing(registry, name) : null;
	}

	private static Counter differing(MeterRegistry registry, String name) {
		return Counter.builder("watchdog.lock.permits.differing")
			.description("Requests for a permit while other callers use another number of permits")
			.tag("lock", name)
			.register(registry);
	}

	void permitsDiffer() {
		if (this.differing != null) {
			this.differing.increment();
		}
	}

	private Timer acquire(String outcome) {
		return Timer.builder("watchdog.lock.acquire")
			.description("Time from the request of a lock until its outcome")
			.tags(this.tags.and("outcome", outcome))
			.register(this.registry);
	}

	private Timer hold(String outcome) {
		return Timer.builder("watchdog.lock.hold")
			.description("Time from acquiring a lock until its end")
			.tags(this.tags.and("outcome", outcome))
			.register(this.registry);
	}

}
