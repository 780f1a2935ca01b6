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

import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.store.TokenBlock;
import org.jspecify.annotations.Nullable;

/**
 * A command of an attempt, and what becomes of it when that is answered. Methods are
 * parts of a step of the cohort.
 */
final class AcquireCall extends StoreCall<AcquireAnswer> {

	private final Attempt attempt;

	private final Core core;

	/** The terms that were asked for. */
	private final Terms terms;

	/** Whether a place was asked for, wherever others have the key. */
	private final boolean queued;

	private final AcquireCommand command;

	/* For all who wait, on the terms of the first. */
	AcquireCall(Attempt attempt, Cohort cohort) {
		super(cohort);
		this.attempt = attempt;
		this.core = cohort.core();
		Waiter head = cohort.waiters().first();
		this.terms = head.terms;
		this.queued = cohort.waiters().anyPatient();
		long now = this.core.now();
		this.core.noticeSleepFor(this.terms, now);
		this.attempt.sent(now + this.terms.length());
		this.attempt.lingers &= !head.kind.isShared()
				&& this.core.idleGrants().time(head.key, this.terms, head.rules) > 0;
		boolean several = this.attempt.lingers || this.cohort.waiters().size() > 1;
		this.command = new AcquireCommand(this.cohort.key, this.attempt.id, this.core.label(head.thread),
				this.terms.lease().duration(), several ? TokenBlock.SIZE : 1, this.attempt.lingers,
				this.queued ? this.terms.poll() : this.terms.trial(), !this.queued,
				cohort.waiters().mayTake(this.terms, this.core.now()));
	}

	void begin() {
		this.cohort.leave(this);
	}

	@Override
	CompletionStage<AcquireAnswer> send() {
		return this.core.store().acquire(this.command);
	}

	@Override
	Steps.Revertible subject() {
		return this.attempt;
	}

	/* Part of a step: the store does not answer, though it has promised to. */
	void giveUp() {
		answered(null, null);
		this.attempt.endCall(this);
	}

	Duration timeout() {
		return this.command.timeout();
	}

	@Override
	void answered(@Nullable AcquireAnswer answer, @Nullable Throwable ex) {
		if (!(ex != null && StoreCalls.cause(ex) instanceof NotConnectedException)) {
			this.core.heardFromStore();
		}
		this.attempt.sent(this.sent + this.terms.length());
		boolean awaited = this.attempt.awaits(this);
		if (awaited) {
			this.attempt.inFlight = false;
		}
		if (!this.attempt.isCurrent()) {
			if (answer instanceof AcquireAnswer.Granted && this.cohort.grantOf(this.attempt.id) == null) {
				// It was undone already, unless that command was lost; tokens of a
				// former answer may have been used.
				this.cohort.undo(this.attempt.id, ReleaseCommand.UNKNOWN, this.attempt.leaseEnd());
			}
		}
		else if (!awaited) {
			// Whatever it says, the attempt has given it up, and asks again.
			return;
		}
		else if (answer instanceof AcquireAnswer.Granted granted) {
			granted(granted);
		}
		else if (answer instanceof AcquireAnswer.Busy refusal) {
			refused(refusal);
		}
		else if (answer instanceof AcquireAnswer.Ended) {
			// Unnoticed: who waits does so with another attempt.
			this.attempt.cancel();
			this.cohort.vacate(null);
		}
		else {
			failed(StoreCalls.cause(ex));
		}
	}

	/* What is wrong with the requests for the key. */
	private void tell(@Nullable Kind other) {
		Kind own = this.attempt.id.kind();
		if (other != null && other.isPermit()) {
			this.cohort.afterwards(() -> this.core.events().permitsDiffer(this.cohort.key, own.most(), other.most()));
		}
		else if (other != null) {
			this.cohort.afterwards(() -> this.core.events().readersFull(this.cohort.key, own.most()));
		}
	}

	private void granted(AcquireAnswer.Granted answer) {
		tell(answer.other());
		this.attempt.answered(true);
		if (this.cohort.endIfUnwanted()) {
			// Callers of another kind have their turn by now.
			return;
		}
		Waiter head = this.cohort.waiters().first();
		if (!head.terms.equals(this.terms) || this.attempt.forced || isLate(this.core.nowNoticingSleep() - this.sent)) {
			// Another caller's turn by now, or too little is left: not the head's lease.
			this.attempt.ask();
			return;
		}
		this.attempt.cancel();
		Grant grant = this.attempt.id.kind().isShared()
				? new SharedGrant(this.attempt.id, this.cohort, answer, this.terms, this.sent, this.attempt.leaseEnd())
				: new Grant(this.attempt.id, this.cohort, answer, this.terms, this.sent, this.attempt.leaseEnd());
		if (this.attempt.lingers) {
			grant.budget().linger();
		}
		if (answer.contended() || this.attempt.contended) {
			grant.budget().contended(this.core.now());
		}
		Hold.begin(grant, head, grant.firstToken, () -> {
		});
		grant.watch();
		grant.begun();
	}

	/* Later than an answer may be, as that to a command which waited for a connection. */
	private boolean isLate(long age) {
		return age - Math.min(this.terms.timeout().toNanos(), this.terms.valid()) > 0;
	}

	private void refused(AcquireAnswer.Busy answer) {
		tell(answer.other());
		this.attempt.answered(answer.placed());
		this.attempt.refusal = new Waiter.Outcome.Refused(answer.holder(), answer.remaining());
		long now = this.core.now();
		if (!this.queued && answer.placed() && triesOn(now)) {
			return;
		}
		if (!this.queued || this.attempt.hinted) {
			this.attempt.turnAway();
		}
		else if (!this.attempt.isLeftByAll()) {
			this.core.watchdog()
				.set(this.attempt,
						now + this.terms.untilNextAsk(now - this.sent, answer.remaining(), this.core.chance()));
		}
	}

	/*
	 * Those who try have a place behind somebody who may be keeping the key idle. Answers
	 * whether they wait for that to give it back.
	 */
	private boolean triesOn(long now) {
		Attempt attempt = this.attempt;
		if (attempt.trial == Attempt.Trial.TO_COME) {
			attempt.trial = Attempt.Trial.ON;
			attempt.trialEnd = now + this.terms.trial().toNanos();
		}
		if (attempt.inUse || attempt.trialEnd - now <= 0) {
			attempt.trial = Attempt.Trial.OVER;
		}
		if (attempt.trial != Attempt.Trial.ON) {
			return false;
		}
		if (attempt.hinted) {
			attempt.ask();
		}
		else {
			this.core.watchdog().set(attempt, attempt.trialEnd);
		}
		return true;
	}

	private void failed(Throwable cause) {
		this.attempt.trial = Attempt.Trial.OVER;
		// Those who wait ask no less often than they do while others have the key.
		long now = this.core.now();
		long pause = Math.min(this.attempt.failed(cause), this.terms.nextPoll(this.core.chance()));
		if (cause instanceof NotConnectedException) {
			pause = this.cohort.waiters().disconnected(cause, now, pause, this.attempt.isKnown());
		}
		else if (this.attempt.isKnown()) {
			this.cohort.waiters().allUnansweredFail(cause);
		}
		else {
			this.cohort.waiters().unansweredFail(cause, now + pause);
		}
		if (!this.cohort.endIfUnwanted()) {
			this.attempt.askAgain(now + pause);
		}
	}

}
