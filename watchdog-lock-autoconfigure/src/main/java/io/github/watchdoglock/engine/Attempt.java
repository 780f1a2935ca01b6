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

import org.jspecify.annotations.Nullable;

/**
 * A cohort's try to get its key from the store, on behalf of all who wait in it. One
 * command at a time; everything here is guarded by the cohort's lock.
 */
final class Attempt extends Alarm {

	final AttemptId id;

	private final Cohort cohort;

	private final Core core;

	private final long start;

	private boolean inFlight;

	/** Whether the command under way, or the last one, asked for a place. */
	private boolean queued;

	/** Whether to ask again at once when the answer under way says no. */
	private boolean hinted;

	private final Traces traces;

	/** Whether others are said to wait, which may be heard before the answer. */
	boolean contended;

	/** Whether the key was taken from it, maybe after what the answer under way says. */
	boolean forced;

	private @Nullable Busyness busy;

	Attempt(Cohort cohort, AttemptId id) {
		this.id = id;
		this.cohort = cohort;
		this.core = cohort.core();
		this.start = this.core.look();
		this.traces = new Traces(this.start);
	}

	/* What the store said last; null while it has said nothing, or fails. */
	@Nullable Busyness busy() {
		return this.traces.isFailing() ? null : this.busy;
	}

	/* Somebody who has had no answer waits for one. */
	void urge() {
		if (!this.inFlight) {
			ask();
		}
	}

	/* The store hints that the key is reserved for this attempt. */
	void hint() {
		this.hinted = true;
		urge();
	}

	/* Nobody waits any more: undo what the store may have. */
	void end() {
		this.core.watchdog().cancel(this);
		if (this.inFlight || this.traces.areLeft()) {
			this.cohort.undo(this.id, ReleaseCommand.NONE, this.traces.leaseEnd());
		}
	}

	/* The release that is about to be sent takes its place, behind those who wait. */
	void expectPlace(Terms terms) {
		this.inFlight = true;
		this.traces.sent(this.start + terms.length());
		this.busy = Busyness.UNKNOWN;
	}

	/* That release was answered. */
	void placed(long sent, Terms terms, @Nullable ReleaseAnswer answer) {
		this.inFlight = false;
		this.traces.answered(true);
		if (!this.cohort.pursues(this)) {
			return;
		}
		if (!this.hinted && answer != null && answer.next() == ReleaseAnswer.Next.OTHER) {
			this.core.watchdog().set(this, sent + terms.nextPoll());
		}
		else {
			ask();
		}
	}

	@Override
	void proceed(long now, RenewalBatch renewals) {
		this.cohort.change(() -> {
			if (this.cohort.pursues(this)) {
				urge();
			}
		});
	}

	private void ask() {
		Waiter head = this.cohort.room().first();
		Terms terms = head.terms;
		this.core.watchdog().cancel(this);
		this.inFlight = true;
		this.hinted = false;
		this.forced = false;
		this.queued = this.cohort.room().anyPatient();
		this.traces.sent(this.core.now() + terms.length());
		long left = this.start + terms.timeout().toNanos() - this.core.now();
		Duration timeout = (this.busy == null && left > 0) ? Duration.ofNanos(left) : terms.timeout();
		int tokens = (this.cohort.room().size() > 1) ? TokenBlock.SIZE : 1;
		AcquireCommand command = new AcquireCommand(this.cohort.key, this.id, this.core.label(head.thread),
				terms.lease().duration(), tokens, false, this.queued ? terms.poll() : Duration.ZERO, false, timeout);
		this.cohort.afterwards(() -> send(command, terms));
	}

	private void send(AcquireCommand command, Terms terms) {
		long sent = this.core.look();
		var unused = StoreCalls.ask(() -> this.core.store().acquire(command))
			.whenComplete((answer, ex) -> this.cohort.change(() -> answered(sent, terms, answer, ex)));
	}

	private void answered(long sent, Terms terms, @Nullable AcquireAnswer answer, @Nullable Throwable ex) {
		this.inFlight = false;
		this.traces.sent(sent + terms.length());
		if (!this.cohort.pursues(this)) {
			if (answer instanceof AcquireAnswer.Granted) {
				// It was undone already, unless that command was lost; tokens of a
				// former answer may have been used.
				this.cohort.undo(this.id, ReleaseCommand.UNKNOWN, this.traces.leaseEnd());
			}
		}
		else if (answer instanceof AcquireAnswer.Granted granted) {
			granted(sent, terms, granted);
		}
		else if (answer instanceof AcquireAnswer.Busy refusal) {
			refused(sent, terms, refusal);
		}
		else if (answer instanceof AcquireAnswer.Ended) {
			this.cohort.beginAnew(this);
		}
		else {
			failed(terms, StoreCalls.cause(ex));
		}
	}

	private void granted(long sent, Terms terms, AcquireAnswer.Granted answer) {
		this.traces.answered(true);
		Waiter head = this.cohort.room().first();
		if (!head.terms.equals(terms) || this.forced || isLate(this.core.look() - sent, terms)) {
			// Another caller's turn by now, or too little is left: not the head's lease.
			ask();
			return;
		}
		Grant grant = new Grant(this.id, this.cohort, answer, terms, sent, this.traces.leaseEnd());
		if (answer.contended() || this.contended) {
			HandOffs.contended(grant, this.core.now());
		}
		this.cohort.occupy(grant, head, grant.firstToken, null);
		WatchdogTurn.watch(grant);
		Reception.tell(this.cohort, this.core.now());
	}

	/* Later than an answer may be, as that to a command which waited for a connection. */
	private static boolean isLate(long age, Terms terms) {
		return age - Math.min(terms.timeout().toNanos(), terms.valid()) > 0;
	}

	private void refused(long sent, Terms terms, AcquireAnswer.Busy answer) {
		this.traces.answered(this.queued);
		long now = this.core.now();
		this.busy = new Busyness(answer.holder(), answer.remaining());
		this.cohort.room().allKnow(this.busy, now);
		if (this.cohort.endIfUnwanted()) {
			return;
		}
		if (!this.queued || this.hinted) {
			ask();
			return;
		}
		this.core.watchdog().set(this, now + terms.untilNextAsk(now - sent, answer.remaining()));
	}

	private void failed(Terms terms, Throwable cause) {
		long again = this.core.now() + this.traces.failed(cause);
		if (this.traces.areKnown() || again - this.start - terms.timeout().toNanos() >= 0) {
			this.cohort.room().allUnansweredFail(cause);
		}
		if (!this.cohort.endIfUnwanted()) {
			this.core.watchdog().set(this, again);
		}
	}

}
