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

/**
 * The meters of each name of locks, up to a number of names. Further ones share those of
 * {@code other}, and so does a lock that is called that.
 */
final class MetersByName {

	private final MeterRegistry registry;

	private final TagNames names;

	private final long idle;

	private final Map<String, NameMeters> byName = new ConcurrentHashMap<>();

	/* Guards registering, so that no meters are made twice. */
	private final ReentrantLock registering = new ReentrantLock();

	private final AtomicLong looked = new AtomicLong(System.nanoTime());

	MetersByName(MeterRegistry registry, int maxNames, Duration idle) {
		this.registry = registry;
		this.names = new TagNames(maxNames);
		this.idle = idle.toNanos();
	}

	NameMeters of(String name) {
		NameMeters meters = this.byName.get(name);
		return (meters != null) ? meters : ofTag(this.names.of(name));
	}

	private NameMeters ofTag(String tag) {
		NameMeters meters = this.byName.get(tag);
		return (meters != null) ? meters : register(tag);
	}

	private NameMeters register(String tag) {
		this.registering.lock();
		try {
			NameMeters meters = this.byName.get(tag);
			if (meters == null) {
				meters = create(tag);
				this.byName.put(tag, meters);
			}
			return meters;
		}
		finally {
			this.registering.unlock();
		}
	}

	private NameMeters create(String tag) {
		return Guard.register(this.registry, (target) -> new NameMeters(target, tag));
	}

	/* Take away the gauges of names that were not used since the last look. */
	void hideIdle() {
		long now = System.nanoTime();
		long last = this.looked.get();
		if (now - last >= this.idle && this.looked.compareAndSet(last, now)) {
			this.byName.values().forEach((meters) -> meters.gauges.hideIfIdle());
		}
	}

}
