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
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.memory.InMemoryHolder.State;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.HolderState;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Next;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.store.WakeUps.Hints;
import org.jspecify.annotations.Nullable;

/**
 * A key while one command takes effect, at one moment, and the effects of all commands.
 * Not thread-safe.
 */
final class InMemoryTransaction {

	final InMemoryKey key;

	/** The current time in nanoseconds of the ticker. */
	final long now;

	/** The present holders and reservations. */
	final List<InMemoryHolder> here = new ArrayList<>();

	private final LockKey name;

	/* The time of the wall clock in microseconds. */
	private final long micros;

	private final Map<String, Hints> subscribers;

	private final List<Runnable> messages = new ArrayList<>(1);

	InMemoryTransaction(LockKey name, InMemoryKey key, long now, long micros, Map<String, Hints> subscribers) {
		this.name = name;
		this.key = key;
		this.now = now;
		this.micros = micros;
		this.subscribers = subscribers;
		key.removeExpired(now);
		key.holders.stream().filter((holder) -> holder.isHere(now)).forEach(this.here::add);
	}

	AcquireAnswer acquire(AcquireCommand command) {
		AttemptId attempt = command.attempt();
		return new InMemoryAcquire(this, this.key, this.here, this.now, command, attempt, attempt.kind()).run();
	}

	RenewAnswer renew(RenewCommand command) {
		// An expired lease starts again if no other command has ended it.
		InMemoryHolder mine = InMemoryHolder.find(this.key.alone ? this.key.holders : this.here, command.attempt());
		if (mine == null || !mine.isLease() || mine.token() != command.firstToken()) {
			return new Gone();
		}
		extend(mine, command.lease());
		TokenBlock next = command.nextBlock() ? nextBlock(command.attempt().kind(), TokenBlock.SIZE) : null;
		return new Renewed(this.key.contended, next);
	}

	/* Restart a lease from now, without ever shortening it. */
	void extend(InMemoryHolder lease, Duration length) {
		InMemoryHolder extended = lease.in(lease.state(), this.now + Math.max(lease.left(this.now), length.toNanos()));
		if (!Collections.replaceAll(this.here, lease, extended)) {
			this.here.add(extended);
		}
		Collections.replaceAll(this.key.holders, lease, extended);
	}

	TokenBlock nextBlock(Kind kind, int wanted) {
		long first = Math.max(this.key.last + 1, this.micros);
		TokenBlock block = TokenBlock.startingAt(first, kind, wanted);
		this.key.last = block.last();
		return block;
	}

	ReleaseAnswer release(ReleaseCommand command) {
		InMemoryHolder mine = InMemoryHolder.find(this.key.holders, command.attempt());
		if (mine == null || mine.state() == State.KEPT) {
			return releasePlace(command.attempt());
		}
		if (mine.state() == State.RELEASED) {
			return new ReleaseAnswer(Ended.LEASE, Next.NOBODY);
		}
		this.here.remove(mine);
		returnTokens(mine, command.lastToken());
		boolean lives = !mine.isReserved() && mine.isHere(this.now);
		if (lives && command.keep().compareTo(Duration.ZERO) > 0) {
			this.here.add(0, mine.in(State.KEPT, this.now + command.keep().toNanos()));
			write();
			return new ReleaseAnswer(Ended.LEASE, Next.NOBODY);
		}
		AttemptId requeued = null;
		if (lives && command.requeue() != null) {
			requeued = command.requeue().attempt();
			if (InMemoryHolder.find(this.here, requeued) == null) {
				enter(requeued, command.requeue().poll());
			}
		}
		InMemoryHolder gone = (command.grant() == null && mine.isLease()) ? mine.in(State.RELEASED, mine.end()) : mine;
		Next next = handOn(gone, requeued) ? Next.OTHER : Next.NOBODY;
		return new ReleaseAnswer(mine.isReserved() ? Ended.RESERVATION : Ended.LEASE,
				(InMemoryHolder.find(this.here, requeued) != null) ? Next.REQUEUED : next);
	}

	/* A free key stays free: waiting attempts ask for it themselves. */
	private ReleaseAnswer releasePlace(AttemptId attempt) {
		if (this.key.places.remove(attempt) == null) {
			return new ReleaseAnswer(Ended.NOTHING, Next.NOBODY);
		}
		boolean admitted = !this.here.isEmpty() && admit(null);
		if (admitted) {
			write();
		}
		return new ReleaseAnswer(Ended.PLACE, admitted ? Next.OTHER : Next.NOBODY);
	}

	/* Tokens that were not used are returned if no other attempt got later ones. */
	private void returnTokens(InMemoryHolder mine, long lastToken) {
		boolean latest = this.key.alone || mine.token() == this.key.last;
		if (!mine.isReserved() && latest && lastToken != ReleaseCommand.UNKNOWN && lastToken < this.key.last) {
			this.key.last = Math.max(lastToken, mine.token() - 1);
		}
	}

	List<LockState> find() {
		int waiting = this.key.waiting(this.now);
		return held().stream()
			.<LockState>map((holder) -> HolderState.of(this.name, holder.label(), holder.token(),
					Duration.ofNanos(holder.left(this.now)), waiting, holder.attempt().kind()))
			.toList();
	}

	/* The holders, by the end of their leases. */
	List<InMemoryHolder> held() {
		return this.here.stream()
			.filter((holder) -> !holder.isReserved())
			.sorted(Comparator.<InMemoryHolder>comparingLong((holder) -> holder.left(this.now))
				.thenComparingLong(InMemoryHolder::token))
			.toList();
	}

	List<LockState> request(long token) {
		notifyHolders(this.here,
				(token != LeaseInspector.ALL) ? (hints, owner) -> hints.forceRequested(this.name, owner, token)
						: (hints, owner) -> hints.resignRequested(this.name, owner));
		return find();
	}

	ForceAnswer force(long token) {
		List<InMemoryHolder> forced = this.here.stream()
			.filter((holder) -> !holder.isReserved() && (token == LeaseInspector.ALL || holder.token() == token))
			.toList();
		if (forced.isEmpty()) {
			return ForceAnswer.FREE;
		}
		notifyHolders(forced, (hints, owner) -> hints.forced(this.name, owner));
		this.here.removeAll(forced);
		handOn(forced.get(forced.size() - 1).in(State.KEPT, this.now), null);
		return new ForceAnswer(true,
				forced.stream().filter(InMemoryHolder::isLease).map(InMemoryHolder::attempt).toList());
	}

	/*
	 * A holder has left. If no attempt follows, the key is free, and late commands of
	 * that holder find that it has ended. If there were other holders, unused tokens are
	 * not returned, because the others may have been granted the next ones.
	 */
	private boolean handOn(InMemoryHolder gone, @Nullable AttemptId present) {
		boolean admitted = admit(present);
		if (!this.here.isEmpty()) {
			write();
			return admitted;
		}
		long first = (this.key.alone && !gone.isReserved()) ? gone.token() : this.key.last + 1;
		this.key.holders.clear();
		this.key.holders.add(new InMemoryHolder(gone.attempt(), gone.isReserved() ? State.KEPT : gone.state(),
				this.key.freeSince(this.now), first, gone.label()));
		this.key.alone = true;
		return false;
	}

	/* Add the last place, or refresh an existing one. */
	void enter(AttemptId attempt, Duration poll) {
		this.key.places.put(attempt, new InMemoryPlace(attempt, this.now, poll.toNanos()));
	}

	/*
	 * Reserve the key for the first places: as many as may share it with the present
	 * holders. No place that is alive is passed over. The attempt that sent the command
	 * is alive, and needs no message. Return whether a place was admitted.
	 */
	boolean admit(@Nullable AttemptId present) {
		int before = this.here.size();
		Iterator<InMemoryPlace> places = this.key.places.values().iterator();
		while (places.hasNext() && (this.here.isEmpty() || this.here.get(0).attempt().kind().isShared())) {
			InMemoryPlace place = places.next();
			AttemptId attempt = place.attempt();
			boolean known = attempt.equals(present);
			if (known || !place.isDead(this.now)) {
				if (!joins(attempt.kind())) {
					break;
				}
				if (known || notifyInstance(attempt, (hints, owner) -> hints.granted(this.name, owner))
						|| !place.isDeadIfUnsubscribed(this.now)) {
					this.here.add(InMemoryHolder.reserved(attempt, this.now + place.claim()));
				}
			}
			places.remove();
		}
		return this.here.size() > before;
	}

	private boolean joins(Kind kind) {
		return this.here.isEmpty() || kind.joins(this.here.get(0).attempt().kind(), this.here.size());
	}

	/* Store the present holders and reservations, of which there is at least one. */
	void write() {
		InMemoryHolder first = this.here.get(0);
		this.key.alone = this.here.size() == 1
				&& (this.key.alone || first.isReserved() || first.token() == this.key.last);
		this.key.holders.clear();
		this.key.holders.addAll(this.here);
		this.key.contended = !this.key.places.isEmpty();
	}

	void notifyHolders(List<InMemoryHolder> holders, BiConsumer<Hints, AttemptId> message) {
		holders.stream().filter(InMemoryHolder::isLease).forEach((holder) -> notifyInstance(holder.attempt(), message));
	}

	/*
	 * Notify the instance of an attempt after the command has taken effect. Return
	 * whether that instance is subscribed.
	 */
	private boolean notifyInstance(AttemptId attempt, BiConsumer<Hints, AttemptId> message) {
		Hints hints = this.subscribers.get(attempt.instance());
		if (hints != null) {
			this.messages.add(() -> message.accept(hints, attempt));
		}
		return hints != null;
	}

	/* To be called without any lock, because hints may run commands. */
	void deliver() {
		for (Runnable message : this.messages) {
			try {
				message.run();
			}
			catch (RuntimeException ex) {
				// The command has taken effect regardless of its hints; waiting attempts
				// poll.
			}
		}
	}

}
