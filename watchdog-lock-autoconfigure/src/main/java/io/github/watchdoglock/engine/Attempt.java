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
final class Attempt extends Alarm implements Standing {

	final AttemptId id;

	private final Cohort cohort;

	private final Core core;

	final long start;

	boolean inFlight;

	/** Whether to ask again at once when the answer under way says no. */
	boolean hinted;

	final Traces traces;

	/** Whether others are said to wait, which may be heard before the answer. */
	boolean contended;

	/** Whether the key was taken from it, maybe after what the answer under way says. */
	boolean forced;

	/** Whether the key is said to be held, which may be heard before the answer. */
	boolean inUse;

	/** Tries without waiting stay for a moment, once, where the key may be idle. */
	Trial trial = Trial.TO_COME;

	private long trialEnd;

	/** Whether each command was for a grant that may linger. */
	boolean lingers = true;

	@Nullable Busyness busy;

	Attempt(Cohort cohort, AttemptId id) {
		this.id = id;
		this.cohort = cohort;
		this.core = cohort.core();
		this.start = this.core.look();
		this.traces = new Traces(this.start);
	}

	/* What the store said last; null while that settles nothing, or it fails. */
	@Nullable Busyness busy() {
		return (this.traces.isFailing() || this.trial == Trial.ON) ? null : this.busy;
	}

	/* Somebody who has had no answer waits for one. */
	void urge() {
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
			if (this.cohort.pursues(this) && this.trial == Trial.ON && !this.inFlight) {
				turnAway();
			}
			else if (this.cohort.pursues(this)) {
				urge();
			}
		});
	}

	void ask() {
		this.core.watchdog().cancel(this);
		this.inFlight = true;
		this.hinted = false;
		this.forced = false;
		this.inUse = false;
		new Asking(this, this.cohort).begin();
	}

	/* How long the store may take: less where nobody has had an answer. */
	Duration timeout(Terms terms) {
		long left = this.start + terms.timeout().toNanos() - this.core.now();
		return (this.busy == null && left > 0) ? Duration.ofNanos(left) : terms.timeout();
	}

	/*
	 * Those who try have a place behind somebody who may be keeping the key idle. Answers
	 * whether they wait for that to give it back.
	 */
	boolean tryOn(long now, Terms terms) {
		if (this.trial == Trial.TO_COME) {
			this.trial = Trial.ON;
			this.trialEnd = now + terms.trial().toNanos();
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
			this.core.watchdog().set(this, this.trialEnd);
		}
		return true;
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
		this.cohort.room().allKnow((this.busy != null) ? this.busy : Busyness.UNKNOWN, this.core.now());
		return this.cohort.endIfUnwanted();
	}

	enum Trial {

		TO_COME, ON, OVER

	}

}
