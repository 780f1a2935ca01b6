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

import io.github.watchdoglock.store.StoreCalls;

/**
 * The times of a lease: until when its holder may rely on it, until when the store may
 * keep the key, and when to ask the store next. It sends nothing, and has no alarm. All
 * times are nanoseconds on one clock; of a command, the time before it was sent counts.
 * It belongs to the tasks of the key, but other threads may read it.
 * <p>
 * A chance is a random number, at least zero and less than one: where in its interval the
 * next renewal is.
 */
final class LeaseTimes {

	/** The timing of the present hold. */
	private volatile LeaseTiming timing;

	/** The time from which it is no longer held, unless a confirmed command moves it. */
	private volatile long deadline;

	/** When the last command was sent with which the store has confirmed it. */
	private volatile long confirmed;

	/**
	 * When the store's lease has ended, according to all commands whose answers have come
	 * or cannot come any more; not before the deadline.
	 */
	private long leaseEnd;

	/** Whether the store may keep the key longer than the present timing says. */
	private boolean outlivesTiming;

	/** Whether the deadline may come from a timing with another margin. */
	private boolean strengthened;

	private long renewAt;

	/** How often it was renewed or confirmed, for all its holders and while idle. */
	private volatile int renewals;

	/** The number of renewals that failed since the last one that succeeded. */
	private volatile int failures;

	/** Whether to ask if the store still has the lease, although it is not renewed. */
	private boolean checkPending;

	/** How often the store was asked this without an answer. */
	private int failedChecks;

	LeaseTimes(LeaseTiming timing, long sent, long leaseEnd, double chance) {
		this.timing = timing;
		this.confirmed = sent;
		this.deadline = sent + timing.valid();
		this.leaseEnd = this.deadline;
		mayLast(leaseEnd);
		this.outlivesTiming = leaseEnd - sent - timing.length() > 0;
		this.renewAt = timing.firstRenewal(sent, chance);
	}

	LeaseTiming timing() {
		return this.timing;
	}

	/* How long it is valid unless renewed; negative when it has expired. */
	long left(long now) {
		return this.deadline - now;
	}

	/*
	 * When the last command was sent with which the store has confirmed it: an
	 * acquisition, a renewal or a check.
	 */
	long confirmed() {
		return this.confirmed;
	}

	/* When the store's lease has ended, according to the commands that were answered. */
	long leaseEnd() {
		return this.leaseEnd;
	}

	int renewals() {
		return this.renewals;
	}

	boolean atRisk() {
		return this.failures > 0;
	}

	boolean isStrengthened() {
		return this.strengthened;
	}

	/*
	 * Whether a fixed lease has ended for its holder while the store still keeps the key.
	 */
	boolean outlastsFixedTiming() {
		return this.outlivesTiming && !this.timing.lease().renewed();
	}

	/* A command may make the store keep the key until this time. */
	void mayLast(long end) {
		if (end - this.leaseEnd > 0) {
			this.leaseEnd = end;
		}
	}

	/* A command may make the store keep the key longer than the timing says. */
	void mayOutliveTiming() {
		this.outlivesTiming = true;
	}

	private void setDeadline(long deadline) {
		this.deadline = deadline;
		mayLast(deadline);
	}

	/* When something is due: a renewal, or the deadline. */
	long nextMoment() {
		return Alarm.earlier(this.renewAt, this.deadline);
	}

	/* How long a renewal that was not sent is overdue; zero or less if none is. */
	long overdue(long now, boolean renewing) {
		return (this.timing.lease().renewed() && !renewing) ? now - this.renewAt : 0;
	}

	/*
	 * Whether to send a renewal now; if so, the next one is a period later. A lease that
	 * is not renewed is only checked.
	 */
	boolean takeDueRenewal(long now, boolean renewing, double chance) {
		if (this.renewAt - now > 0) {
			return false;
		}
		// If a renewal has no answer yet, its answer decides when the next one is due.
		boolean due = !renewing && (this.timing.lease().renewed() || this.checkPending);
		this.checkPending &= !due;
		// The answer usually leaves this unchanged, so the alarm is set once in a period.
		this.renewAt = renewing ? now + 2 * this.timing.timeout().toNanos() : this.timing.nextRenewal(now, chance);
		return due;
	}

	void renewBy(long moment) {
		this.renewAt = Alarm.earlier(moment, this.renewAt);
	}

	/* Renew it by this time, or ask for it if it is not renewed. */
	void checkBy(long moment) {
		this.checkPending = !this.timing.lease().renewed();
		if (this.renewAt - moment > 0) {
			this.renewAt = moment;
		}
	}

	/* Return how often checks have failed in a row, including this time. */
	int countFailedCheck() {
		return ++this.failedChecks;
	}

	void noteCheck() {
		this.failedChecks = 0;
	}

	/* The store has confirmed it with a command that was sent at this time. */
	void noteConfirmed(long sent) {
		if (sent - this.confirmed > 0) {
			this.confirmed = sent;
		}
	}

	/* The store has confirmed a renewal that was sent at this time. */
	void prolong(long sent, double chance) {
		long deadline = sent + this.timing.valid();
		if (deadline - this.deadline > 0) {
			setDeadline(deadline);
		}
		if (!this.timing.isNextRenewal(this.renewAt, sent)) {
			this.renewAt = this.timing.nextRenewal(sent, chance);
		}
		int renewals = this.renewals + 1;
		this.renewals = renewals;
		this.failures = 0;
	}

	/* A renewal has failed: the next one comes soon. */
	void renewAfterFailure(long now, double chance) {
		int failures = this.failures + 1;
		this.failures = failures;
		this.renewAt = now + StoreCalls.backoff(failures, chance);
	}

	/* The next holder is not at risk because of earlier failures. */
	void forgetFailures() {
		this.failures = 0;
	}

	/* From now on it has the timing of the next hold, for which it was confirmed. */
	void replaceTiming(LeaseTiming timing, long sent) {
		this.outlivesTiming |= this.timing.length() - timing.length() > 0;
		this.timing = timing;
		this.strengthened = false;
		setDeadline(sent + timing.valid());
	}

	/* From now on it has a stronger timing; the next confirmation sets the deadline. */
	void strengthen(LeaseTiming timing) {
		this.timing = timing;
		this.strengthened = true;
	}

}
