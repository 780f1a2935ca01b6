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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.engine.SimulatedEngine;
import io.github.watchdoglock.engine.SimulatedEngine.SeenHold;
import io.github.watchdoglock.engine.SimulatedEngine.SeenWaiter;
import io.github.watchdoglock.support.ErrorPoint;

/**
 * What must hold after every step, of all instances together.
 */
final class Checks {

	/* A tick of the watchdog, and what a step takes. */
	private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(40);

	/* For which a try may wait where a key may be idle. */
	private static final long TRIAL = TimeUnit.MILLISECONDS.toNanos(100);

	/* What an answer that is lost to an error may cost besides, before there was any. */
	private static final long CONNECTING = TimeUnit.SECONDS.toNanos(2);

	private final World world;

	private final Scheduler scheduler;

	private final Set<Object> holds = new HashSet<>();

	private final Set<Object> expired = new HashSet<>();

	private final Turns turns;

	private final Map<LockKey, Long> tokens = new HashMap<>();

	private final Map<Object, Asking> asking = new LinkedHashMap<>();

	private long longestTimeout;

	private int numbers;

	Checks(World world) {
		this.world = world;
		this.scheduler = world.scheduler;
		this.turns = new Turns(world);
	}

	void look() {
		this.turns.look();
		for (Instance instance : this.world.instances()) {
			if (!instance.dead && instance.machine.runs()) {
				instance.noticeJump();
				instance.simulated.holds((hold) -> look(instance, hold));
				instance.simulated.waiters((waiter) -> look(instance, waiter));
			}
		}
		lookAtTurns();
	}

	private void look(Instance instance, SeenHold seen) {
		if (!seen.held()) {
			this.expired.add(seen.hold());
		}
		else if (this.expired.contains(seen.hold())) {
			this.scheduler.violated("I8: " + seen.key() + " is held again by " + instance.machine.name);
		}
		if (this.holds.add(seen.hold())) {
			this.turns.begun(instance, seen);
			long before = this.tokens.getOrDefault(seen.key(), 0L);
			if (seen.token() <= before && this.world.server.isReliable(seen.key())) {
				this.scheduler.violated("I3: token " + seen.token() + " of " + seen.key() + " after " + before);
			}
			this.tokens.put(seen.key(), Math.max(before, seen.token()));
		}
		// One that has slept is told of it by whatever it does next.
		if (seen.held() && seen.left() > this.world.unnoticedSleep(instance) && this.world.server.isReliable(seen.key())
				&& this.world.server.owner(seen.key()) != seen.firstToken()) {
			this.scheduler.violated("I1, I8: " + instance.machine.name + " holds " + seen.key() + " by token "
					+ seen.token() + ", and the server's owner is " + this.world.server.owner(seen.key()));
		}
		if (seen.held() && this.world.server.isReliable(seen.key())
				&& this.world.server.lastToken(seen.key()) < seen.token()) {
			this.scheduler.violated("I3: token " + seen.token() + " of " + seen.key() + " is not set aside");
		}
	}

	/* By its thread, on whose machine time goes on. */
	void look(Instance instance, LockHandle handle) {
		boolean fixed = SimulatedEngine.isFixed(handle);
		if (handle.isHeld() && !fixed && this.world.server.isReliable(handle.key())
				&& this.world.server.owner(handle.key()) != SimulatedEngine.firstToken(handle)) {
			this.scheduler.violated("I8: " + instance.machine.name + " is told that it holds " + handle.key());
		}
	}

	private void look(Instance instance, SeenWaiter seen) {
		this.longestTimeout = Math.max(this.longestTimeout, seen.timeout());
		Asking asking = this.asking.computeIfAbsent(seen.waiter(),
				(waiter) -> new Asking(instance, seen.key(), this.scheduler.now, this.scheduler.stalled));
		long late = Math.min(-seen.left(), instance.machine.scheduler.now - Math.max(instance.running, asking.since))
				- (this.scheduler.stalled - asking.stalled) - SLACK;
		long most = seen.answered() ? 0 : this.longestTimeout + TRIAL;
		if (!ErrorPoint.place().isEmpty() || this.world.brokenPromise) {
			most += this.longestTimeout + CONNECTING;
		}
		if (seen.left() < Long.MAX_VALUE && late > most) {
			this.scheduler.violated("I5: a caller of " + instance.machine.name + " waits for " + seen.key() + " "
					+ TimeUnit.NANOSECONDS.toMillis(-seen.left()) + " ms longer than it may"
					+ (seen.answered() ? "" : ", without an answer"));
		}
	}

	/* Who came first to an instance has its turn first. */
	private void lookAtTurns() {
		List<Object> over = new ArrayList<>();
		this.asking.forEach((waiter, asking) -> {
			if (!SimulatedEngine.waits(waiter)) {
				over.add(waiter);
			}
		});
		for (Object waiter : over) {
			Asking mine = this.asking.remove(waiter);
			if (SimulatedEngine.granted(waiter) != null && !mine.instance.dead) {
				this.asking.forEach((other, asking) -> {
					if (asking.number < mine.number && asking.instance == mine.instance && asking.key.equals(mine.key)
							&& SimulatedEngine.waits(other)) {
						this.scheduler.violated("I4: a caller of " + mine.instance.machine.name
								+ " has passed another for " + mine.key);
					}
				});
			}
		}
	}

	/**
	 * A caller who waits, as it was first seen.
	 */
	private final class Asking {

		private final Instance instance;

		private final LockKey key;

		private final long since;

		private final long stalled;

		private final int number;

		private Asking(Instance instance, LockKey key, long since, long stalled) {
			this.instance = instance;
			this.key = key;
			this.since = since;
			this.stalled = stalled;
			this.number = Checks.this.numbers++;
		}

	}

}
