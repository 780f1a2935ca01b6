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

	/** Requests with another number of permits; only for permits. */
	final @Nullable Counter differing;

	private final TaggedMeters meters;

	ModeMeters(MeterRegistry registry, String name, Mode mode) {
		this.meters = new TaggedMeters(registry, Tags.of("lock", name, "mode", mode.tag()));
		this.acquired = acquire("acquired");
		this.notAcquired = new EnumMeters<>(EnumSet.allOf(Outcome.class), this::acquire);
		this.releasedHold = hold("released");
		this.lostHold = hold("lost");
		this.lost = new EnumMeters<>(EnumSet.complementOf(EnumSet.of(Reason.RESIGNED)), (reason) -> this.meters
			.counter("watchdog.lock.lost", "Locks that ended before they were released", "reason", reason));
		this.gauges = new TransientGauges(this.meters);
		this.held = this.gauges.add("watchdog.lock.held", "Locks that this instance holds");
		this.waiting = this.gauges.add("watchdog.lock.waiting", "Callers of this instance that wait for a lock");
		this.differing = (mode != Mode.PERMIT) ? null
				: new TaggedMeters(registry, Tags.of("lock", name)).counter("watchdog.lock.permits.differing",
						"Requests for a permit while other callers use another number of permits");
	}

	private Timer acquire(String outcome) {
		return this.meters.timer("watchdog.lock.acquire", "Time from the request of a lock until its outcome",
				"outcome", outcome);
	}

	private Timer hold(String outcome) {
		return this.meters.timer("watchdog.lock.hold", "Time from acquiring a lock until its end", "outcome", outcome);
	}

}
