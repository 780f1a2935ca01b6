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
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.TimerWheel;

/**
 * The messages of the store to this instance, and the changes of the connection. Messages
 * are hints: only an answer of the store is a fact. A message for an attempt that its key
 * does not know changes nothing. Thread-safe.
 */
final class StoreMessages implements WakeUps.Hints {

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

	private final EngineContext context;

	private final LocalKeys keys;

	private final Operators operators;

	private final WakeUps wakeUps;

	StoreMessages(EngineContext context, LocalKeys keys, Operators operators, WakeUps wakeUps) {
		this.context = context;
		this.keys = keys;
		this.operators = operators;
		this.wakeUps = wakeUps;
	}

	void subscribe() {
		this.wakeUps.subscribe(this.context.ids.instance(), this);
	}

	void unsubscribe() {
		this.wakeUps.unsubscribe(this.context.ids.instance());
	}

	/*
	 * The key may be reserved for an attempt of this instance. If the attempt is unknown,
	 * it is not released: it may have become a lease whose state an error has ended here,
	 * and whose holder is still working. Other unknown attempts have only a reservation,
	 * which soon ends.
	 */
	@Override
	public void granted(LockKey key, AttemptId id) {
		this.keys.with(key, (lock) -> {
			Attempt attempt = lock.attempt(id);
			if (attempt != null) {
				attempt.hint();
			}
		});
	}

	/*
	 * Other attempts wait for the key that an attempt of this instance has. If they may
	 * be waiting for an idle key although it is in use, they get a message.
	 */
	@Override
	public void contended(LockKey key, AttemptId id, AttemptId by) {
		this.keys.with(key, (lock) -> {
			Attempt attempt = lock.attempt(id);
			if (attempt != null) {
				attempt.contended = true;
			}
			GrantedLease lease = lock.leaseOf(id);
			if (lease != null) {
				lease.budgetForChange().contended(this.context.now());
				IdleLease.release(lease);
				if (lease.isInUse() && lease.lingering) {
					this.wakeUps.inUse(lock.key, by);
				}
			}
		});
	}

	/* The holder of the key does not keep it idle. */
	@Override
	public void inUse(LockKey key, AttemptId id) {
		this.keys.with(key, (lock) -> {
			Attempt attempt = lock.attempt(id);
			if (attempt != null) {
				attempt.inUse();
			}
		});
	}

	/*
	 * The key may have been taken from an attempt of this instance by force: ask the
	 * store.
	 */
	@Override
	public void forced(LockKey key, AttemptId id) {
		this.keys.with(key, (lock) -> {
			GrantedLease lease = Operators.noteForced(lock, id);
			if (lease != null && lease.isInUse()) {
				LeaseRenewal.ask(lease);
			}
		});
	}

	/* Only the instance knows to which hold its lease belongs now. */
	@Override
	public void forceRequested(LockKey key, AttemptId id, long token) {
		this.keys.with(key, (lock) -> this.operators.force(lock, token));
	}

	/*
	 * Another instance requests the holder to release the key, which is one hold, of the
	 * present holder. Leaders do; for other holds, idle leases and attempts nothing
	 * follows.
	 */
	@Override
	public void resignRequested(LockKey key, AttemptId id) {
		this.keys.with(key, (lock) -> {
			GrantedLease lease = lock.leaseOf(id);
			if (lease != null && !lease.kind().isShared() && !lease.holds().isEmpty()) {
				Hold hold = lease.holds().get(0);
				this.context.events.resignRequested(hold.key, hold.token);
			}
		});
	}

	@Override
	public void disconnected() {
		this.context.ids.disconnected();
		this.context.contact.disconnected();
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
		this.context.ids.connected();
		this.context.contact.connected();
		endPauses();
		long now = this.context.now();
		// The times are read once, because renewals that are answered meanwhile would
		// change the order.
		List<Map.Entry<GrantedLease, Long>> urgent = this.keys.all()
			.stream()
			.flatMap((lock) -> lock.leases().stream())
			.filter(GrantedLease::isDoubtful)
			.map((lease) -> Map.entry(lease, lease.left(now)))
			.sorted(Map.Entry.comparingByValue())
			.toList();
		for (int i = 0; i < urgent.size(); i++) {
			GrantedLease lease = urgent.get(i).getKey();
			long by = now + i / CHECKS_PER_TICK * TimerWheel.TICK;
			lease.lock.tasks().run(() -> lease.askBy(by));
		}
		this.context.repeats.repeatRecent();
	}

	/*
	 * The pauses after failures are meant for a store that may still be unreachable. They
	 * end now, so that a caller that waits for a key whose holder is gone does not wait
	 * for them.
	 */
	private void endPauses() {
		request(Attempt::pauses, Attempt::endPause);
	}

	/*
	 * A message that it is an attempt's turn may have been lost. So all attempts ask now,
	 * and none waits beside a free key for its next poll.
	 */
	@Override
	public void subscribed() {
		request((attempt) -> true, Attempt::askBy);
	}

	/* Let keys make their next request at times that spread those expected to do so. */
	private void request(Predicate<Attempt> expected, ObjLongConsumer<Attempt> request) {
		long now = this.context.now();
		int requests = 0;
		for (LocalLock lock : this.keys.all()) {
			long by = now + requests / REQUESTS_PER_TICK * TimerWheel.TICK;
			// An estimate, because this is no task of the key.
			Attempt seen = lock.attempt();
			requests += (seen != null && expected.test(seen)) ? 1 : 0;
			lock.run(() -> {
				Attempt attempt = lock.attempt();
				if (attempt != null) {
					request.accept(attempt, by);
				}
			});
		}
	}

	/*
	 * The process may be one of several copies: they lose all that they have in common.
	 * If a decision about a lease is pending, its next command ends the lease.
	 */
	void restored() {
		unsubscribe();
		this.context.ids.renew();
		subscribe();
		this.keys.all().forEach((lock) -> lock.run(() -> {
			for (GrantedLease lease : lock.leases()) {
				IdleLease.drop(lease);
				lease.loseAll(LockLoss.Reason.RESTORED);
			}
			lock.restored();
		}));
	}

}
