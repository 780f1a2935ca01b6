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

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.WakeUps.Hints;

/**
 * The only server, which keeps the records of the protocol. It executes a command
 * atomically.
 */
final class Server {

	final Machine machine;

	final InMemoryLeaseStore store;

	/** The subscribers of the channel of each instance: copies use the same channel. */
	private final Map<String, Channel> channels = new HashMap<>();

	/** Whether it has ever lost a record. */
	private boolean forgetful;

	/** Whether its wall clock was set back. */
	private boolean late;

	private final Map<LockKey, Long> unreliable = new HashMap<>();

	/** The owner of each lease, by its key and first token. */
	private final Map<String, AttemptId> owners = new HashMap<>();

	/** When each lease was last granted or renewed, by its key and first token. */
	private final Map<String, Long> confirmed = new HashMap<>();

	/** The last look at each key; reading all keys after each step is slow. */
	private final Map<LockKey, Look> looks = new HashMap<>();

	/** The number of commands and faults that may have changed records. */
	long changes;

	Server(Machine machine) {
		this.machine = machine;
		this.store = new InMemoryLeaseStore(machine, machine);
	}

	AcquireAnswer acquire(AcquireCommand command) {
		this.changes++;
		AcquireAnswer answer = this.store.acquire(command).toCompletableFuture().join();
		if (answer instanceof AcquireAnswer.Granted granted) {
			this.owners.put(command.key() + " " + granted.block().first(), command.attempt());
			this.confirmed.put(command.key() + " " + granted.block().first(), this.machine.scheduler.now);
		}
		return answer;
	}

	RenewAnswer renew(RenewCommand command) {
		RenewAnswer answer = ask(command.key(), command.attempt(), command.firstToken(),
				() -> this.store.renew(List.of(command)).get(0).toCompletableFuture().join());
		if (answer instanceof RenewAnswer.Renewed) {
			this.confirmed.put(command.key() + " " + command.firstToken(), this.machine.scheduler.now);
		}
		return answer;
	}

	/* When a lease was last granted or renewed. */
	long confirmed(LockKey key, long firstToken) {
		return this.confirmed.getOrDefault(key + " " + firstToken, Long.MIN_VALUE);
	}

	ReleaseAnswer release(ReleaseCommand command) {
		return ask(command.key(), command.attempt(), 0, () -> this.store.release(command).toCompletableFuture().join());
	}

	/* Run a command and check that it does not change leases of other attempts. */
	private <A> A ask(LockKey key, AttemptId attempt, long firstToken, Supplier<A> command) {
		List<LockState> before = find(key);
		A answer = command.get();
		this.changes++;
		List<LockState> after = find(key);
		for (LockState had : before) {
			AttemptId owner = owner(had);
			boolean own = attempt.equals(owner) && (firstToken == 0 || firstToken == had.token());
			if (!own && after.stream()
				.noneMatch((has) -> has.token() == had.token() && has.remaining().equals(had.remaining()))) {
				this.machine.scheduler.violated("I2: " + attempt + " has changed what " + owner + " has of " + key);
			}
		}
		return answer;
	}

	void subscribe(String instance, Hints subscriber) {
		Channel channel = this.channels.computeIfAbsent(instance, (same) -> new Channel());
		channel.subscribers.add(subscriber);
		this.store.subscribe(instance, channel);
	}

	void unsubscribe(String instance, Hints subscriber) {
		Channel channel = this.channels.get(instance);
		if (channel != null && channel.subscribers.remove(subscriber) && channel.subscribers.isEmpty()) {
			this.store.unsubscribe(instance);
		}
	}

	ForceAnswer force(LockKey key, long token, Duration timeout) {
		this.changes++;
		return this.store.force(key, token, timeout).toCompletableFuture().join();
	}

	/* Not together with lost records: then tokens could not grow. */
	boolean setBack(long nanos) {
		if (!this.forgetful) {
			this.machine.setBack(nanos);
			this.changes++;
			this.late = true;
		}
		return this.late;
	}

	/*
	 * The holder may believe for a while that it still has the key. Tokens begin with the
	 * time in microseconds, so they cannot grow if a record is lost at the moment of its
	 * grant.
	 */
	void forget(LockKey key, long believed) {
		if (this.late || lastToken(key) >= ChronoUnit.MICROS.between(Instant.EPOCH, this.machine.instant())) {
			return;
		}
		this.forgetful = true;
		this.changes++;
		StoreFaults.forget(this.store, key);
		doubt(key, believed);
	}

	/*
	 * From now on another instance may have the key, while the previous holder does not
	 * know.
	 */
	void doubt(LockKey key, long believed) {
		this.unreliable.merge(key, this.machine.scheduler.now + believed, Math::max);
	}

	boolean isReliable(LockKey key) {
		Long until = this.unreliable.get(key);
		return until == null || until - this.machine.scheduler.now <= 0;
	}

	/* Visit the waiting instances, in their order. */
	void places(LockKey key, Consumer<AttemptId> visitor) {
		StoreFaults.places(this.store, key, visitor);
	}

	boolean isAwaited(LockKey key) {
		return StoreFaults.isAwaited(this.store, key, this.machine.read());
	}

	long lastToken(LockKey key) {
		return StoreFaults.lastToken(this.store, key);
	}

	/* The token of a holder of the key; zero if there is none. */
	long owner(LockKey key) {
		List<LockState> states = look(key);
		return states.isEmpty() ? 0 : states.get(0).token();
	}

	/* Whether a holder of the key has this token. */
	boolean isOwner(LockKey key, long token) {
		for (LockState state : look(key)) {
			if (state.token() == token) {
				return true;
			}
		}
		return false;
	}

	/* Several holders have a key only if they share it. */
	void checkOwners(LockKey key) {
		List<LockState> states = look(key);
		int most = 1;
		boolean alone = false;
		for (LockState state : states) {
			AttemptId owner = owner(state);
			if (owner != null) {
				most = Math.max(most, owner.kind().most());
				alone |= !owner.kind().isShared();
			}
		}
		if (states.size() > (alone ? 1 : most)) {
			this.machine.scheduler.violated("I1: too many have " + key + ": " + states);
		}
	}

	private AttemptId owner(LockState state) {
		return this.owners.get(state.key() + " " + state.token());
	}

	/* The holders of the key; their remaining times may be from an earlier look. */
	private List<LockState> look(LockKey key) {
		long now = this.machine.read();
		Look look = this.looks.get(key);
		if (look == null || look.changes != this.changes || now - look.end >= 0) {
			List<LockState> states = find(key);
			long least = states.stream()
				.mapToLong((state) -> state.remaining().toNanos())
				.min()
				.orElse(Long.MAX_VALUE / 2);
			look = new Look(states, this.changes, now + least);
			this.looks.put(key, look);
		}
		return look.states;
	}

	private List<LockState> find(LockKey key) {
		return this.store.find(key, Duration.ZERO).toCompletableFuture().join();
	}

	/**
	 * A look that is valid until records change, or the first lease ends.
	 */
	private record Look(List<LockState> states, long changes, long end) {

	}

}
