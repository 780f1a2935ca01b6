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

package io.github.watchdoglock.engine;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import org.jspecify.annotations.Nullable;

/**
 * The idle leases of an engine, the oldest first, and how long each is kept. Bounded.
 * Thread-safe, and never parks a thread.
 */
final class IdleLeases {

	private static final int MAX_LEASES = 10_000;

	private final TimeRules rules;

	private final NavigableMap<Long, Entry> leases = new ConcurrentSkipListMap<>();

	IdleLeases(TimeRules rules) {
		this.rules = rules;
	}

	/*
	 * Return for how many nanoseconds to keep such a lease idle; zero to release it at
	 * once.
	 */
	long time(LockKey key, LeaseTiming timing, HoldRules hold) {
		return (timing.lease().renewed() && hold.minHold() == 0 && !key.isRole()) ? this.rules.of(key) : 0;
	}

	/* Return the oldest one if it has to make room. */
	@Nullable Entry add(Entry lease) {
		this.leases.put(lease.number(), lease);
		// This is not a traversal: the map counts its entries as they are added and
		// removed.
		Map.Entry<Long, Entry> oldest = (this.leases.size() > MAX_LEASES) ? this.leases.pollFirstEntry() : null;
		return (oldest != null) ? oldest.getValue() : null;
	}

	void remove(Entry lease) {
		this.leases.remove(lease.number());
	}

	boolean contains(Entry lease) {
		return this.leases.containsKey(lease.number());
	}

	List<IdleLock> describe() {
		return this.leases.values().stream().map(Entry::describe).toList();
	}

	/**
	 * An idle lease. Methods are called by any thread.
	 */
	interface Entry {

		/* Its position in the order in which idle leases were added. */
		long number();

		/* Release it, unless a caller has arrived for it. */
		void makeRoom();

		IdleLock describe();

	}

}
