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

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The meters of each name of locks, up to a number of names. Further ones share those of
 * {@code other}, and so does a lock that is called that.
 */
final class MetersByName {

	private final MeterRegistry registry;

	private final int maxNames;

	private final long idle;

	private final Map<String, NameMeters> byName = new ConcurrentHashMap<>();

	/* Guards registering, so that the number of names is exact. */
	private final ReentrantLock registering = new ReentrantLock();

	private final AtomicLong looked = new AtomicLong(System.nanoTime());

	private volatile @Nullable NameMeters other;

	private volatile boolean full;

	MetersByName(MeterRegistry registry, int maxNames, Duration idle) {
		this.registry = registry;
		this.maxNames = maxNames;
		this.idle = idle.toNanos();
	}

	NameMeters of(String name) {
		NameMeters meters = this.byName.get(name);
		if (meters != null) {
			return meters;
		}
		NameMeters shared = this.other;
		return (shared != null && (this.full || name.equals(TagNames.OTHER))) ? shared : register(name);
	}

	private NameMeters register(String name) {
		this.registering.lock();
		try {
			NameMeters meters = this.byName.get(name);
			if (meters != null) {
				return meters;
			}
			if (!name.equals(TagNames.OTHER)) {
				this.full = this.byName.size() >= this.maxNames;
				if (!this.full) {
					meters = create(name);
					this.byName.put(name, meters);
					return meters;
				}
			}
			meters = (this.other != null) ? this.other : create(TagNames.OTHER);
			this.other = meters;
			return meters;
		}
		finally {
			this.registering.unlock();
		}
	}

	private NameMeters create(String name) {
		return Guard.register(this.registry, (target) -> new NameMeters(target, name));
	}

	/* Take away the gauges of names that were not used since the last look. */
	void hideIdle() {
		long now = System.nanoTime();
		long last = this.looked.get();
		if (now - last >= this.idle && this.looked.compareAndSet(last, now)) {
			this.byName.values().forEach((meters) -> meters.gauges.hideIfIdle());
			NameMeters shared = this.other;
			if (shared != null) {
				shared.gauges.hideIfIdle();
			}
		}
	}

}
