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
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.store.TokenBlock;
import org.jspecify.annotations.Nullable;

/**
 * A try of an instance to get a key from the store, on behalf of all its callers that
 * wait. One command at a time. It belongs to the tasks of the key.
 */
final class Attempt {

	final AttemptId id;

	private final LocalLock lock;

	private final Core core;

	private final long start;

	/** When to ask again, or to stop trying; never while a command is under way. */
	private long due = Alarm.NEVER;

	/** The command under way. */
	private @Nullable Call call;

	/** Whether the release is under way by which it takes its place. */
	private boolean requeued;

	/** Whether to ask again at once when the answer under way says no. */
	private boolean hinted;

	/** Whether the store may have something of it, by the answers to its commands. */
	private boolean left;

	/** What it was granted, if anything. */
	private @Nullable GrantedLease lease;

	/** Whether a command since the last answer may have been granted. */
	private boolean unknown;

	/** Commands that failed since the last answer. */
	private int failures;

	/** Until when the store may keep the key for this attempt. */
	private long leaseEnd;

	/** Whether others are said to wait, which may be heard before the answer. */
	boolean contended;

	/** Whether the key was taken from it, maybe after what the answer under way says. */
	boolean forced;

	/** Whether the key is said to be held, which may be heard before the answer. */
	private boolean inUse;

	/** Tries without waiting stay for a moment, once, if the key may be idle. */
	private Trial trial = Trial.TO_COME;

	private long trialEnd;

	/** Whether each command was for a lease that may linger. */
	private boolean lingers = true;

	private Waiter.Outcome.@Nullable Refused refusal;

	Attempt(LocalLock lock, AttemptId id, long now) {
		this.id = id;
		this.lock = lock;
		this.core = lock.core;
		this.start = now;
		this.leaseEnd = this.start;
	}

	/* Whether it asks as a caller does. */
	boolean isFor(Waiter waiter) {
		return waiter.kind.equals(this.id.kind());
	}

	/* What the store said last; null while that settles nothing, or it fails. */
	@Nullable Supplier<Waiter.Outcome.Refused> refusal() {
		Waiter.Outcome.Refused refusal = this.refusal;
		return (refusal == null || this.failures > 0 || this.trial == Trial.ON) ? null : () -> refusal;
	}

	/* Whether the key has no other one, and nothing else, by now. */
	private boolean isCurrent() {
		return this.lock.attempt() == this;
	}

	private boolean isUnderWay() {
		return this.call != null || this.requeued;
	}

	long due() {
		return this.due;
	}

	/* Its alarm has fired. */
	void look(long now) {
		this.due = Alarm.NEVER;
		if (isUnderWay()) {
			return;
		}
		if (this.trial != Trial.ON) {
			ask();
		}
		else if (this.trialEnd - now <= 0) {
			turnAway();
		}
		else {
			this.due = this.trialEnd;
		}
	}

	/* A caller that has had no answer waits for one. */
	void pursue() {
		if (!isUnderWay() && this.trial != Trial.ON) {
			ask();
		}
	}

	/* The store hints that the key is reserved for this attempt. */
	void hint() {
		this.hinted = true;
		if (!isUnderWay()) {
			ask();
		}
	}

	/* Its owner hints that it does not keep the key idle. */
	void inUse() {
		this.inUse = true;
		if (!isUnderWay() && this.trial == Trial.ON) {
			turnAway();
		}
	}

	/* No caller waits any more: undo what the store may have. */
	void giveUp() {
		if (isUnderWay() || this.left) {
			this.lock.undo(this.id, ReleaseCommand.NONE, this.leaseEnd, Duration.ZERO);
		}
	}

	/* The release that is about to be sent takes its place, behind those that wait. */
	void expectPlace(LeaseTiming timing) {
		this.requeued = true;
		sent(this.start + timing.length());
		this.refusal = Waiter.Outcome.Refused.UNKNOWN;
	}

	/* That release was answered. */
	void placed(long sent, LeaseTiming timing, @Nullable ReleaseAnswer answer) {
		this.requeued = false;
		answered(true);
		if (!isCurrent()) {
			return;
		}
		if (this.hinted || answer == null || answer.next() != ReleaseAnswer.Next.OTHER) {
			ask();
		}
		else if (!isLeftByAll()) {
			this.due = sent + timing.nextPoll(this.core.chance());
		}
	}

	private void ask() {
		this.due = Alarm.NEVER;
		this.hinted = false;
		this.forced = false;
		this.inUse = false;
		Call call = new Call();
		this.call = call;
		call.send();
	}

	/* A command for a lease until some moment was sent. */
	private void sent(long end) {
		if (end - this.leaseEnd > 0) {
			this.leaseEnd = end;
		}
	}

	/* The store has answered, and may have something from now on. */
	private void answered(boolean left) {
		this.left |= left;
		this.unknown = false;
		this.failures = 0;
	}

	/* Whether it leaves the store alone after a failure. */
	boolean pauses() {
		return this.failures > 0 && !isUnderWay();
	}

	/* The store can be reached again: its pause ends by some moment. */
	void endPause(long moment) {
		if (pauses()) {
			this.due = Alarm.earlier(this.due, moment);
		}
	}

	/* A caller that does not wait leaves; for the others it asks at once. */
	private void turnAway() {
		this.trial = Trial.OVER;
		if (!isLeftByAll()) {
			ask();
		}
	}

	/* All hear what the store has said, and some have waited for no more than that. */
	private boolean isLeftByAll() {
		Waiter.Outcome.Refused refusal = (this.refusal != null) ? this.refusal : Waiter.Outcome.Refused.UNKNOWN;
		this.lock.waiters().allKnow(() -> refusal, this.core.now());
		return this.lock.endIfUnwanted();
	}

	/* What is wrong with the requests for the key. */
	private void report(@Nullable Kind other) {
		if (other != null && other.isPermit()) {
			this.core.events.permitsDiffer(this.lock.key, this.id.kind().most(), other.most());
		}
		else if (other != null) {
			this.core.events.readersFull(this.lock.key, this.id.kind().most());
		}
	}

	private void granted(Call call, AcquireAnswer.Granted answer) {
		report(answer.other());
		answered(true);
		if (this.lock.endIfUnwanted()) {
			// Callers of another kind have their turn by now.
			return;
		}
		Waiter head = this.lock.waiters().first();
		long now = this.core.nowNoticingSleep();
		long age = now - call.sent;
		LeaseTiming timing = call.timing;
		boolean late = age - Math.min(timing.timeout().toNanos(), timing.valid()) > 0;
		if (!head.timing.equals(timing) || this.forced || late) {
			// Another caller's turn by now, or too little is left: not the head's lease.
			// An answer is late for example if its command waited for a connection.
			ask();
			return;
		}
		GrantedLease lease = new GrantedLease(this.id, this.lock, answer, timing, call.sent, this.leaseEnd,
				this.lingers, call.command.holder());
		if (answer.contended() || this.contended) {
			lease.budget().contended(now);
		}
		this.lease = lease;
		this.lock.granted(lease, now);
	}

	private void refused(Call call, AcquireAnswer.Busy answer) {
		report(answer.other());
		answered(answer.placed());
		this.refusal = new Waiter.Outcome.Refused(answer.holder(), answer.remaining());
		long now = this.core.now();
		if (!call.queued && answer.placed() && triesOn(call, now)) {
			return;
		}
		if (!call.queued || this.hinted) {
			turnAway();
		}
		else if (!isLeftByAll()) {
			this.due = now + call.timing.untilNextAsk(now - call.sent, answer.remaining(), this.core.chance());
		}
	}

	/*
	 * Callers that try once have a place behind an instance that may be keeping the key
	 * idle. Return whether they wait for that to release it.
	 */
	private boolean triesOn(Call call, long now) {
		if (this.trial == Trial.TO_COME) {
			this.trial = Trial.ON;
			this.trialEnd = now + call.timing.trial().toNanos();
		}
		if (this.inUse || this.trialEnd - now <= 0) {
			this.trial = Trial.OVER;
		}
		if (this.trial != Trial.ON) {
			return false;
		}
		if (this.hinted) {
			ask();
		}
		else {
			this.due = this.trialEnd;
		}
		return true;
	}

	private void failed(Call call, Throwable cause) {
		this.trial = Trial.OVER;
		this.left |= !(cause instanceof LockStoreException) || cause instanceof OutcomeUnknownException;
		this.unknown |= cause instanceof OutcomeUnknownException;
		this.failures++;
		// Callers that wait ask no less often than they do while others have the key.
		long now = this.core.now();
		long pause = Math.min(StoreCalls.backoff(this.failures, this.core.chance()),
				call.timing.nextPoll(this.core.chance()));
		WaitQueue waiters = this.lock.waiters();
		if (cause instanceof NotConnectedException) {
			pause = waiters.disconnected(cause, now, pause, !this.unknown);
		}
		else if (!this.unknown) {
			waiters.allUnansweredFail(cause);
		}
		else {
			waiters.unansweredFail(cause, now + pause);
		}
		if (!this.lock.endIfUnwanted() && isCurrent() && !isUnderWay()) {
			this.due = now + pause;
		}
	}

	/**
	 * A command of the attempt.
	 */
	private final class Call extends StoreCall<AcquireAnswer> {

		/** The timing that was asked for. */
		private final LeaseTiming timing;

		/** Whether a place was asked for, however others have the key. */
		private final boolean queued;

		private final AcquireCommand command;

		/* For all that wait, on the terms of the first. */
		private Call() {
			super(Attempt.this.lock);
			WaitQueue waiters = this.lock.waiters();
			Waiter head = waiters.first();
			this.timing = head.timing;
			this.queued = waiters.anyPatient();
			long now = this.core.nowNoticingSleep();
			this.core.noticeSleepFor(this.timing, now);
			Attempt.this.sent(now + this.timing.length());
			Attempt.this.lingers &= !head.kind.isShared()
					&& this.core.idleLeases.time(head.key, this.timing, head.rules) > 0;
			boolean several = Attempt.this.lingers || waiters.size() > 1;
			Duration poll = this.queued ? this.timing.poll() : this.timing.trial();
			this.command = new AcquireCommand(this.lock.key, Attempt.this.id, this.core.label(head.thread),
					this.timing.lease().duration(), several ? TokenBlock.SIZE : 1, Attempt.this.lingers, poll,
					!this.queued, waiters.mayTake(this.timing, now));
		}

		@Override
		Command kind() {
			return Command.ACQUIRE;
		}

		@Override
		CompletionStage<AcquireAnswer> ask() {
			return this.core.store.acquire(this.command);
		}

		@Override
		long timeout() {
			return this.command.timeout().toNanos();
		}

		@Override
		void answered(@Nullable AcquireAnswer answer, @Nullable Throwable failure) {
			Attempt attempt = Attempt.this;
			Throwable cause = (answer != null) ? null : StoreCalls.cause(failure);
			if (!(cause instanceof NotConnectedException)) {
				this.core.heardFromStore();
			}
			attempt.sent(this.sent + this.timing.length());
			attempt.call = null;
			if (!attempt.isCurrent()) {
				if (answer != null) {
					answeredLate(answer);
				}
			}
			else if (answer instanceof AcquireAnswer.Granted granted) {
				attempt.granted(this, granted);
			}
			else if (answer instanceof AcquireAnswer.Busy busy) {
				attempt.refused(this, busy);
			}
			else if (answer instanceof AcquireAnswer.Ended) {
				// Callers do not notice: they wait with another attempt.
				this.lock.restart();
			}
			else if (cause != null) {
				attempt.failed(this, cause);
			}
		}

		/* The store may have granted it. */
		@Override
		void abort(Throwable cause) {
			super.abort(cause);
			Attempt.this.left = true;
		}

		@Override
		void answeredLate(AcquireAnswer answer) {
			Attempt attempt = Attempt.this;
			boolean failed = attempt.lease != null && attempt.lease.hasFailed();
			if (answer instanceof AcquireAnswer.Granted && !attempt.isCurrent() && !failed
					&& this.lock.leaseOf(attempt.id) == null) {
				// It was undone already, unless that command was lost; tokens of a former
				// answer may have been used. Holders of a failed lease may be working.
				this.lock.undo(attempt.id, ReleaseCommand.UNKNOWN, attempt.leaseEnd, Duration.ZERO);
			}
		}

	}

	private enum Trial {

		TO_COME, ON, OVER

	}

}
