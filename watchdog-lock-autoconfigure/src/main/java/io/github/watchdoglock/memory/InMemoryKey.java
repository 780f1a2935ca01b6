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
import java.util.List;
import java.util.function.Predicate;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.memory.InMemoryRecord.State;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Busy;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Next;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Record and queue of one key, and what the commands do to them. Not thread-safe: the
 * store runs one command of a key at a time.
 */
final class InMemoryKey {

	/* As Redis keeps it by default. */
	private static final long RETENTION = Duration.ofMinutes(2).toNanos();

	private static final int LEASES_RETAINED = 2;

	final InMemoryQueue queue = new InMemoryQueue();

	@Nullable InMemoryRecord record;

	AcquireAnswer acquire(AcquireCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		InMemoryRecord record = current(now);
		if (record == null) {
			return grant(command, 0, moment);
		}
		boolean own = record.isOf(command.attempt());
		if (own && record.hasEnded(now)) {
			return new Ended();
		}
		boolean lease = own && record.left(now) != 0 && record.state() != State.RESERVED;
		boolean shared = command.attempt().kind().isShared() || record.attempt().kind().isShared()
				|| InMemorySharedKey.isShared(this, record);
		if (shared && !lease) {
			return InMemorySharedAcquire.acquire(new InMemorySharedKey(this, record, moment), command);
		}
		if (record.left(now) == 0) {
			return passOn(record, command, moment);
		}
		if (!own) {
			return refuse(record, command, moment);
		}
		if (record.state() == State.RESERVED) {
			return grant(command, record.block().last(), moment);
		}
		this.record = record.lasting(now, command.lease().toNanos());
		return new Granted(record.block(), record.contended());
	}

	/* Behind the greatest token that is known, and behind the clock. */
	private Granted grant(AcquireCommand command, long last, InMemoryMoment moment) {
		long lease = command.lease().toNanos();
		long first = Math.max(last + 1, moment.micros());
		boolean shared = command.attempt().kind().isShared();
		TokenBlock block = TokenBlock.startingAt(first, command.attempt().kind(), command.tokens());
		long retention = retention(command.lease());
		boolean contended = this.queue.size() > 0;
		this.record = new InMemoryRecord((command.lingering() && !shared) ? State.LINGERING : State.OWNED, contended,
				retention, block, command.attempt(), command.holder(), moment.ticks() + lease + retention);
		return new Granted(block, contended);
	}

	/* Of a lease as long as a century, nanoseconds would overflow. */
	static long retention(Duration length) {
		long lease = length.toNanos();
		return Math.max(RETENTION, Math.min(LEASES_RETAINED * lease, Long.MAX_VALUE / 2 - lease));
	}

	/*
	 * What is over goes to the first who waits; who asks is present, and may be that one.
	 */
	private AcquireAnswer passOn(InMemoryRecord record, AcquireCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		InMemoryQueue.Place next = this.queue.next(now, command.attempt(), heard(moment));
		if (next == null || next.attempt().equals(command.attempt())) {
			return grant(command, record.block().last(), moment);
		}
		boolean placed = this.queue.contains(command.attempt());
		if (isPatient(command) && (placed || !command.ifIdle())) {
			placed = true;
			this.queue.enter(command.attempt(), command.poll().toNanos(), now);
		}
		this.record = record.reservedFor(next, this.queue.size() > 0, now);
		return new Busy(InMemoryRecord.RESERVED_LABEL, Duration.ofNanos(next.claim()), placed);
	}

	private Busy refuse(InMemoryRecord record, AcquireCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		boolean placed = isPatient(command)
				&& (this.queue.contains(command.attempt()) || mayEnter(record, command, now));
		if (placed) {
			this.queue.enter(command.attempt(), command.poll().toNanos(), now);
			if (record.isLease()) {
				this.record = record.asContended();
				if (!record.contended() || (record.state() == State.LINGERING && command.ifIdle())) {
					moment.tell(record.attempt(),
							(hints, key, owner) -> hints.contended(key, owner, command.attempt()));
				}
			}
		}
		return new Busy(record.holder(), Duration.ofNanos(record.left(now)), placed);
	}

	/* The dead make room for who comes. */
	private boolean mayEnter(InMemoryRecord record, AcquireCommand command, long now) {
		if (!command.ifIdle()) {
			this.queue.dropDead(now);
			return true;
		}
		if (record.state() != State.LINGERING || this.queue.alive(now) > 0) {
			return false;
		}
		this.queue.dropDead(now);
		return true;
	}

	private static boolean isPatient(AcquireCommand command) {
		return command.poll().compareTo(Duration.ZERO) > 0;
	}

	RenewAnswer renew(RenewCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		InMemoryRecord record = current(now);
		if (record != null && !record.holders().isEmpty()) {
			return InMemorySharedVerbs.renew(new InMemorySharedKey(this, record, moment), command);
		}
		if (record == null || !record.isLease() || record.left(now) == 0 || !record.isOf(command.attempt())
				|| record.block().first() != command.firstToken()) {
			return new Gone();
		}
		InMemoryRecord renewed = record.lasting(now, command.lease().toNanos());
		TokenBlock next = null;
		if (command.nextBlock()) {
			next = TokenBlock.startingAt(Math.max(record.block().last() + 1, moment.micros()),
					command.attempt().kind());
			renewed = renewed.withGreatest(next.last());
		}
		this.record = renewed;
		return new Renewed(record.contended(), next);
	}

	ReleaseAnswer release(ReleaseCommand command, InMemoryMoment moment) {
		InMemoryRecord record = current(moment.ticks());
		if (record == null) {
			return new ReleaseAnswer(ReleaseAnswer.Ended.NOTHING, Next.NOBODY);
		}
		if (command.attempt().kind().isShared() || InMemorySharedKey.isShared(this, record)) {
			return InMemorySharedVerbs.release(new InMemorySharedKey(this, record, moment), command);
		}
		boolean own = record.isOf(command.attempt());
		if (own && record.isLease()) {
			return new ReleaseAnswer(ReleaseAnswer.Ended.LEASE,
					endLease(record.withLastUsed(command.lastToken()), command, moment));
		}
		if (own && record.state() == State.RESERVED) {
			return new ReleaseAnswer(ReleaseAnswer.Ended.RESERVATION, passOn(record, State.KEPT, null, moment));
		}
		boolean left = this.queue.leave(command.attempt());
		return new ReleaseAnswer(left ? ReleaseAnswer.Ended.PLACE : ReleaseAnswer.Ended.NOTHING, Next.NOBODY);
	}

	private Next endLease(InMemoryRecord record, ReleaseCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		boolean over = record.left(now) == 0;
		if (!over && command.keep().compareTo(Duration.ZERO) > 0) {
			this.record = record.keptFor(now, command.keep().toNanos());
			return Next.NOBODY;
		}
		ReleaseCommand.Requeue requeue = over ? null : command.requeue();
		if (requeue != null) {
			this.queue.enter(requeue.attempt(), requeue.poll().toNanos(), now);
		}
		return passOn(record, record.state(), (requeue != null) ? requeue.attempt() : null, moment);
	}

	/* The requeued attempt learns of its turn by the answer and needs no message. */
	private Next passOn(InMemoryRecord record, State ended, @Nullable AttemptId requeued, InMemoryMoment moment) {
		long now = moment.ticks();
		InMemoryQueue.Place next = this.queue.next(now, requeued, heard(moment));
		if (next == null) {
			this.record = record.free(now, ended);
			return Next.NOBODY;
		}
		this.record = record.reservedFor(next, this.queue.size() > 0, now);
		return next.attempt().equals(requeued) ? Next.REQUEUED : Next.OTHER;
	}

	private static Predicate<AttemptId> heard(InMemoryMoment moment) {
		return (attempt) -> moment.tell(attempt, WakeUps.Hints::granted);
	}

	List<LockState> find(LockKey key, InMemoryMoment moment) {
		long now = moment.ticks();
		return held(moment).stream()
			.map((holder) -> LeaseInspector.had(LockState.of(key, holder.label(), holder.token(),
					Duration.ofNanos(holder.left(now)), this.queue.alive(now)), holder.attempt().kind()))
			.toList();
	}

	private List<InMemoryHolder> held(InMemoryMoment moment) {
		InMemoryRecord record = current(moment.ticks());
		if (record == null || record.left(moment.ticks()) == 0) {
			return List.of();
		}
		InMemorySharedKey key = new InMemorySharedKey(this, record, moment);
		key.enter(null);
		return key.held();
	}

	ForceAnswer force(long token, InMemoryMoment moment) {
		InMemoryRecord record = current(moment.ticks());
		if (record == null || !record.isHeld(moment.ticks())) {
			return ForceAnswer.FREE;
		}
		if (InMemorySharedKey.isShared(this, record)) {
			return InMemorySharedVerbs.force(new InMemorySharedKey(this, record, moment), token);
		}
		if (token != LeaseInspector.ALL && token != record.block().first()) {
			return ForceAnswer.FREE;
		}
		List<AttemptId> owners = record.isLease() ? List.of(record.attempt()) : List.of();
		owners.forEach((owner) -> moment.tell(owner, WakeUps.Hints::forced));
		passOn(record, State.KEPT, null, moment);
		return new ForceAnswer(true, owners);
	}

	boolean ask(InMemoryMoment moment) {
		List<InMemoryHolder> held = held(moment);
		held.stream()
			.filter(InMemoryHolder::isLease)
			.forEach((holder) -> moment.tell(holder.attempt(), WakeUps.Hints::asked));
		return !held.isEmpty();
	}

	/* Play that the lease or reservation is over. */
	void expireLease(long now) {
		if (this.record != null) {
			this.record = this.record.free(now, this.record.state());
		}
	}

	boolean isEmpty(long now) {
		return current(now) == null;
	}

	private @Nullable InMemoryRecord current(long now) {
		if (this.record != null && now - this.record.end() >= 0) {
			this.record = null;
			this.queue.clear();
		}
		return this.record;
	}

}
