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
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A cohort's try to get its key from the store, on behalf of all who wait in it. One
 * command at a time; everything here is guarded by the cohort's lock.
 */
final class Attempt implements Timed {

	/* A lease that is over by the store's clock is gone a moment later at most. */
	private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(10);

	final AttemptId id;

	private final Cohort cohort;

	private final Core core;

	private final long start;

	private final Alarm alarm = new Alarm(this);

	private boolean inFlight;

	/** Whether the command under way, or the last one, asked for a place. */
	private boolean queued;

	/** Whether the store may have something of this attempt, whatever is under way. */
	private boolean leftTraces;

	/** Whether to ask again at once when the answer under way says no. */
	private boolean hinted;

	/** Commands that failed since the last answer. */
	private int failures;

	/** Until when the store may keep the key for this attempt. */
	private long leaseEnd;

	private @Nullable Busyness busy;

	Attempt(Cohort cohort, Core core) {
		this.id = core.nextAttempt();
		this.cohort = cohort;
		this.core = core;
		this.start = core.now();
		this.leaseEnd = this.start;
	}

	/* What the store said last; null while it has said nothing, or fails. */
	@Nullable Busyness busy() {
		return (this.failures == 0) ? this.busy : null;
	}

	/* Somebody who has had no answer waits for one. */
	void urge() {
		if (!this.inFlight) {
			ask();
		}
	}

	/* The store hints that the key is reserved for this attempt. */
	void hint() {
		if (this.inFlight) {
			this.hinted = true;
		}
		else {
			ask();
		}
	}

	/* Nobody waits any more: undo what the store may have. */
	void end() {
		this.core.watchdog().cancel(this.alarm);
		if (this.inFlight || this.leftTraces) {
			this.cohort.undo(this.id, ReleaseCommand.NONE);
		}
	}

	@Override
	public void proceed(long now, RenewalBatch renewals) {
		this.cohort.change(() -> {
			if (this.cohort.pursues(this) && !this.inFlight) {
				ask();
			}
		});
	}

	private void ask() {
		Waiter head = this.cohort.room.first();
		Terms terms = head.terms;
		this.core.watchdog().cancel(this.alarm);
		this.inFlight = true;
		this.hinted = false;
		this.queued = this.cohort.room.anyPatient();
		long left = this.start + terms.timeout().toNanos() - this.core.now();
		Duration timeout = (this.busy == null && left > 0) ? Duration.ofNanos(left) : terms.timeout();
		AcquireCommand command = new AcquireCommand(this.cohort.key, this.id, this.core.label(head.thread),
				terms.lease().duration(), this.queued ? terms.poll() : Duration.ZERO, timeout);
		this.cohort.afterwards(() -> send(command, terms));
	}

	private void send(AcquireCommand command, Terms terms) {
		long sent = this.core.now();
		var unused = Core.ask(() -> this.core.store().acquire(command))
			.whenComplete((answer, ex) -> this.cohort.change(() -> answered(sent, terms, answer, ex)));
	}

	private void answered(long sent, Terms terms, @Nullable AcquireAnswer answer, @Nullable Throwable ex) {
		this.inFlight = false;
		if (sent + terms.length() - this.leaseEnd > 0) {
			this.leaseEnd = sent + terms.length();
		}
		if (!this.cohort.pursues(this)) {
			if (answer instanceof AcquireAnswer.Granted) {
				// It was undone already, unless that command was lost; tokens of a
				// former answer may have been used.
				this.cohort.undo(this.id, ReleaseCommand.UNKNOWN);
			}
		}
		else if (answer instanceof AcquireAnswer.Granted granted) {
			granted(sent, terms, granted);
		}
		else if (answer instanceof AcquireAnswer.Busy refusal) {
			refused(sent, terms, refusal);
		}
		else {
			failed(terms, Core.cause(ex));
		}
	}

	private void granted(long sent, Terms terms, AcquireAnswer.Granted answer) {
		this.leftTraces = true;
		this.failures = 0;
		boolean outlives = this.leaseEnd - sent - terms.length() > 0;
		Waiter head = this.cohort.room.first();
		if (!head.terms.equals(terms) || this.core.now() - sent - terms.valid() >= 0) {
			// Another caller's turn by now, or too late: this lease is not the head's.
			ask();
			return;
		}
		this.cohort.granted(new Grant(this.id, this.cohort, this.core, answer, terms, sent, outlives), head);
	}

	private void refused(long sent, Terms terms, AcquireAnswer.Busy answer) {
		this.leftTraces |= this.queued;
		this.failures = 0;
		Busyness busy = new Busyness(answer.holder(), answer.remaining());
		this.busy = busy;
		long now = this.core.now();
		this.cohort.room.allKnow(busy, now);
		if (this.cohort.endIfUnwanted()) {
			return;
		}
		if (!this.queued || this.hinted) {
			ask();
			return;
		}
		long poll = sent + terms.nextPoll();
		long free = now + answer.remaining().toNanos() + GRACE;
		this.core.watchdog().set(this.alarm, (poll - free < 0) ? poll : free);
	}

	private void failed(Terms terms, Throwable cause) {
		this.leftTraces = true;
		this.failures++;
		long again = this.core.now() + Backoff.after(this.failures);
		boolean timeLeft = again - this.start - terms.timeout().toNanos() < 0;
		if (!(cause instanceof OutcomeUnknownException && this.failures == 1 && timeLeft)) {
			this.cohort.room.allUnansweredFail(cause);
		}
		if (!this.cohort.endIfUnwanted()) {
			this.core.watchdog().set(this.alarm, again);
		}
	}

}
