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

package io.github.watchdoglock.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseSurvey;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A store inside this JVM, for tests and for applications with a single instance.
 * Thread-safe. Its stages are completed when a command returns, and hints are delivered
 * on the thread of the command that caused them.
 */
public final class InMemoryLeaseStore implements LeaseStore, LeaseInspector, LeaseSurvey, WakeUps {

	/*
	 * The number of keys checked per command: more than one, so that keys are removed
	 * faster than they are added.
	 */
	private static final int SWEPT_PER_COMMAND = 2;

	final Ticker ticker;

	private final InstantSource wallClock;

	final Map<LockKey, InMemoryKey> keys = new ConcurrentHashMap<>();

	private final Map<String, Hints> subscribers = new ConcurrentHashMap<>();

	private final ReentrantLock sweeping = new ReentrantLock();

	/* Guarded by sweeping. */
	private Iterator<Map.Entry<LockKey, InMemoryKey>> sweep = this.keys.entrySet().iterator();

	/**
	 * Create an empty store.
	 * @param ticker the clock by which leases expire
	 * @param wallClock the start of fencing tokens
	 */
	public InMemoryLeaseStore(Ticker ticker, InstantSource wallClock) {
		this.ticker = ticker;
		this.wallClock = wallClock;
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return run(command.key(), (transaction) -> transaction.acquire(command));
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return commands.stream().map(this::renew).toList();
	}

	private CompletionStage<RenewAnswer> renew(RenewCommand command) {
		return run(command.key(), (transaction) -> transaction.renew(command));
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		return run(command.key(), (transaction) -> transaction.release(command));
	}

	@Override
	public CompletionStage<List<LockState>> find(LockKey key, Duration timeout) {
		return run(key, InMemoryTransaction::find);
	}

	@Override
	public Answer look(@Nullable String cursor, int limit) {
		return new InMemorySurvey(this, false).look(cursor, limit);
	}

	/**
	 * Return a survey of the roles that have a leader.
	 * @return a survey of this store
	 */
	public LeaseSurvey roles() {
		return new InMemorySurvey(this, true);
	}

	@Override
	public CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout) {
		return run(key, (transaction) -> transaction.force(token));
	}

	@Override
	public CompletionStage<List<LockState>> request(LockKey key, long token, Duration timeout) {
		return run(key, (transaction) -> transaction.request(token));
	}

	@Override
	public void subscribe(String instance, Hints hints) {
		this.subscribers.put(instance, hints);
	}

	@Override
	public void unsubscribe(String instance) {
		this.subscribers.remove(instance);
	}

	@Override
	public void inUse(LockKey key, AttemptId attempt) {
		Hints hints = this.subscribers.get(attempt.instance());
		if (hints != null) {
			hints.inUse(key, attempt);
		}
	}

	InMemoryKey at(LockKey key) {
		return this.keys.computeIfAbsent(key, (same) -> new InMemoryKey());
	}

	/*
	 * The clocks are read under the key's lock, so that the commands of a key see
	 * increasing times. Each key has its own lock: if commands ran within a method of the
	 * map, which locks its bins, commands of different keys would wait for each other,
	 * and a virtual thread may wait very long until it continues.
	 */
	private <T> CompletableFuture<T> run(LockKey key, Function<InMemoryTransaction, T> command) {
		while (true) {
			InMemoryKey known = this.keys.get(key);
			InMemoryKey state = (known != null) ? known : at(key);
			InMemoryTransaction transaction;
			T answer;
			state.lock.lock();
			try {
				if (state.removed) {
					continue;
				}
				transaction = new InMemoryTransaction(key, state, this.ticker.read(),
						ChronoUnit.MICROS.between(Instant.EPOCH, this.wallClock.instant()), this.subscribers);
				answer = command.apply(transaction);
			}
			catch (CommandRefusedException ex) {
				return CompletableFuture.failedFuture(ex);
			}
			finally {
				removeIfForgotten(key, state);
				state.lock.unlock();
			}
			sweep();
			transaction.deliver();
			return CompletableFuture.completedFuture(answer);
		}
	}

	/* Called by the thread that holds the key's lock. */
	private void removeIfForgotten(LockKey key, InMemoryKey state) {
		if (state.removeExpired(this.ticker.read())) {
			state.removed = true;
			this.keys.remove(key, state);
		}
	}

	private void sweep() {
		if (!this.sweeping.tryLock()) {
			return;
		}
		try {
			for (int i = 0; i < SWEPT_PER_COMMAND; i++) {
				if (!this.sweep.hasNext()) {
					this.sweep = this.keys.entrySet().iterator();
					return;
				}
				Map.Entry<LockKey, InMemoryKey> next = this.sweep.next();
				if (next.getValue().lock.tryLock()) {
					try {
						removeIfForgotten(next.getKey(), next.getValue());
					}
					finally {
						next.getValue().lock.unlock();
					}
				}
			}
		}
		finally {
			this.sweeping.unlock();
		}
	}

}
