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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;

/**
 * Counts with gauges that are registered while the counts are in use, and for some time
 * afterwards.
 */
final class TransientGauges {

	private final TaggedMeters meters;

	private final Map<AtomicInteger, Gauge.Builder<AtomicInteger>> gauges = new LinkedHashMap<>();

	/* Guards registering and removing. */
	private final ReentrantLock changing = new ReentrantLock();

	/** Empty while the gauges are not shown. */
	private volatile List<? extends Meter> registered = List.of();

	private volatile boolean used;

	TransientGauges(TaggedMeters meters) {
		this.meters = meters;
	}

	/* Must not be called after a count was used. */
	AtomicInteger add(String name, String description) {
		AtomicInteger count = new AtomicInteger();
		this.gauges.put(count,
				Gauge.builder(name, count, AtomicInteger::get).description(description).tags(this.meters.tags()));
		return count;
	}

	/* Must be called after the count was changed. */
	void use() {
		if (!this.used) {
			this.used = true;
		}
		if (this.registered.isEmpty()) {
			show();
		}
	}

	private void show() {
		this.changing.lock();
		try {
			if (this.registered.isEmpty()) {
				this.registered = Guard.register(this.meters.registry(),
						(target) -> this.gauges.values().stream().map((gauge) -> gauge.register(target)).toList());
			}
		}
		finally {
			this.changing.unlock();
		}
	}

	/*
	 * Guards against a race with use(): a user changes the count first and then reads
	 * whether the gauges are shown. This method does the two in the opposite order, so
	 * one of both notices the other.
	 */
	void hideIfIdle() {
		this.changing.lock();
		try {
			if (this.used) {
				this.used = false;
				return;
			}
			List<? extends Meter> before = this.registered;
			this.registered = List.of();
			if (this.gauges.keySet().stream().anyMatch((count) -> count.get() > 0)) {
				this.registered = before;
				return;
			}
			Guard.run(() -> before.forEach(this.meters.registry()::remove));
		}
		finally {
			this.changing.unlock();
		}
	}

}
