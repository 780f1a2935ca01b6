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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * How many locks of a name are held, waited for, and kept though nobody holds them. The
 * gauges are registered while the name is in use, and for a while afterwards.
 */
final class NameGauges {

	final AtomicInteger waiting = new AtomicInteger();

	final AtomicInteger held = new AtomicInteger();

	final AtomicInteger idle = new AtomicInteger();

	private final MeterRegistry registry;

	private final String name;

	/* Guards registering and removing. */
	private final ReentrantLock changing = new ReentrantLock();

	private final List<Meter> registered = new ArrayList<>();

	private volatile boolean shown;

	private volatile boolean used;

	NameGauges(MeterRegistry registry, String name) {
		this.registry = registry;
		this.name = name;
	}

	/* To be called after counting. */
	void use() {
		if (!this.used) {
			this.used = true;
		}
		if (!this.shown) {
			Guard.run(this::show);
		}
	}

	private void show() {
		this.changing.lock();
		try {
			if (!this.shown) {
				this.shown = true;
				this.registered.add(gauge("watchdog.lock.held", this.held).description("Locks that this instance holds")
					.register(this.registry));
				this.registered.add(gauge("watchdog.lock.idle", this.idle)
					.description("Locks that this instance keeps for their next caller though nobody holds them")
					.register(this.registry));
				this.registered.add(gauge("watchdog.lock.waiting", this.waiting)
					.description("Callers of this instance that wait for a lock")
					.register(this.registry));
			}
		}
		finally {
			this.changing.unlock();
		}
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
			if (!this.shown) {
				return;
			}
			this.shown = false;
			if (this.waiting.get() > 0 || this.held.get() > 0 || this.idle.get() > 0) {
				this.shown = true;
				return;
			}
			Guard.run(() -> this.registered.forEach(this.registry::remove));
			this.registered.clear();
		}
		finally {
			this.changing.unlock();
		}
	}

	private Gauge.Builder<AtomicInteger> gauge(String meter, AtomicInteger count) {
		return Gauge.builder(meter, count, AtomicInteger::get).tag("lock", this.name);
	}

}
