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

package io.github.watchdoglock.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.engine.SimulatedEngine.SeenHold;
import io.github.watchdoglock.store.AttemptId;

/**
 * How long a key goes from caller to caller of one instance while another one waits for
 * it.
 */
final class Turns {

	/*
	 * Until a grant that is handed on is confirmed again, the answer to that, and what
	 * may be handed on then; as much again for steps on the way.
	 */
	private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(2 * (250 + 50));

	private final World world;

	/** When each place was first seen. */
	private final Map<AttemptId, Long> places = new HashMap<>();

	/** The grants that were held before, and since when they pass somebody. */
	private final Map<String, Long> grants = new HashMap<>();

	private final Set<String> held = new HashSet<>();

	Turns(World world) {
		this.world = world;
	}

	void look() {
		for (LockKey key : this.world.keys) {
			for (AttemptId attempt : this.world.server.places(key)) {
				this.places.putIfAbsent(attempt, this.world.scheduler.now);
			}
		}
	}

	void begun(Instance instance, SeenHold hold) {
		String grant = instance.machine.name + " " + hold.key() + " " + hold.firstToken();
		if (this.held.add(grant)) {
			return;
		}
		long now = this.world.scheduler.now;
		long passing = this.world.server.places(hold.key())
			.stream()
			.filter((attempt) -> !instance.has(attempt))
			.mapToLong((attempt) -> this.places.getOrDefault(attempt, now))
			.min()
			.orElse(Long.MAX_VALUE);
		if (passing == Long.MAX_VALUE) {
			this.grants.remove(grant);
			return;
		}
		long since = Math.max(this.grants.computeIfAbsent(grant, (same) -> now), passing);
		if (now - Math.max(since, instance.running) > LONGEST + hold.timeout()) {
			this.world.scheduler
				.violated("I4: " + instance.machine.name + " hands " + hold.key() + " on while another instance waits");
		}
	}

}
