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

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * A cohort's try to get its key from the store, on behalf of all who wait in it. One
 * command at a time; everything here is guarded by the cohort's lock.
 */
final class Attempt extends TimerWheel.Alarm implements Cohort.State {

	final AttemptId id;

	final Cohort cohort;

	private final Core core;

	private final long start;

	boolean inFlight;

	/** Whether that is the release by which it takes its place. */
	private boolean requeued;

	/** When the store has broken its promise to answer that. */
	private long overdue;

	private @Nullable AcquireCall call;

	/** Whether to ask again at once when the answer under way says no. */
	boolean hinted;

	/** Whether the store may have something of it, by the answers to its commands. */
	private boolean left;

	/** Whether a command since the last answer may have been granted. */
	private boolean unknown;

	/** Commands that failed since the last answer. */
	private int failures;

	/** When it asks again after the last failure. */
	private long again;

	/** Until when the store may keep the key for this attempt. */
	private long leaseEnd;

	/** Whether others are said to wait, which may be heard before the answer. */
	boolean contended;

	/** Whether the key was taken from it, maybe after what the answer under way says. */
	boolean forced;

	/** Whether the key is said to be held, which may be heard before the answer. */
	boolean inUse;

	/** Tries without waiting stay for a moment, once, where the key may be idle. */
	Trial trial = Trial.TO_COME;

	long trialEnd;

	/** Whether each command was for a grant that may linger. */
	boolean lingers = true;

	Waiter.Outcome.@Nullable Refused refusal;

	Attempt(Cohort cohort, AttemptId id) {
		this.id = id;
		this.cohort = cohort;
		this.core = cohort.core();
		this.start = this.core.nowNoticingSleep();
		this.leaseEnd = this.start;
	}

	/* Whether it asks as a caller does. */
	@Override
	public boolean isFor(Waiter waiter) {
		return waiter.kind.equals(this.id.kind());
	}

	/* What the store said last; null while that settles nothing, or it fails. */
	@Override
	public Waiter.Outcome.@Nullable Refused refusal(long now) {
		return (this.failures > 0 || this.trial == Trial.ON) ? null : this.refusal;
	}

	@Override
	public void save(Steps.Guard guard) {
		guard.keep(this);
	}

	@Override
	public Object copy() {
		try {
			return clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void revert(Object before) {
		Attempt attempt = (Attempt) before;
		this.inFlight = attempt.inFlight;
		this.requeued = attempt.requeued;
		this.overdue = attempt.overdue;
		this.call = attempt.call;
		this.hinted = attempt.hinted;
		this.left = attempt.left;
		this.unknown = attempt.unknown;
		this.failures = attempt.failures;
		this.again = attempt.again;
		this.leaseEnd = attempt.leaseEnd;
		this.contended = attempt.contended;
		this.forced = attempt.forced;
		this.inUse = attempt.inUse;
		this.trial = attempt.trial;
		this.trialEnd = attempt.trialEnd;
		this.lingers = attempt.lingers;
		this.refusal = attempt.refusal;
	}

	@Override
	public void lookAgain(long now) {
		this.core.watchdog().set(this, now);
	}

	/* Whether the cohort has no other one, and nothing else, by now. */
	boolean isCurrent() {
		return this.cohort.state() == this;
	}

	/* Somebody who has had no answer waits for one. */
	@Override
	public void pursue() {
		if (!this.inFlight && this.trial != Trial.ON) {
			ask();
		}
	}

	/* The store hints that the key is reserved for this attempt. */
	void hint() {
		this.hinted = true;
		if (!this.inFlight) {
			ask();
		}
	}

	/* Its owner hints that it does not keep the key idle. */
	void inUse() {
		this.inUse = true;
		if (!this.inFlight && this.trial == Trial.ON) {
			turnAway();
		}
	}

	/* Nobody waits any more: undo what the store may have. */
	@Override
	public boolean giveUp() {
		cancel();
		if (this.inFlight || this.left) {
			this.cohort.undo(this.id, ReleaseCommand.NONE, this.leaseEnd);
		}
		return true;
	}

	/* The release that is about to be sent takes its place, behind those who wait. */
	void expectPlace(Terms terms) {
		this.inFlight = true;
		this.requeued = true;
		sent(this.start + terms.length());
		this.refusal = Waiter.Outcome.Refused.UNKNOWN;
		this.overdue = this.start + 2 * terms.timeout().toNanos();
		this.core.watchdog().set(this, this.overdue);
	}

	/* That release was answered. */
	void placed(long sent, Terms terms, @Nullable ReleaseAnswer answer) {
		boolean late = !this.requeued;
		answered(true);
		if (late) {
			// It has asked by itself.
			return;
		}
		this.inFlight = false;
		this.requeued = false;
		if (!isCurrent()) {
			return;
		}
		if (this.hinted || answer == null || answer.next() != ReleaseAnswer.Next.OTHER) {
			ask();
		}
		else if (!isLeftByAll()) {
			this.core.watchdog().set(this, sent + terms.nextPoll(this.core.chance()));
		}
	}

	@Override
	public void proceed(long now) {
		this.cohort.change(() -> {
			if (!isCurrent()) {
				return;
			}
			if (this.inFlight) {
				awaitAnswer(now);
			}
			else if (this.trial != Trial.ON) {
				pursue();
			}
			else if (this.trialEnd - now <= 0) {
				turnAway();
			}
			else {
				this.core.watchdog().set(this, this.trialEnd);
			}
		});
	}

	/* As long as the store may take, and as much again. */
	private void awaitAnswer(long now) {
		AcquireCall call = this.call;
		if (this.overdue - now > 0) {
			this.core.watchdog().set(this, this.overdue);
		}
		else if (this.requeued) {
			this.requeued = false;
			this.left = true;
			ask();
		}
		else if (call != null) {
			call.giveUp();
		}
	}

	/* Whether the answer to a command counts. */
	boolean awaits(AcquireCall call) {
		return this.call == call;
	}

	/* It counts no more, whenever it comes. */
	void endCall(AcquireCall call) {
		if (awaits(call)) {
			this.call = null;
		}
	}

	/* No command is under way, or the answer to that counts no more. */
	void cancel() {
		this.core.watchdog().cancel(this);
	}

	void ask() {
		this.inFlight = true;
		this.hinted = false;
		this.forced = false;
		this.inUse = false;
		AcquireCall call = new AcquireCall(this, this.cohort);
		call.begin();
		this.call = call;
		this.overdue = this.core.now() + 2 * call.timeout().toNanos() + this.core.connecting();
		this.core.watchdog().set(this, this.overdue);
	}

	/* A command for a lease until some moment was sent. */
	void sent(long end) {
		if (end - this.leaseEnd > 0) {
			this.leaseEnd = end;
		}
	}

	/* Until when the store may keep the key for this attempt. */
	long leaseEnd() {
		return this.leaseEnd;
	}

	/* The store has answered, and may have something from now on. */
	void answered(boolean left) {
		this.left |= left;
		this.unknown = false;
		this.failures = 0;
	}

	/* How long to leave the store alone after a failure. */
	long failed(Throwable cause) {
		this.left |= !hadNoEffect(cause);
		this.failures++;
		this.unknown |= cause instanceof OutcomeUnknownException;
		return StoreCalls.backoff(this.failures, this.core.chance());
	}

	/* After a failure, or sooner where the store is said to answer. */
	void askAgain(long moment) {
		this.again = moment;
		this.core.watchdog().set(this, moment);
	}

	/* Whether it leaves the store alone after a failure. */
	boolean pauses() {
		return this.failures > 0 && !this.inFlight && isCurrent();
	}

	/* The store can be reached again: its pause ends by some moment. */
	void endPause(long moment) {
		if (pauses() && this.again - moment > 0) {
			askAgain(moment);
		}
	}

	private static boolean hadNoEffect(Throwable cause) {
		return cause instanceof LockStoreException && !(cause instanceof OutcomeUnknownException);
	}

	/* Whether the last failure can't have been a grant. */
	boolean isKnown() {
		return !this.unknown;
	}

	/* Who does not wait goes; for the others it goes on at once. */
	void turnAway() {
		this.trial = Trial.OVER;
		if (!isLeftByAll()) {
			ask();
		}
	}

	/* All hear what the store has said, and some have waited for no more than that. */
	boolean isLeftByAll() {
		this.cohort.waiters()
			.allKnow((this.refusal != null) ? this.refusal : Waiter.Outcome.Refused.UNKNOWN, this.core.now());
		return this.cohort.endIfUnwanted();
	}

	enum Trial {

		TO_COME, ON, OVER

	}

}
