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
 * An attempt of this instance to acquire a key from the store, on behalf of all its
 * waiting callers. At most one command is without an answer at a time. It belongs to the
 * tasks of the key.
 */
final class Attempt {

	final AttemptId id;

	private final LocalLock lock;

	private final Core core;

	private final long start;

	/** When to ask again, or to stop trying; not set while a command has no answer. */
	private long due = Alarm.NEVER;

	/** The command that has no answer yet. */
	private @Nullable Call call;

	/**
	 * Whether a release was sent that also takes a place for this attempt, and has no
	 * answer yet.
	 */
	private boolean requeued;

	/** Whether to ask again at once if the pending answer is a refusal. */
	private boolean hinted;

	/**
	 * Whether the store may have something of this attempt, according to the answers to
	 * its commands.
	 */
	private boolean mayBeInStore;

	/** The lease that it was granted, if any. */
	private @Nullable GrantedLease lease;

	/** Whether a command since the last answer may have been granted. */
	private boolean unknown;

	/** The number of commands that failed since the last answer. */
	private int failures;

	/** The time until which the store may keep the key for this attempt. */
	private long leaseEnd;

	/**
	 * Whether a message said that other attempts wait; it may arrive before the answer.
	 */
	boolean contended;

	/**
	 * Whether a message said that the key was taken from it by force, possibly after the
	 * grant that the pending answer reports.
	 */
	boolean forced;

	/**
	 * Whether a message said that the key is held and not idle; it may arrive before the
	 * answer.
	 */
	private boolean inUse;

	/**
	 * Callers that try without waiting wait for a moment, once, if another instance may
	 * be keeping the key idle.
	 */
	private Trial trial = Trial.PENDING;

	private long trialEnd;

	/** Whether each command so far requested a lease that may be kept idle. */
	private boolean lingers = true;

	private Waiter.Outcome.@Nullable Refused refusal;

	Attempt(LocalLock lock, AttemptId id, long now) {
		this.id = id;
		this.lock = lock;
		this.core = lock.core();
		this.start = now;
		this.leaseEnd = this.start;
	}

	/* Whether it requests the key in the same kind as this caller. */
	boolean isFor(Waiter waiter) {
		return waiter.kind.equals(this.id.kind());
	}

	/*
	 * Return the last refusal of the store; null while it is not final (a trial), or
	 * while the store fails.
	 */
	@Nullable Supplier<Waiter.Outcome.Refused> refusal() {
		Waiter.Outcome.Refused refusal = this.refusal;
		return (refusal == null || this.failures > 0 || this.trial == Trial.RUNNING) ? null : () -> refusal;
	}

	/*
	 * Whether it is still the attempt of its key, which may have another one or a lease
	 * by now.
	 */
	private boolean isCurrent() {
		return this.lock.attempt() == this;
	}

	private boolean isUnderWay() {
		return this.call != null || this.requeued;
	}

	long due() {
		return this.due;
	}

	/* Called when its due time has come. */
	void processDue(long now) {
		this.due = Alarm.NEVER;
		if (isUnderWay()) {
			return;
		}
		if (this.trial != Trial.RUNNING || this.hinted) {
			ask();
		}
		else if (this.trialEnd - now <= 0) {
			refuseTries();
		}
		else {
			this.due = this.trialEnd;
		}
	}

	/* A caller that has had no answer is waiting for one: ask the store. */
	void askUnlessPending() {
		if (!isUnderWay() && this.trial != Trial.RUNNING) {
			ask();
		}
	}

	/* A message says that the key is reserved for this attempt. */
	void hint() {
		this.hinted = true;
		if (!isUnderWay()) {
			ask();
		}
	}

	/*
	 * A message may have been lost: ask by this time, or again if the pending answer,
	 * which may be older than the message, is a refusal.
	 */
	void askBy(long moment) {
		this.hinted = true;
		if (!isUnderWay()) {
			this.due = Alarm.earlier(this.due, moment);
		}
	}

	/* A message says that the holder of the key does not keep it idle. */
	void inUse() {
		this.inUse = true;
		if (!isUnderWay() && this.trial == Trial.RUNNING) {
			refuseTries();
		}
	}

	/* No caller waits any more: undo what the store may have of this attempt. */
	void giveUp() {
		if (isUnderWay() || this.mayBeInStore) {
			this.lock.undo(this.id, ReleaseCommand.NONE, this.leaseEnd, Duration.ZERO);
		}
	}

	/*
	 * A release that is about to be sent takes a place for this attempt, behind those
	 * that wait.
	 */
	void expectPlace(LeaseTiming timing) {
		this.requeued = true;
		sent(this.start + timing.length());
		this.refusal = Waiter.Outcome.Refused.UNKNOWN;
	}

	/* The release that takes the place was answered. */
	void placed(long sent, LeaseTiming timing, @Nullable ReleaseAnswer answer) {
		this.requeued = false;
		answered(true);
		if (!isCurrent()) {
			return;
		}
		if (this.hinted || answer == null || answer.next() != ReleaseAnswer.Next.OTHER) {
			ask();
		}
		else if (!notifyRefused()) {
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

	/* A command was sent for a lease that lasts until this time. */
	private void sent(long end) {
		if (end - this.leaseEnd > 0) {
			this.leaseEnd = end;
		}
	}

	/* The store has answered, and may have something of this attempt from now on. */
	private void answered(boolean mayBeInStore) {
		this.mayBeInStore |= mayBeInStore;
		this.unknown = false;
		this.failures = 0;
	}

	/* Whether it pauses after a failure before it asks the store again. */
	boolean pauses() {
		return this.failures > 0 && !isUnderWay();
	}

	/* The store can be reached again: the pause ends at this time at the latest. */
	void endPause(long moment) {
		if (pauses()) {
			this.due = Alarm.earlier(this.due, moment);
		}
	}

	/* Refuse the callers that do not wait, and ask at once for the others. */
	private void refuseTries() {
		this.trial = Trial.ENDED;
		if (!notifyRefused()) {
			ask();
		}
	}

	/*
	 * Notify all callers of the store's refusal; callers that only try once leave with
	 * it. Return whether the attempt has ended with that.
	 */
	private boolean notifyRefused() {
		Waiter.Outcome.Refused refusal = (this.refusal != null) ? this.refusal : Waiter.Outcome.Refused.UNKNOWN;
		this.lock.waiters().notifyAllBusy(() -> refusal, this.core.now());
		return this.lock.endIfUnwanted();
	}

	/*
	 * Report a problem with the requests for the key: different numbers of permits, or
	 * too many readers.
	 */
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
			// It is the turn of callers of another kind by now, or no caller is left.
			return;
		}
		if (this.forced) {
			// The store has answered: callers that only try are refused, others wait on.
			refuseTries();
			return;
		}
		Waiter head = this.lock.waiters().first();
		long now = this.core.nowNoticingSleep();
		long age = now - call.sent;
		LeaseTiming timing = call.timing;
		boolean late = age - Math.min(timing.timeout().toNanos(), timing.valid()) > 0;
		if (!head.timing.equals(timing) || late) {
			// It is another caller's turn by now, or too little of the lease is left. An
			// answer is late, for example, if its command waited for a connection.
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
		if (!call.queued && answer.placed() && continuesTrial(call, now)) {
			return;
		}
		if (!call.queued || this.hinted) {
			refuseTries();
		}
		else if (!notifyRefused()) {
			this.due = now + call.timing.untilNextAsk(now - call.sent, answer.remaining(), this.core.chance());
		}
	}

	/*
	 * Callers that try once have a place behind an instance that may be keeping the key
	 * idle. Return whether they wait until that instance releases the key.
	 */
	private boolean continuesTrial(Call call, long now) {
		if (this.trial == Trial.PENDING) {
			this.trial = Trial.RUNNING;
			this.trialEnd = now + call.timing.trial().toNanos();
		}
		if (this.inUse || this.trialEnd - now <= 0) {
			this.trial = Trial.ENDED;
		}
		if (this.trial != Trial.RUNNING) {
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
		this.trial = Trial.ENDED;
		this.mayBeInStore |= !(cause instanceof LockStoreException) || cause instanceof OutcomeUnknownException;
		this.unknown |= cause instanceof OutcomeUnknownException;
		this.failures++;
		// After a failure, waiting callers ask at least as often as while another attempt
		// has the key.
		long now = this.core.now();
		long pause = Math.min(StoreCalls.backoff(this.failures, this.core.chance()),
				call.timing.nextPoll(this.core.chance()));
		WaitQueue waiters = this.lock.waiters();
		if (cause instanceof NotConnectedException) {
			pause = waiters.disconnected(cause, now, pause, !this.unknown);
		}
		else if (!this.unknown) {
			waiters.failAllUnanswered(cause);
		}
		else {
			waiters.failUnanswered(cause, now + pause);
		}
		if (!this.lock.endIfUnwanted() && isCurrent() && !isUnderWay()) {
			this.due = now + pause;
		}
	}

	/**
	 * A command that requests the key for the attempt.
	 */
	private final class Call extends StoreCall<AcquireAnswer> {

		/** The timing that was requested. */
		private final LeaseTiming timing;

		/**
		 * Whether the command takes a place in any case, and not only if the key is idle.
		 */
		private final boolean queued;

		private final AcquireCommand command;

		/* Created for all waiting callers, with the lease of the first one. */
		private Call() {
			super(Attempt.this.lock);
			WaitQueue waiters = this.lock.waiters();
			Waiter head = waiters.first();
			this.timing = head.timing;
			this.queued = waiters.anyWaits();
			long now = this.core.nowNoticingSleep();
			this.core.noticeSleepFor(this.timing, now);
			Attempt.this.sent(now + this.timing.length());
			Attempt.this.lingers &= !head.kind.isShared()
					&& this.core.idleLeases.time(head.key, this.timing, head.rules) > 0;
			boolean several = Attempt.this.lingers || waiters.size() > 1;
			Duration poll = this.queued ? this.timing.poll() : this.timing.trial();
			this.command = new AcquireCommand(this.lock.key, Attempt.this.id, this.core.label(head.thread),
					this.timing.lease().duration(), several ? TokenBlock.SIZE : 1, Attempt.this.lingers, poll,
					!this.queued, waiters.answerTimeout(this.timing, now));
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
				this.core.recordStoreAnswer();
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
				// Callers do not notice this: they continue to wait, with another
				// attempt.
				this.lock.restart();
			}
			else if (cause != null) {
				attempt.failed(this, cause);
			}
		}

		/*
		 * The command may have been granted, so the store may have something of the
		 * attempt.
		 */
		@Override
		void abort(Throwable cause) {
			super.abort(cause);
			Attempt.this.mayBeInStore = true;
		}

		@Override
		void answeredLate(AcquireAnswer answer) {
			Attempt attempt = Attempt.this;
			boolean failed = attempt.lease != null && attempt.lease.hasFailed();
			if (answer instanceof AcquireAnswer.Granted && !attempt.isCurrent() && !failed
					&& this.lock.leaseOf(attempt.id) == null) {
				// The attempt was undone already, but that command may have been lost.
				// Tokens of an earlier answer may have been used. The lease is not
				// released if it has failed, because its holders may still be working.
				this.lock.undo(attempt.id, ReleaseCommand.UNKNOWN, attempt.leaseEnd, Duration.ZERO);
			}
		}

	}

	private enum Trial {

		PENDING, RUNNING, ENDED

	}

}
