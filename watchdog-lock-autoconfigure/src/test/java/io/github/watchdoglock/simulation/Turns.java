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
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.engine.SimulatedEngine.SeenHold;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * Checks how long a key is handed on within one instance while another instance waits for
 * it.
 */
final class Turns {

	/*
	 * The time until a lease that is handed on is confirmed again, until the answer to
	 * that, and for hand-offs meanwhile; the same time again for steps on the way.
	 */
	private static final long MAX_CLAIM = TimeUnit.MILLISECONDS.toNanos(2 * 250);

	private static final long HANDED_ON = TimeUnit.MILLISECONDS.toNanos(2 * 50);

	/*
	 * Other instances may have become known right after the hand-off, within the same
	 * step.
	 */
	private static final int UNKNOWING = 1;

	/*
	 * After a longer hold the lease is confirmed again, once, and this reports other
	 * waiting instances.
	 */
	private static final long LONG_HOLD = TimeUnit.MILLISECONDS.toNanos(250);

	private final World world;

	/** When each place was first seen. */
	private final Map<AttemptId, Long> places = new HashMap<>();

	/** Leases that pass waiting instances. */
	private final Map<String, Streak> grants = new HashMap<>();

	/**
	 * How often each lease was handed on since its instance knows of other waiting
	 * instances.
	 */
	private final Map<String, Integer> passed = new HashMap<>();

	/** When the last hold of each grant began. */
	private final Map<String, Long> held = new HashMap<>();

	Turns(World world) {
		this.world = world;
	}

	void look() {
		for (LockKey key : this.world.keys) {
			this.world.server.places(key,
					(attempt) -> this.places.computeIfAbsent(attempt, (same) -> this.world.scheduler.now));
		}
	}

	void begun(Instance instance, SeenHold hold) {
		String grant = instance.machine.name + " " + hold.key() + " " + hold.firstToken();
		long now = this.world.scheduler.now;
		Long before = this.held.put(grant, now);
		if (before == null) {
			return;
		}
		count(instance, hold, grant, before < now);
		long[] passing = { Long.MAX_VALUE };
		this.world.server.places(hold.key(), (attempt) -> {
			if (!instance.has(attempt)) {
				passing[0] = Math.min(passing[0], this.places.getOrDefault(attempt, now));
			}
		});
		if (passing[0] == Long.MAX_VALUE) {
			this.grants.remove(grant);
			return;
		}
		Streak streak = this.grants.computeIfAbsent(grant, (same) -> new Streak(now));
		if (now - before > LONG_HOLD && streak.since < now && streak.spared == 0) {
			streak.spared = now - before - LONG_HOLD;
		}
		long since = Math.max(Math.max(streak.since, passing[0]), instance.running);
		long longest = MAX_CLAIM + ((this.world.handOffs(hold.key()) > 0) ? HANDED_ON : 0);
		if (now - since - streak.spared > longest + hold.timeout()) {
			this.world.scheduler
				.violated("I4: " + instance.machine.name + " hands " + hold.key() + " on while another instance waits");
		}
	}

	/* Readers begin together with their shared lease. */
	private void count(Instance instance, SeenHold hold, String grant, boolean later) {
		if (!hold.contended() || (hold.kind().equals(Kind.READ) && !later)) {
			return;
		}
		int most = this.world.handOffs(hold.key()) + UNKNOWING;
		if (this.passed.merge(grant, 1, Integer::sum) > most) {
			this.world.scheduler.violated("I4: " + instance.machine.name + " hands " + hold.key() + " on more than "
					+ most + " times though it knows of others");
		}
	}

	/**
	 * A lease that is handed on although other instances wait.
	 */
	private static final class Streak {

		private final long since;

		/** The time of the first long hold meanwhile. */
		private long spared;

		private Streak(long since) {
			this.since = since;
		}

	}

}
