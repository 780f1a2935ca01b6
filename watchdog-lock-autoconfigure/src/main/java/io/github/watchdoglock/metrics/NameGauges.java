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

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import io.github.watchdoglock.LockSnapshot.Mode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/**
 * How many locks of a name are held, waited for, and kept though nobody holds them. The
 * gauges are registered while the name is in use, those of a mode while that was used,
 * and for a while afterwards.
 */
final class NameGauges {

	final AtomicInteger idle = new AtomicInteger();

	private final Map<Mode, AtomicInteger> waiting = counts();

	private final Map<Mode, AtomicInteger> held = counts();

	private final MeterRegistry registry;

	private final Tags tags;

	/* Guards registering and removing. */
	private final ReentrantLock changing = new ReentrantLock();

	private final List<Meter> registered = new ArrayList<>();

	/* Replaced, never changed. */
	private volatile Set<Mode> shown = Set.of();

	private volatile boolean used;

	NameGauges(MeterRegistry registry, String name) {
		this.registry = registry;
		this.tags = Tags.of("lock", name);
	}

	private static Map<Mode, AtomicInteger> counts() {
		Map<Mode, AtomicInteger> counts = new EnumMap<>(Mode.class);
		for (Mode mode : Mode.values()) {
			counts.put(mode, new AtomicInteger());
		}
		return counts;
	}

	AtomicInteger waiting(Mode mode) {
		return Objects.requireNonNull(this.waiting.get(mode));
	}

	AtomicInteger held(Mode mode) {
		return Objects.requireNonNull(this.held.get(mode));
	}

	/* To be called after counting. */
	void use(Mode mode) {
		if (!this.used) {
			this.used = true;
		}
		if (!this.shown.contains(mode)) {
			Guard.run(() -> show(mode));
		}
	}

	private void show(Mode mode) {
		this.changing.lock();
		try {
			if (this.shown.contains(mode)) {
				return;
			}
			if (this.shown.isEmpty()) {
				register("watchdog.lock.idle",
						"Locks that this instance keeps for their next caller though nobody holds them", this.tags,
						this.idle);
			}
			Set<Mode> shown = EnumSet.of(mode);
			shown.addAll(this.shown);
			this.shown = shown;
			Tags ofMode = this.tags.and("mode", mode.tag());
			register("watchdog.lock.held", "Locks that this instance holds", ofMode, held(mode));
			register("watchdog.lock.waiting", "Callers of this instance that wait for a lock", ofMode, waiting(mode));
		}
		finally {
			this.changing.unlock();
		}
	}

	private void register(String meter, String description, Tags tags, AtomicInteger count) {
		this.registered.add(Gauge.builder(meter, count, AtomicInteger::get)
			.description(description)
			.tags(tags)
			.register(this.registry));
	}

	/*
	 * Guard against race with use(), which counts and then looks whether they are shown:
	 * here it is the other way round, so that one of both sees the other.
	 */
	void hideIfIdle() {
		this.changing.lock();
		try {
			if (this.used) {
				this.used = false;
				return;
			}
			Set<Mode> before = this.shown;
			if (before.isEmpty()) {
				return;
			}
			this.shown = Set.of();
			if (isCounting()) {
				this.shown = before;
				return;
			}
			Guard.run(() -> this.registered.forEach(this.registry::remove));
			this.registered.clear();
		}
		finally {
			this.changing.unlock();
		}
	}

	private boolean isCounting() {
		return this.idle.get() > 0 || Stream.of(this.waiting, this.held)
			.flatMap((counts) -> counts.values().stream())
			.anyMatch((count) -> count.get() > 0);
	}

}
