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
import java.util.function.Predicate;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.engine.AcquireAnswer.Busy;
import io.github.watchdoglock.engine.AcquireAnswer.Granted;
import io.github.watchdoglock.engine.InMemoryLease.State;
import io.github.watchdoglock.engine.ReleaseAnswer.Ended;
import io.github.watchdoglock.engine.ReleaseAnswer.Next;
import io.github.watchdoglock.engine.RenewAnswer.Gone;
import io.github.watchdoglock.engine.RenewAnswer.Renewed;
import org.jspecify.annotations.Nullable;

/**
 * Lease, queue and fence of one key, and what the commands do to them. Not thread-safe:
 * the store runs one command of a key at a time.
 */
final class InMemoryKey {

	private final InMemoryQueue queue = new InMemoryQueue();

	private final InMemoryFence fence = new InMemoryFence();

	private @Nullable InMemoryLease lease;

	AcquireAnswer acquire(AcquireCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		long length = command.lease().toNanos();
		InMemoryLease current = current(now);
		if (current == null || current.isReservedFor(command.attempt())) {
			TokenBlock block = this.fence.reserve(moment.micros(), now, length);
			this.queue.leave(command.attempt(), now);
			boolean contended = this.queue.size(now) > 0;
			this.lease = new InMemoryLease(State.OWNED, command.attempt(), block.first(), command.holder(), contended,
					now + length);
			return new Granted(block, contended);
		}
		if (current.isOwnedBy(command.attempt())) {
			this.lease = current.lastingUntil(now + length);
			return new Granted(TokenBlock.startingAt(current.firstToken()), current.contended());
		}
		if (command.poll().compareTo(Duration.ZERO) > 0
				&& this.queue.enter(command.attempt(), command.poll().toNanos(), now) && current.state() == State.OWNED
				&& !current.contended()) {
			this.lease = current.asContended();
			moment.tell(current.attempt(), WakeUps.Hints::contended);
		}
		return new Busy(current.holder(), Duration.ofNanos(current.until() - now));
	}

	RenewAnswer renew(RenewCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		InMemoryLease current = current(now);
		if (current == null || !current.isOwnedBy(command.attempt()) || current.firstToken() != command.firstToken()) {
			return new Gone();
		}
		long length = command.lease().toNanos();
		if (command.fence() != RenewCommand.Fence.LEAVE) {
			this.fence.retain(now, length);
		}
		TokenBlock next = command.nextBlock() ? this.fence.reserve(moment.micros(), now, length) : null;
		this.lease = current.lastingUntil(now + length);
		return new Renewed(current.contended(), next);
	}

	ReleaseAnswer release(ReleaseCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		InMemoryLease current = current(now);
		if (current != null && current.isOwnedBy(command.attempt())) {
			return new ReleaseAnswer(Ended.LEASE, endLease(current, command, moment));
		}
		if (current != null && current.isReservedFor(command.attempt())) {
			Next next = passOn(moment, null);
			return new ReleaseAnswer(Ended.RESERVATION, next);
		}
		return new ReleaseAnswer(this.queue.leave(command.attempt(), now) ? Ended.PLACE : Ended.NOTHING, Next.NOBODY);
	}

	private Next endLease(InMemoryLease current, ReleaseCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		if (command.lastToken() != ReleaseCommand.UNKNOWN) {
			this.fence.goBack(command.lastToken(), current.firstToken(), now);
		}
		this.fence.retain(now, command.keep().toNanos());
		ReleaseCommand.Requeue requeue = command.requeue();
		if (requeue != null && !this.queue.contains(requeue.attempt(), now)) {
			this.queue.enter(requeue.attempt(), requeue.poll().toNanos(), now);
		}
		if (command.keep().compareTo(Duration.ZERO) > 0) {
			this.lease = current.keptUntil(now + command.keep().toNanos());
			return Next.NOBODY;
		}
		return passOn(moment, (requeue != null) ? requeue.attempt() : null);
	}

	/* The requeued attempt learns of its turn by the answer and needs no message. */
	private Next passOn(InMemoryMoment moment, @Nullable AttemptId requeued) {
		long now = moment.ticks();
		Predicate<AttemptId> heard = (attempt) -> attempt.equals(requeued)
				|| moment.tell(attempt, WakeUps.Hints::granted);
		InMemoryQueue.Place head = this.queue.next(now, heard);
		this.lease = (head != null) ? InMemoryLease.reserved(head.attempt(), now + head.claim()) : null;
		if (head == null) {
			return Next.NOBODY;
		}
		return head.attempt().equals(requeued) ? Next.REQUEUED : Next.OTHER;
	}

	@Nullable LockState find(LockKey key, InMemoryMoment moment) {
		InMemoryLease current = current(moment.ticks());
		if (current == null || current.state() == State.RESERVED) {
			return null;
		}
		return LockState.of(key, current.holder(), current.firstToken(),
				Duration.ofNanos(current.until() - moment.ticks()), this.queue.size(moment.ticks()));
	}

	ForceAnswer force(InMemoryMoment moment) {
		InMemoryLease current = current(moment.ticks());
		if (current == null || current.state() == State.RESERVED) {
			return ForceAnswer.FREE;
		}
		AttemptId owner = (current.state() == State.OWNED) ? current.attempt() : null;
		if (owner != null) {
			moment.tell(owner, WakeUps.Hints::forced);
		}
		passOn(moment, null);
		return new ForceAnswer(true, owner);
	}

	void expireLease() {
		this.lease = null;
	}

	void expireQueue() {
		this.queue.clear();
	}

	boolean isEmpty(long now) {
		return current(now) == null && this.queue.size(now) == 0 && this.fence.isGone(now);
	}

	private @Nullable InMemoryLease current(long now) {
		if (this.lease != null && now - this.lease.until() >= 0) {
			this.lease = null;
		}
		return this.lease;
	}

}
