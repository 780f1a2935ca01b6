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
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The timers and counters of the locks of a name that are asked for in one mode.
 */
final class ModeMeters {

	final Timer acquired;

	final Timer releasedHold;

	final Timer lostHold;

	private final Map<Outcome, Timer> notAcquired = new EnumMap<>(Outcome.class);

	private final Map<LockLoss.Reason, Counter> lost = new EnumMap<>(LockLoss.Reason.class);

	/** Of permits alone. */
	private final @Nullable Counter differing;

	private final MeterRegistry registry;

	private final Tags tags;

	ModeMeters(MeterRegistry registry, String name, Mode mode) {
		this.registry = registry;
		this.tags = Tags.of("lock", name, "mode", mode.tag());
		this.acquired = acquire("acquired");
		for (Outcome outcome : Outcome.values()) {
			this.notAcquired.put(outcome, acquire(outcome.name().toLowerCase(Locale.ROOT)));
		}
		this.releasedHold = hold("released");
		this.lostHold = hold("lost");
		this.differing = (mode == Mode.PERMIT) ? differing(registry, name) : null;
		for (LockLoss.Reason reason : EnumSet.complementOf(EnumSet.of(LockLoss.Reason.RESIGNED))) {
			this.lost.put(reason,
					Counter.builder("watchdog.lock.lost")
						.description("Locks that ended before they were released")
						.tags(this.tags.and("reason", reason.tag()))
						.register(registry));
		}
	}

	private static Counter differing(MeterRegistry registry, String name) {
		return Counter.builder("watchdog.lock.permits.differing")
			.description("Requests for a permit while others go by another number of permits")
			.tag("lock", name)
			.register(registry);
	}

	void permitsDiffer() {
		if (this.differing != null) {
			this.differing.increment();
		}
	}

	Timer notAcquired(Outcome outcome) {
		return Objects.requireNonNull(this.notAcquired.get(outcome));
	}

	Counter lost(LockLoss.Reason reason) {
		return Objects.requireNonNull(this.lost.get(reason));
	}

	private Timer acquire(String outcome) {
		return Timer.builder("watchdog.lock.acquire")
			.description("Time from asking for a lock until the answer")
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
