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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.LockSnapshot.Status;
import io.github.watchdoglock.settings.KeyRules;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * The cohorts of the keys in use. An idle one is gone: nothing to evict, nothing to leak.
 */
final class Cohorts implements WakeUps.Hints {

	/* Shared by many keys, since a step is short and a lock for each would be heavy. */
	private static final int GUARDS = 256;

	/* After a failover. A renewal takes Redis five microseconds. */
	private static final int LOOKED_AT_TOGETHER = 1_000;

	/* After an outage: as fast as 10,000 who wait poll. */
	private static final int ASKED_TOGETHER = 100;

	final Core core;

	private final WakeUps wakeUps;

	private final Steps.Guard[] guards = new Steps.Guard[GUARDS];

	private final ConcurrentMap<LockKey, Cohort> cohorts = new ConcurrentHashMap<>();

	Cohorts(Core core, WakeUps wakeUps) {
		this.core = core;
		this.wakeUps = wakeUps;
		Arrays.setAll(this.guards, (i) -> new Steps.Guard());
	}

	Steps.Guard guardOf(LockKey key) {
		int hash = key.hashCode();
		return this.guards[(hash ^ (hash >>> 16)) & (GUARDS - 1)];
	}

	/* Let a caller into the cohort of its key. */
	void join(Waiter waiter) {
		LockKey key = KeyRules.bounded(waiter.key);
		boolean joined = false;
		while (!joined) {
			// The cohort found may retire at this moment; then there is a new one.
			Cohort cohort = find(key);
			try {
				joined = cohort.join(waiter);
			}
			catch (Throwable ex) {
				// It may be there for nothing.
				cohort.attend(false);
				throw ex;
			}
		}
	}

	/*
	 * Looked for first, since computing takes a lock even where nothing is to be
	 * computed.
	 */
	private Cohort find(LockKey key) {
		Cohort cohort = this.cohorts.get(key);
		return (cohort != null) ? cohort : this.cohorts.computeIfAbsent(key, (bounded) -> new Cohort(bounded, this));
	}

	void remove(Cohort cohort) {
		this.cohorts.remove(cohort.key, cohort);
	}

	int size() {
		return this.cohorts.size();
	}

	@Override
	public void granted(LockKey key, AttemptId attempt) {
		Cohort cohort = find(this.core.keys().shown(key));
		try {
			cohort.change(() -> Messages.granted(cohort, attempt));
		}
		catch (Throwable ex) {
			// It may be there for nothing.
			cohort.attend(false);
			throw ex;
		}
	}

	@Override
	public void contended(LockKey key, AttemptId attempt, AttemptId by) {
		Cohort cohort = this.cohorts.get(key);
		if (cohort != null) {
			cohort.change(() -> {
				if (Messages.contended(cohort, attempt)) {
					cohort.afterwards(() -> this.wakeUps.inUse(cohort.key, by));
				}
			});
		}
	}

	@Override
	public void inUse(LockKey key, AttemptId attempt) {
		Cohort cohort = this.cohorts.get(key);
		if (cohort != null) {
			cohort.change(() -> Messages.inUse(cohort, attempt));
		}
	}

	@Override
	public void forced(LockKey key, AttemptId attempt) {
		Cohort cohort = this.cohorts.get(key);
		if (cohort != null) {
			cohort.change(() -> Messages.forced(cohort, attempt));
		}
	}

	/* The store has answered that a key was taken from an attempt. */
	void taken(LockKey key, AttemptId attempt) {
		Cohort cohort = this.cohorts.get(key);
		if (cohort != null) {
			cohort.change(() -> Messages.taken(cohort, attempt));
		}
	}

	@Override
	public void asked(LockKey key, AttemptId attempt) {
		Cohort cohort = this.cohorts.get(key);
		if (cohort != null) {
			cohort.change(() -> Messages.asked(cohort, attempt));
		}
	}

	/*
	 * All that there is of a lock may be gone, so each is looked at, the most urgent
	 * first; and what was released there a moment ago may be held here. So many in a turn
	 * as take half of the time of Redis until the next.
	 */
	@Override
	public void moved() {
		try {
			List<Held> held = new ArrayList<>();
			long now = this.core.now();
			var unused = tryForEach((cohort) -> {
				List<Held> found = new ArrayList<>();
				cohort.forEachGrant((grant) -> found.add(new Held(grant, grant.left(now))));
				held.addAll(found);
			});
			// As it was found: renewals answered meanwhile would change the order.
			held.sort(Comparator.comparingLong(Held::left));
			for (int i = 0; i < held.size(); i++) {
				Grant grant = held.get(i).grant();
				long by = now + i / LOOKED_AT_TOGETHER * TimerWheel.TICK;
				// What keeps failing is asked for when it is renewed.
				unused = tryTwice(grant.cohort, grant.subject(), () -> grant.lookBy(by));
			}
		}
		finally {
			moveReleases();
		}
	}

	/*
	 * The pauses after failures are for a store that may still be away: who waits for a
	 * key whose owner is gone waits no longer for that.
	 */
	@Override
	public void reachable() {
		List<Attempt> pausing = new ArrayList<>();
		var unused = tryForEach((cohort) -> {
			if (cohort.state() instanceof Attempt attempt && attempt.pauses()) {
				pausing.add(attempt);
			}
		});
		long now = this.core.now();
		for (int i = 0; i < pausing.size(); i++) {
			Attempt attempt = pausing.get(i);
			long by = now + i / ASKED_TOGETHER * TimerWheel.TICK;
			// What keeps failing asks when its pause is over.
			unused = tryTwice(attempt.cohort, null, () -> attempt.endPause(by));
		}
	}

	private void moveReleases() {
		try {
			this.core.repeats().moved();
		}
		catch (Throwable ex) {
			this.core.repeats().moved();
		}
	}

	/* Send away who waits, and give back what nobody holds. */
	void dismiss() {
		forEach((cohort) -> {
			cohort.waiters()
				.forEach((waiter) -> cohort.waiters().fail(waiter, new LockServiceClosedException(waiter.key)));
			cohort.endIfUnwanted();
			if (cohort.state() instanceof IdleGrant idle) {
				idle.giveBack();
			}
		});
	}

	/* Declare lost what is still held; only a dead thread's key is released. */
	void abandon() {
		forEach((cohort) -> {
			forEachHold(cohort, (hold) -> {
				cohort.keep(hold);
				if (hold.isOpen()) {
					hold.lose(hold.isAbandoned() ? LockLoss.Reason.ABANDONED : LockLoss.Reason.SHUTDOWN);
				}
			});
		});
	}

	/* Its work continues: the key is left to its lease. */
	void lose(LockKey key, long token, LockLoss.Reason reason) {
		Cohort cohort = this.cohorts.get(KeyRules.bounded(key));
		if (cohort != null) {
			cohort.change(() -> {
				forEachHold(cohort, (hold) -> {
					if (hold.isOpen() && hold.token == token) {
						cohort.keep(hold);
						hold.lose(reason);
					}
				});
			});
		}
	}

	/* Visit those of a cohort that are open. */
	static void forEachHold(Cohort cohort, Consumer<Hold> visitor) {
		cohort.forEachUser((user) -> {
			if (user instanceof Hold hold) {
				visitor.accept(hold);
			}
		});
	}

	/* Throws when all have had their turn, if one has failed. */
	private void forEach(Consumer<Cohort> step) {
		Throwable failure = tryForEach(step);
		if (failure != null) {
			throw new IllegalStateException("Not all locks could be looked at", failure);
		}
	}

	/* An error at one keeps none of the others from its turn. */
	private @Nullable Throwable tryForEach(Consumer<Cohort> step) {
		Throwable failure = null;
		for (Cohort cohort : this.cohorts.values()) {
			Throwable ex = tryTwice(cohort, null, () -> step.accept(cohort));
			failure = (ex != null) ? ex : failure;
		}
		return failure;
	}

	private static @Nullable Throwable tryTwice(Cohort cohort, Steps.@Nullable Revertible subject, Runnable step) {
		Throwable failure = null;
		for (int i = 0; i < 2; i++) {
			try {
				cohort.change(subject, step);
				return null;
			}
			catch (Throwable ex) {
				failure = ex;
			}
		}
		return failure;
	}

	/*
	 * Of locks, and not of roles. Under the locks of steps, which others share, is only
	 * noted what there is.
	 */
	List<LockSnapshot> list() {
		List<LockSnapshot> snapshots = new ArrayList<>();
		for (Cohort cohort : this.cohorts.values()) {
			if (cohort.key.isRole()) {
				continue;
			}
			List<Waiter> waiters = new ArrayList<>();
			List<Seen> seen = new ArrayList<>();
			long now = this.core.now();
			cohort.change(() -> {
				forEachHold(cohort, (hold) -> seen.add(new Seen(hold, hold.thread(), hold.remaining(now),
						hold.grant.renewals(), hold.grant.atRisk())));
				if (cohort.isAwaited()) {
					cohort.waiters().forEach(waiters::add);
				}
			});
			seen.forEach((hold) -> snapshots.add(snapshot(hold, now, waiters.size())));
			waiters.forEach((waiter) -> snapshots.add(snapshot(waiter, now, waiters.size())));
		}
		return snapshots;
	}

	/* The thread of a hold; null where that has ended, or belongs to none. */
	@Nullable Thread holder(LockSnapshot held) {
		Cohort cohort = this.cohorts.get(KeyRules.bounded(held.key()));
		Thread[] holder = new Thread[1];
		if (cohort != null) {
			cohort.change(() -> forEachHold(cohort, (hold) -> {
				Thread thread = hold.thread();
				if (hold.token == held.fencingToken() && thread != null && holder[0] == null
						&& (hold.mode() != Mode.READ || thread.getName().equals(held.thread()))) {
					holder[0] = thread;
				}
			}));
		}
		return holder[0];
	}

	private LockSnapshot snapshot(Seen seen, long now, int waiting) {
		Hold hold = seen.hold;
		// Guard against its having begun since the clock was read.
		long age = Math.max(now - hold.acquired, 0);
		return LockSnapshot.of(hold.key, Status.HELD, hold.grant.terms.lease())
			.withThread(name(seen.thread))
			.withSince(this.core.wallTime(age), Duration.ofNanos(age))
			.withHold(hold.token, seen.remaining)
			.withRenewals(seen.renewals, seen.atRisk)
			.withMode(hold.mode())
			.withWaiting(waiting)
			.withFenced(hold.admission() != null);
	}

	private LockSnapshot snapshot(Waiter waiter, long now, int waiting) {
		long age = Math.max(now - waiter.start, 0);
		return LockSnapshot.of(waiter.key, Status.WAITING, waiter.terms.lease())
			.withThread(name(waiter.thread))
			.withMode(waiter.mode())
			.withSince(this.core.wallTime(age), Duration.ofNanos(age))
			.withWaiting(waiting);
	}

	private static @Nullable String name(@Nullable Thread thread) {
		return (thread != null) ? thread.getName() : null;
	}

	/**
	 * A hold as it was a moment ago.
	 */
	private record Seen(Hold hold, @Nullable Thread thread, Duration remaining, int renewals, boolean atRisk) {
	}

	/**
	 * What is to be looked at.
	 *
	 * @param grant a grant that somebody has
	 * @param left how long it lasted when it was found
	 */
	private record Held(Grant grant, long left) {

	}

}
