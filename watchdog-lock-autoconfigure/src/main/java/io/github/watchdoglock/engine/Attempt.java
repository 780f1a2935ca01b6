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
 * An attempt of this instance to acquire a key from the store, for all its callers of one
 * kind. It asks, at most one command at a time, and ends with a lease, or when no caller
 * of its kind is first any more.
 * <p>
 * {@link State} names what it does. While it asks, messages and callers only note that
 * another command is needed. After a refusal it has a place in the store's queue, and
 * asks again when a message says that it is its turn, or at the next poll, because
 * messages may get lost. After a failure it pauses ({@link Failures}). Callers without a
 * wait time are refused with the first answer, or after a moment if the key may be idle
 * elsewhere ({@link Trial}).
 * <p>
 * It may also begin with a release that takes a place for it: {@link HandOff} creates it
 * ({@link Owner#newAttemptInRelease}), the end of the lease makes it the present attempt
 * of its key, and the answer to the release ({@link #placed}) lets it continue.
 * <p>
 * Commands whose answers are missing may still be granted. So an attempt that ends undoes
 * all that it may have in the store, and its number is never used again
 * ({@code Record.tla}).
 */
final class Attempt {

	final AttemptId id;

	private final Owner lock;

	private final EngineContext context;

	private final long start;

	/** When to ask again, or to stop trying; not set while a command has no answer. */
	private long due = Alarm.NEVER;

	/**
	 * Whether a command has no answer yet: a request, or a release that also takes a
	 * place for this attempt.
	 */
	private boolean underWay;

	/** Whether to ask again at once if the pending answer is a refusal. */
	private boolean hinted;

	/**
	 * Whether the store may have something of this attempt, according to the answers to
	 * its commands.
	 */
	private boolean mayBeInStore;

	/** The lease that it was granted, if any. */
	private @Nullable GrantedLease lease;

	/** The failures since the last answer; null if there are none. */
	private @Nullable Failures failures;

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

	/** Null until the key may be idle at another instance. */
	private @Nullable Trial trial;

	/** Whether each command so far requested a lease that may be kept idle. */
	private boolean lingers = true;

	private Waiter.Outcome.@Nullable Refused refusal;

	Attempt(Owner lock, AttemptId id, long now) {
		this.id = id;
		this.lock = lock;
		this.context = lock.tasks().context();
		this.start = now;
		this.leaseEnd = this.start;
	}

	/* Whether it requests the key in the same kind as this caller. */
	boolean isFor(Waiter waiter) {
		return waiter.kind.equals(this.id.kind());
	}

	/*
	 * Return the refusal for callers without a wait time, the store's last one; null if
	 * there is none yet, while it is not final (a trial), or while the store fails.
	 */
	@Nullable Supplier<Waiter.Outcome.Refused> refusal() {
		Waiter.Outcome.Refused refusal = this.refusal;
		return (refusal == null || this.failures != null || isTrying()) ? null : () -> refusal;
	}

	/*
	 * Whether it is still the attempt of its key, which may have another one or a lease
	 * by now.
	 */
	private boolean isCurrent() {
		return this.lock.attempt() == this;
	}

	private State state() {
		if (this.underWay) {
			return State.ASKING;
		}
		if (isTrying()) {
			return State.TRYING;
		}
		return (this.failures != null) ? State.PAUSING : State.WAITING;
	}

	/*
	 * Whether callers without a wait time wait for a moment, possibly while another
	 * command is under way.
	 */
	private boolean isTrying() {
		return this.trial != null && this.trial.running;
	}

	private Trial trial() {
		Trial trial = (this.trial != null) ? this.trial : new Trial();
		this.trial = trial;
		return trial;
	}

	long due() {
		return this.due;
	}

	/* Called when its due time has come. */
	void processDue(long now) {
		this.due = Alarm.NEVER;
		switch (state()) {
			case WAITING, PAUSING -> ask();
			case TRYING -> continueTrial(now);
			case ASKING -> {
				// The answer decides.
			}
		}
	}

	private void continueTrial(long now) {
		if (this.hinted) {
			ask();
		}
		else if (trial().until - now <= 0) {
			refuseTriesAndAsk();
		}
		else {
			this.due = trial().until;
		}
	}

	/* A caller has arrived that waits for an answer: ask the store. */
	void askUnlessPending() {
		switch (state()) {
			case WAITING, PAUSING -> ask();
			case ASKING, TRYING -> {
				// The caller gets the same answer.
			}
		}
	}

	/* A message says that the key is reserved for this attempt. */
	void hint() {
		this.hinted = true;
		if (!this.underWay) {
			ask();
		}
	}

	/*
	 * A message may have been lost: ask by this time, or again if the pending answer,
	 * which may be older than the message, is a refusal.
	 */
	void askBy(long moment) {
		this.hinted = true;
		if (!this.underWay) {
			this.due = Alarm.earlier(this.due, moment);
		}
	}

	/* A message says that the holder of the key does not keep it idle. */
	void inUse() {
		trial().inUse = true;
		if (state() == State.TRYING) {
			refuseTriesAndAsk();
		}
	}

	/* No caller waits any more: undo what the store may have of this attempt. */
	void giveUp() {
		if (this.underWay || this.mayBeInStore) {
			this.lock.tasks().undo(this.id, ReleaseCommand.NONE, this.leaseEnd, Duration.ZERO);
		}
	}

	/*
	 * A release that is about to be sent takes a place for this attempt, behind those
	 * that wait.
	 */
	void expectPlace(LeaseTiming timing) {
		this.underWay = true;
		mayLast(this.start + timing.length());
		this.refusal = Waiter.Outcome.Refused.UNKNOWN;
	}

	/* Return how the release takes this place. */
	ReleaseCommand.Requeue placeInRelease(LeaseTiming timing) {
		return new ReleaseCommand.Requeue(this.id, timing.poll());
	}

	/* The release that takes the place was answered. */
	void placed(long sent, LeaseTiming timing, @Nullable ReleaseAnswer answer) {
		this.underWay = false;
		noteAnswer(true);
		if (!isCurrent()) {
			return;
		}
		if (this.hinted || answer == null || answer.next() != ReleaseAnswer.Next.OTHER) {
			ask();
		}
		else if (!tellRefused()) {
			this.due = sent + timing.pollInterval(this.context.chance());
		}
	}

	private void ask() {
		this.due = Alarm.NEVER;
		this.hinted = false;
		this.forced = false;
		if (this.trial != null) {
			this.trial.inUse = false;
		}
		AcquireCall call = new AcquireCall();
		this.underWay = true;
		call.send();
	}

	/* A command was sent for a lease that lasts until this time. */
	private void mayLast(long end) {
		if (end - this.leaseEnd > 0) {
			this.leaseEnd = end;
		}
	}

	/* The store has answered, and may have something of this attempt from now on. */
	private void noteAnswer(boolean mayBeInStore) {
		this.mayBeInStore |= mayBeInStore;
		this.failures = null;
	}

	/*
	 * Whether it pauses after a failure before it asks the store again. May be called by
	 * any thread, as an estimate.
	 */
	boolean pauses() {
		return this.failures != null && !this.underWay;
	}

	/* The store can be reached again: the pause ends at this time at the latest. */
	void endPause(long moment) {
		if (pauses()) {
			this.due = Alarm.earlier(this.due, moment);
		}
	}

	/* Refuse the callers without a wait time, and ask at once for the others. */
	private void refuseTriesAndAsk() {
		trial().end();
		if (!tellRefused()) {
			ask();
		}
	}

	/*
	 * Tell all callers that the store has refused; callers without a wait time leave with
	 * it. Return whether the attempt has ended with that.
	 */
	private boolean tellRefused() {
		Waiter.Outcome.Refused refusal = (this.refusal != null) ? this.refusal : Waiter.Outcome.Refused.UNKNOWN;
		this.lock.waiters().tellAllBusy(() -> refusal, this.context.now());
		return this.lock.reconsiderAttempt();
	}

	/*
	 * Report a problem with the requests for the key: different numbers of permits, or
	 * too many readers.
	 */
	private void report(@Nullable Kind other) {
		if (other != null && other.isPermit()) {
			this.context.events.permitsDiffer(this.lock.tasks().key, this.id.kind().most(), other.most());
		}
		else if (other != null) {
			this.context.events.readersFull(this.lock.tasks().key, this.id.kind().most());
		}
	}

	private void granted(AcquireCall call, AcquireAnswer.Granted answer) {
		report(answer.other());
		noteAnswer(true);
		if (this.lock.reconsiderAttempt()) {
			// It is the turn of callers of another kind by now, or no caller is left.
			return;
		}
		if (this.forced) {
			// The store has answered: callers without a wait time are refused.
			refuseTriesAndAsk();
			return;
		}
		Waiter head = this.lock.waiters().first();
		long now = this.context.nowNoticingSleep();
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
			lease.budgetForChange().contended(now);
		}
		this.lease = lease;
		this.lock.granted(lease, now);
	}

	private void refused(AcquireCall call, AcquireAnswer.Busy answer) {
		report(answer.other());
		noteAnswer(answer.placed());
		this.refusal = new Waiter.Outcome.Refused(answer.holder(), answer.remaining());
		long now = this.context.now();
		if (!call.takesPlace && answer.placed() && trial().startOrEnd(call.timing, now)) {
			// They have a place behind an instance that may be keeping the key idle.
			continueTrial(now);
			return;
		}
		if (!call.takesPlace || this.hinted) {
			// Callers that wait may have arrived since the command was sent.
			refuseTriesAndAsk();
		}
		else if (!tellRefused()) {
			this.due = now + call.timing.untilNextAsk(now - call.sent, answer.remaining(), this.context.chance());
		}
	}

	private void failed(AcquireCall call, Throwable cause) {
		trial().end();
		this.mayBeInStore |= !(cause instanceof LockStoreException) || cause instanceof OutcomeUnknownException;
		Failures failures = Failures.after(this.failures, cause);
		this.failures = failures;
		// After a failure, waiting callers ask at least as often as while another attempt
		// has the key.
		long now = this.context.now();
		long pause = Math.min(StoreCalls.backoff(failures.count, this.context.chance()),
				call.timing.pollInterval(this.context.chance()));
		WaitQueue waiters = this.lock.waiters();
		if (cause instanceof NotConnectedException) {
			pause = waiters.disconnected(cause, now, pause, !failures.unknown);
		}
		else if (!failures.unknown) {
			waiters.failAllUntold(cause);
		}
		else {
			// The command may have been granted, and another one may show that.
			waiters.failUntold(cause, now + pause);
		}
		if (!this.lock.reconsiderAttempt()) {
			this.due = now + pause;
		}
	}

	/**
	 * The present step of an attempt.
	 */
	private enum State {

		/** A command is under way: its answer decides. */
		ASKING,

		/**
		 * It asks when a message says that it is its turn, or at the next poll; a new
		 * attempt at once.
		 */
		WAITING,

		/**
		 * Callers without a wait time wait for an instance that may keep the key idle.
		 */
		TRYING,

		/** The store has failed: it asks again when the pause ends. */
		PAUSING

	}

	/**
	 * A command that requests the key for the attempt.
	 */
	private final class AcquireCall extends StoreCall<AcquireAnswer> {

		/** The timing that was requested. */
		private final LeaseTiming timing;

		/**
		 * Whether the command takes a place in any case, and not only if the key is idle.
		 */
		private final boolean takesPlace;

		private final AcquireCommand command;

		/* Created for all waiting callers, with the lease of the first one. */
		private AcquireCall() {
			super(Attempt.this.lock.tasks());
			WaitQueue waiters = Attempt.this.lock.waiters();
			Waiter head = waiters.first();
			this.timing = head.timing;
			this.takesPlace = waiters.anyWaits();
			long now = this.context.nowNoticingSleep();
			this.context.noticeSleepFor(this.timing, now);
			// An undo after an error needs it already now.
			Attempt.this.mayLast(now + this.timing.length());
			Attempt.this.lingers &= !head.kind.isShared()
					&& this.context.idleLeases.time(head.key, this.timing, head.rules) > 0;
			boolean several = Attempt.this.lingers || waiters.size() > 1;
			Duration poll = this.takesPlace ? this.timing.poll() : this.timing.trial();
			this.command = new AcquireCommand(this.tasks.key, Attempt.this.id, this.context.label(head.thread),
					this.timing.lease().duration(), several ? TokenBlock.SIZE : 1, Attempt.this.lingers, poll,
					!this.takesPlace, waiters.answerTimeout(this.timing, now));
		}

		@Override
		Command kind() {
			return Command.ACQUIRE;
		}

		@Override
		CompletionStage<AcquireAnswer> ask() {
			return this.context.store.acquire(this.command);
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
				this.context.recordStoreAnswer();
			}
			attempt.mayLast(this.sent + this.timing.length());
			attempt.underWay = false;
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
				attempt.lock.restart();
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
			boolean failed = attempt.lease != null && attempt.lease.phase() == GrantedLease.Phase.FAILED;
			if (answer instanceof AcquireAnswer.Granted && !attempt.isCurrent() && !failed
					&& attempt.lock.leaseOf(attempt.id) == null) {
				// The attempt was undone already, but that command may have been lost.
				// Tokens of an earlier answer may have been used. The lease is not
				// released if it has failed, because its holders may still be working.
				this.tasks.undo(attempt.id, ReleaseCommand.UNKNOWN, attempt.leaseEnd, Duration.ZERO);
			}
		}

	}

	/**
	 * Callers without a wait time wait for a moment, once, if another instance may be
	 * keeping the key idle.
	 */
	private static final class Trial {

		private boolean running;

		private boolean ended;

		private long until;

		/**
		 * Whether a message said that the key is held and not idle; it may arrive before
		 * the answer.
		 */
		private boolean inUse;

		private boolean startOrEnd(LeaseTiming timing, long now) {
			if (!this.running && !this.ended) {
				this.running = true;
				this.until = now + timing.trial().toNanos();
			}
			if (this.inUse || this.until - now <= 0) {
				end();
			}
			return this.running;
		}

		private void end() {
			this.running = false;
			this.ended = true;
		}

	}

	/**
	 * Commands that have failed in a row.
	 *
	 * @param count their number
	 * @param unknown whether one of them may have been granted
	 */
	private record Failures(int count, boolean unknown) {

		private static Failures after(@Nullable Failures before, Throwable cause) {
			boolean unknown = cause instanceof OutcomeUnknownException;
			return (before != null) ? new Failures(before.count + 1, before.unknown || unknown)
					: new Failures(1, unknown);
		}

	}

	/**
	 * The key of an attempt. Methods are called within tasks of the key.
	 */
	interface Owner extends GrantedLease.Owner {

		/* The present attempt; null if there is none. */
		@Nullable Attempt attempt();

		/* Return the lease that an attempt was granted; null if there is none. */
		@Nullable GrantedLease leaseOf(AttemptId id);

		/* The store has granted a lease: it is the first caller's turn. */
		void granted(GrantedLease lease, long now);

		/* The attempt has ended without a lease. */
		void restart();

	}

}
