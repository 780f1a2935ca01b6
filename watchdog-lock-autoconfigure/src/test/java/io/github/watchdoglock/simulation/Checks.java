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
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.support.ErrorPoint;

/**
 * The rules that must hold after every step, for all instances together.
 */
final class Checks {

	/* A tick of the watchdog, and the time of a step. */
	private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(40);

	/* How long a caller with no wait time may wait if the key may be idle. */
	private static final long TRIAL = TimeUnit.MILLISECONDS.toNanos(100);

	private final World world;

	private final Scheduler scheduler;

	private final Set<Object> holds = new HashSet<>();

	private final Set<Object> expired = new HashSet<>();

	private final Turns turns;

	private final long trial;

	private final Map<String, Long> tokens = new HashMap<>();

	/** The instance of each lease, by its key and first token. */
	private final Map<String, Instance> owners = new HashMap<>();

	private final Map<Object, Asking> asking = new LinkedHashMap<>();

	/** The longest timeout of callers and holds, by their instance and key. */
	private final Map<String, Map<LockKey, Long>> longestTimeouts = new HashMap<>();

	/** The number of renewals of a hold when its last caller had gone. */
	private final Map<Object, Integer> forsaken = new HashMap<>();

	private boolean failed;

	/** The number of changes of the server's records at the last look. */
	private long changes;

	private int numbers;

	Checks(World world) {
		this.world = world;
		this.scheduler = world.scheduler;
		this.turns = new Turns(world);
		this.trial = world.lingers() ? TRIAL : 0;
	}

	void look() {
		noticeError();
		for (Instance instance : this.world.instances) {
			if (!instance.dead && instance.machine.runs()) {
				instance.noticeJump();
				List<SeenHold> seen = new ArrayList<>();
				instance.simulated.holds((hold) -> {
					seen.forEach((other) -> lookAtBoth(other, hold));
					seen.add(hold);
					look(instance, hold);
				});
				instance.simulated.waiters((waiter) -> look(instance, waiter));
				if (this.failed) {
					lookForReleases(instance);
				}
			}
		}
		if (this.changes != this.world.server.changes) {
			this.changes = this.world.server.changes;
			this.world.keys.forEach(this.world.server::checkOwners);
			this.turns.look();
		}
		lookAtTurns();
	}

	/* Check two holds of one instance. */
	private void lookAtBoth(SeenHold one, SeenHold other) {
		if (one.firstToken() == other.firstToken() && one.key().equals(other.key())
				&& !(one.kind().equals(Kind.READ) && other.kind().equals(Kind.READ))) {
			this.scheduler.violated("I1: two have one grant of " + one.key());
		}
	}

	/* The error was thrown by the step that has just ended. */
	private void noticeError() {
		if (!this.failed && ErrorPoint.wasThrown()) {
			this.failed = true;
			Machine acting = this.scheduler.acting;
			this.world.instances
				.forEach((instance) -> instance.hasFailed = acting == null || instance.machine == acting);
		}
	}

	/*
	 * If an error has ended the key, a lease whose holder may be working expires and is
	 * not released.
	 */
	private void lookForReleases(Instance instance) {
		for (Caller caller : instance.callers) {
			for (LockHandle handle : caller.handles) {
				AttemptId attempt = SimulatedEngine.failed(handle);
				if (attempt != null && instance.link.hasReleased(attempt)) {
					this.scheduler.violated(instance.machine.name + " has released " + handle.key()
							+ ", which an error has ended, before it was closed");
				}
			}
		}
	}

	private long longestTimeout(Instance instance, LockKey key, long timeout) {
		return this.longestTimeouts.computeIfAbsent(instance.machine.name, (same) -> new HashMap<>())
			.merge(key, timeout, Math::max);
	}

	private void look(Instance instance, SeenHold seen) {
		longestTimeout(instance, seen.key(), seen.timeout());
		lookForOwner(instance, seen);
		if (!seen.held()) {
			this.expired.add(seen.hold());
		}
		else if (this.expired.contains(seen.hold())) {
			this.scheduler.violated("I8: " + seen.key() + " is held again by " + instance.machine.name);
		}
		if (this.holds.add(seen.hold())) {
			lookForOtherOwner(instance, seen);
			this.turns.begun(instance, seen);
			this.world.tally.engine("hold: " + seen.kind().suffix().replaceAll("[0-9]", ""));
			long before = tokenBefore(seen);
			if (seen.token() <= before && this.world.server.isReliable(seen.key())) {
				this.scheduler.violated("I3: token " + seen.token() + " of " + seen.key() + " after " + before);
			}
		}
		// An instance that has slept notices it with its next action.
		if (seen.held() && seen.left() > this.world.unnoticedSleep(instance) && this.world.server.isReliable(seen.key())
				&& !this.world.server.isOwner(seen.key(), seen.firstToken())) {
			this.scheduler.violated("I1, I8: " + instance.machine.name + " holds " + seen.key() + " by token "
					+ seen.token() + ", and the server's owner is " + this.world.server.owner(seen.key()));
		}
		if (seen.held() && this.world.server.isReliable(seen.key())
				&& this.world.server.lastToken(seen.key()) < seen.token()) {
			this.scheduler.violated("I3: token " + seen.token() + " of " + seen.key() + " is not set aside");
		}
	}

	/* The store grants a lease again to an instance that uses the id of another one. */
	private void lookForOtherOwner(Instance instance, SeenHold seen) {
		Instance owner = this.owners.putIfAbsent(seen.key() + " " + seen.firstToken(), instance);
		if (owner != null && owner != instance) {
			this.scheduler.violated(
					"I1: " + instance.machine.name + " and " + owner.machine.name + " have one grant of " + seen.key());
		}
	}

	/* One renewal that was due when the owner went may still be sent. */
	private void lookForOwner(Instance instance, SeenHold seen) {
		if (!this.world.keys.contains(seen.key()) || instance.isOwned(seen)) {
			this.forsaken.remove(seen.hold());
			return;
		}
		int renewals = instance.link.renewals(seen.key(), seen.firstToken());
		if (renewals > this.forsaken.computeIfAbsent(seen.hold(), (hold) -> renewals) + 1) {
			this.scheduler.violated(
					instance.machine.name + " renews " + seen.key() + ", token " + seen.token() + ", which nobody has");
		}
	}

	/*
	 * The greatest token of the holds that exclude this one. A permit is excluded by an
	 * earlier hold of the same permit.
	 */
	private long tokenBefore(SeenHold seen) {
		Kind kind = seen.kind();
		String all = seen.key().toString();
		String excluding = kind.equals(Kind.READ) ? "written " + all
				: kind.isPermit() ? seen.firstToken() + " of " + all : all;
		long before = this.tokens.getOrDefault(excluding, 0L);
		this.tokens.merge(all, seen.token(), Math::max);
		if (!kind.isShared()) {
			this.tokens.merge("written " + all, seen.token(), Math::max);
		}
		if (kind.isPermit()) {
			this.tokens.merge(excluding, seen.token(), Math::max);
		}
		return before;
	}

	/* Called by the holder's thread, so time passes on its machine. */
	void look(Instance instance, LockHandle handle) {
		if (!handle.isHeld() && handle.loss().isEmpty()) {
			this.scheduler.violated("I8: what " + instance.machine.name + " has of " + handle.key()
					+ " is over, though nobody has closed or lost it");
		}
		boolean fixed = SimulatedEngine.isFixed(handle);
		if (handle.isHeld() && !fixed && this.world.server.isReliable(handle.key())
				&& !this.world.server.isOwner(handle.key(), SimulatedEngine.firstToken(handle))) {
			this.scheduler.violated("I8: " + instance.machine.name + " is told that it holds " + handle.key());
		}
	}

	private void look(Instance instance, SeenWaiter seen) {
		long timeout = longestTimeout(instance, seen.key(), seen.timeout());
		Asking asking = this.asking.computeIfAbsent(seen.waiter(), (waiter) -> new Asking(instance, seen.key(),
				this.scheduler.now, this.scheduler.stalled, instance.simulated.connecting(), this.numbers++));
		// A sleep from before the call may have been noticed since, and appears as
		// waiting time.
		long over = Math.min(-seen.left(), this.scheduler.now - asking.since - (seen.left() + seen.waited()));
		long late = Math.min(over, this.scheduler.now - Math.max(instance.running, asking.since))
				- (this.scheduler.stalled - asking.stalled) - SLACK;
		// If a jump of its clock was noticed, the watchdog wakes at its planned time.
		boolean jumped = instance.running - asking.since > 0;
		long most = seen.answered() ? (jumped ? timeout : 0) : timeout + this.trial;
		if (instance.hasFailed || instance.brokenPromise) {
			// The answer may have failed at the last moment.
			most = 2 * timeout + TRIAL + asking.connecting;
		}
		if (seen.left() < Long.MAX_VALUE && late > most) {
			this.scheduler.violated("I5: a caller of " + instance.machine.name + " waits for " + seen.key() + " "
					+ TimeUnit.NANOSECONDS.toMillis(-seen.left()) + " ms longer than it may"
					+ (seen.answered() ? "" : ", without an answer"));
		}
	}

	/* Waiting instances get their turns in the order of their arrival. */
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
	 * A waiting caller, as it was first seen.
	 *
	 * @param connecting the additional time that a failing answer may take before there
	 * was any answer
	 */
	private record Asking(Instance instance, LockKey key, long since, long stalled, long connecting, int number) {
	}

}
