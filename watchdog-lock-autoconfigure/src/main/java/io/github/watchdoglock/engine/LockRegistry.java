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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.LockSnapshot.Status;
import io.github.watchdoglock.settings.KeyRules;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * The keys in use, through which messages of the store reach their key. A key that is not
 * used any more leaves, so no eviction is necessary. Thread-safe.
 */
final class LockRegistry implements WakeUps.Hints {

	/*
	 * The number of leases checked together after a reconnect. A renewal takes Redis five
	 * microseconds.
	 */
	private static final int CHECKS_PER_TICK = 1_000;

	/*
	 * The number of keys requested together after an outage, or when messages arrive
	 * again: as fast as 10,000 waiting callers poll.
	 */
	private static final int REQUESTS_PER_TICK = 100;

	final Core core;

	private final LeaseInspector inspector;

	private final WakeUps wakeUps;

	private final ConcurrentMap<LockKey, LocalLock> locks = new ConcurrentHashMap<>();

	/** Keys in which something has failed, the last one first. */
	private final AtomicReference<@Nullable LocalLock> stalled = new AtomicReference<>();

	LockRegistry(Core core, LeaseInspector inspector, WakeUps wakeUps) {
		this.core = core;
		this.inspector = inspector;
		this.wakeUps = wakeUps;
	}

	/* Let a caller join its key. */
	void join(Waiter waiter) {
		LocalLock lock = find(KeyRules.bounded(waiter.key));
		try {
			waiter.join(lock);
		}
		catch (Throwable ex) {
			// The key may be new; it retires if it is not used.
			lock.mailbox.requestCheck();
			throw ex;
		}
	}

	/*
	 * The key is looked up first, because computeIfAbsent takes a lock even if the key
	 * exists.
	 */
	private LocalLock find(LockKey key) {
		LocalLock lock = this.locks.get(key);
		if (lock != null) {
			return lock;
		}
		this.core.startIfUnstarted();
		return this.locks.computeIfAbsent(key, (bounded) -> new LocalLock(bounded, this));
	}

	void remove(LocalLock lock) {
		this.locks.remove(lock.key, lock);
	}

	int size() {
		return this.locks.size();
	}

	/*
	 * Let the watchdog continue a key, which may have retired, and is in the list at most
	 * once. Allocates nothing.
	 */
	void callWatchdog(LocalLock lock) {
		LocalLock before;
		do {
			before = this.stalled.get();
			lock.nextStalled = before;
		}
		while (!this.stalled.compareAndSet(before, lock));
		this.core.watchdog.call();
	}

	/* Called by the watchdog: continue the keys in which something has failed. */
	void resumeStalled() {
		LocalLock lock = this.stalled.getAndSet(null);
		while (lock != null) {
			LocalLock next = lock.nextStalled;
			lock.nextStalled = null;
			try {
				lock.mailbox.resume();
			}
			catch (Throwable ex) {
				// The other keys continue.
				callWatchdog(lock);
			}
			lock = next;
		}
	}

	@Override
	public void granted(LockKey key, AttemptId attempt) {
		with(key, (lock) -> lock.hintGranted(attempt));
	}

	@Override
	public void contended(LockKey key, AttemptId attempt, AttemptId by) {
		with(key, (lock) -> {
			if (lock.hintContended(attempt)) {
				this.wakeUps.inUse(lock.key, by);
			}
		});
	}

	@Override
	public void inUse(LockKey key, AttemptId attempt) {
		with(key, (lock) -> lock.hintInUse(attempt));
	}

	@Override
	public void forced(LockKey key, AttemptId attempt) {
		with(key, (lock) -> lock.hintForced(attempt));
	}

	/* The store has answered that a key was taken from an attempt by force. */
	void forceReleased(LockKey key, AttemptId attempt) {
		LocalLock lock = this.locks.get(key);
		if (lock != null) {
			lock.runAndWait(() -> lock.forceReleased(attempt));
		}
	}

	/* Only the instance knows to which hold its lease belongs now. */
	@Override
	public void forceRequested(LockKey key, AttemptId attempt, long token) {
		with(key, (lock) -> force(lock, token));
	}

	/* Take a key from a hold of this instance; null if it has no such hold. */
	@Nullable CompletionStage<ForceAnswer> force(LockKey key, long token) {
		return look(key, (lock) -> force(lock, token));
	}

	/*
	 * A task of the key. The store knows a lease by its first token, so from now on this
	 * lease is not handed on to another hold.
	 */
	private @Nullable CompletionStage<ForceAnswer> force(LocalLock lock, long token) {
		for (GrantedLease lease : lock.leases()) {
			if (lease.isHeldWith(token)) {
				lease.budget().forced(this.core.now());
				return this.inspector.force(lock.key, lease.firstToken, this.core.defaults.timeout());
			}
		}
		return null;
	}

	/* Whether this instance has a lease that begins with a token. */
	boolean hasLease(LockKey key, long first) {
		return Boolean.TRUE
			.equals(look(key, (lock) -> lock.leases().stream().anyMatch((lease) -> lease.firstToken == first)));
	}

	/* Run a task of a key and return its result; null if the key is not in use. */
	private <T> @Nullable T look(LockKey key, Function<LocalLock, @Nullable T> task) {
		LocalLock lock = this.locks.get(key);
		AtomicReference<@Nullable T> found = new AtomicReference<>();
		if (lock != null) {
			lock.runAndWait(() -> found.set(task.apply(lock)));
		}
		return found.get();
	}

	@Override
	public void resignRequested(LockKey key, AttemptId attempt) {
		with(key, (lock) -> lock.hintResignRequested(attempt));
	}

	/* Run a task of a key, if the key is in use. */
	private void with(LockKey key, Consumer<LocalLock> task) {
		LocalLock lock = this.locks.get(key);
		if (lock != null) {
			lock.runBriefly(() -> task.accept(lock));
		}
	}

	@Override
	public void disconnected() {
		this.core.ids.disconnected();
		this.core.contact.disconnected();
	}

	/*
	 * The store may have been restarted without its last changes, or another server may
	 * have replaced it. So each lease that was not confirmed since then is checked, the
	 * most urgent first, and recent releases are repeated, because their keys may be held
	 * again. Each turn checks as many leases as occupy Redis for half of the time until
	 * the next turn.
	 */
	@Override
	public void connected() {
		this.core.ids.connected();
		this.core.contact.connected();
		endPauses();
		long now = this.core.now();
		// The times are read once, because renewals that are answered meanwhile would
		// change the order.
		List<Map.Entry<GrantedLease, Long>> urgent = this.locks.values()
			.stream()
			.flatMap((lock) -> lock.leases().stream())
			.filter(GrantedLease::isDoubtful)
			.map((lease) -> Map.entry(lease, lease.left(now)))
			.sorted(Map.Entry.comparingByValue())
			.toList();
		for (int i = 0; i < urgent.size(); i++) {
			GrantedLease lease = urgent.get(i).getKey();
			long by = now + i / CHECKS_PER_TICK * TimerWheel.TICK;
			lease.lock.run(() -> lease.askBy(by));
		}
		this.core.repeats.repeatRecent();
	}

	/*
	 * The pauses after failures are meant for a store that may still be unreachable. They
	 * end now, so that a caller that waits for a key whose holder is gone does not wait
	 * for them.
	 */
	private void endPauses() {
		request(LocalLock::isPausing, LocalLock::endPause);
	}

	/*
	 * A message that it is an attempt's turn may have been lost. So all attempts ask now,
	 * and none waits beside a free key for its next poll.
	 */
	@Override
	public void subscribed() {
		request(LocalLock::isAsking, LocalLock::askBy);
	}

	/* Let keys make their next request at times that spread those expected to do so. */
	private void request(Predicate<LocalLock> expected, ObjLongConsumer<LocalLock> request) {
		long now = this.core.now();
		int requests = 0;
		for (LocalLock lock : this.locks.values()) {
			long by = now + requests / REQUESTS_PER_TICK * TimerWheel.TICK;
			requests += expected.test(lock) ? 1 : 0;
			lock.run(() -> request.accept(lock, by));
		}
	}

	/*
	 * The process may be one of several copies: they lose all that they have in common.
	 */
	void restored() {
		this.wakeUps.unsubscribe(this.core.ids.instance());
		this.core.ids.renew();
		this.wakeUps.subscribe(this.core.ids.instance(), this);
		this.locks.values().forEach((lock) -> lock.run(lock::restored));
	}

	/* Fail waiting callers, and release idle leases. */
	void stop() {
		this.locks.values().forEach((lock) -> lock.run(lock::stop));
	}

	/* Declare all open holds lost; only the key of a dead thread is released. */
	void abandon() {
		this.locks.values().forEach((lock) -> lock.run(() -> lock.forEachHold((hold) -> {
			if (hold.isOpen() && !hold.endIfAbandoned()) {
				hold.lease.lose(hold, LockLoss.Reason.SHUTDOWN, null);
			}
		})));
	}

	/* The work continues, so the key stays locked until its lease expires. */
	void lose(LockKey key, long token, LockLoss.Reason reason) {
		LocalLock lock = this.locks.get(KeyRules.bounded(key));
		if (lock != null) {
			lock.runAndWait(() -> lock.forEachHold((hold) -> {
				if (hold.isOpen() && hold.token == token) {
					hold.lease.lose(hold, reason, null);
				}
			}));
		}
	}

	/* List locks, but not roles. */
	List<LockSnapshot> list() {
		List<LockSnapshot> snapshots = new ArrayList<>();
		// The same time for all, because their ages are compared.
		long now = this.core.now();
		for (LocalLock lock : this.locks.values()) {
			if (!lock.key.isRole()) {
				List<LockSnapshot> found = new ArrayList<>();
				lock.runAndWait(() -> list(lock, now, found));
				snapshots.addAll(found);
			}
		}
		return snapshots;
	}

	private void list(LocalLock lock, long now, List<LockSnapshot> snapshots) {
		lock.forEachHold((hold) -> snapshots.add(snapshot(hold, now, lock.waiters().size())));
		lock.waiters().forEach((waiter) -> snapshots.add(snapshot(waiter, now, lock.waiters().size())));
	}

	/* Return the thread of a hold; null if the hold has ended, or belongs to none. */
	@Nullable Thread holder(LockSnapshot held) {
		return look(KeyRules.bounded(held.key()), (lock) -> lock.leases()
			.stream()
			.flatMap((lease) -> lease.holds().stream())
			.filter((hold) -> hold.token == held.fencingToken())
			.map(Hold::thread)
			.filter((thread) -> thread != null && (held.mode() != Mode.READ || thread.getName().equals(held.thread())))
			.findFirst()
			.orElse(null));
	}

	private LockSnapshot snapshot(Hold hold, long now, int waiting) {
		long age = Math.max(now - hold.acquired, 0);
		GrantedLease lease = hold.lease;
		return new Snapshot(hold.key, Status.HELD, name(hold.thread()), this.core.wallTime(age), Duration.ofNanos(age),
				hold.token, hold.remaining(this.core.now()), lease.timing().lease(), lease.renewals(), lease.atRisk(),
				waiting, hold.mode(), hold.admission() != null);
	}

	private LockSnapshot snapshot(Waiter waiter, long now, int waiting) {
		long age = Math.max(now - waiter.start, 0);
		return new Snapshot(waiter.key, Status.WAITING, name(waiter.thread), this.core.wallTime(age),
				Duration.ofNanos(age), 0, Duration.ZERO, waiter.timing.lease(), 0, false, waiting, waiter.mode, false);
	}

	private static @Nullable String name(@Nullable Thread thread) {
		return (thread != null) ? thread.getName() : null;
	}

	/**
	 * The values of a snapshot.
	 *
	 * @param key see the accessor; the same applies to the other components
	 */
	record Snapshot(LockKey key, Status status, @Nullable String thread, Instant since, Duration elapsed,
			long fencingToken, Duration remaining, Lease lease, long renewals, boolean atRisk, int waiting, Mode mode,
			boolean fenced) implements LockSnapshot {

	}

}
