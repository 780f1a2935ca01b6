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

import io.github.watchdoglock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that has the lease: knows until when, and renews it. Everything is guarded
 * by the cohort's lock; the deadline is also read without it.
 */
final class Grant implements Timed {

	final AttemptId id;

	final Cohort cohort;

	final Terms terms;

	/** The tokens of this lease; the first one is also what a renewal is matched by. */
	private final TokenBlock block;

	/** Whether the store may keep the key longer than these terms say. */
	private final boolean outlivesTerms;

	private final Core core;

	private final Alarm alarm = new Alarm(this);

	/** The moment from which nothing is held, unless a confirmed command moves it. */
	private volatile long deadline;

	private long renewAt;

	private long renewals;

	/** Renewals that failed since the last one that succeeded. */
	private int failures;

	Grant(AttemptId id, Cohort cohort, Core core, AcquireAnswer.Granted answer, Terms terms, long sent,
			boolean outlivesTerms) {
		this.id = id;
		this.cohort = cohort;
		this.core = core;
		this.block = answer.block();
		this.terms = terms;
		this.outlivesTerms = outlivesTerms;
		this.deadline = sent + terms.valid();
		this.renewAt = sent + terms.firstRenewal();
	}

	long firstToken() {
		return this.block.first();
	}

	/* Whether a fixed lease ends while the store still keeps the key. */
	boolean outlastsFixedTerms() {
		return this.outlivesTerms && !isRenewed();
	}

	long renewals() {
		return this.renewals;
	}

	boolean atRisk() {
		return this.failures > 0;
	}

	/* How long it is valid unless renewed; negative when it is over. */
	long left(long now) {
		return this.deadline - now;
	}

	void watch() {
		long look = (isRenewed() && this.renewAt - this.deadline < 0) ? this.renewAt : this.deadline;
		this.core.watchdog().set(this.alarm, look);
	}

	/* Stop renewing; comes before any release. */
	void end() {
		this.core.watchdog().cancel(this.alarm);
	}

	@Override
	public void expire(long now) {
		this.cohort.change(() -> {
			Hold hold = this.cohort.hold(this);
			if (hold != null && left(now) <= 0) {
				hold.lose(LockLoss.Reason.EXPIRED);
			}
		});
	}

	@Override
	public void proceed(long now, RenewalBatch renewals) {
		this.cohort.change(() -> {
			Hold hold = this.cohort.hold(this);
			if (hold == null || hold.loseIfAbandoned()) {
				return;
			}
			if (isRenewed() && this.renewAt - now <= 0) {
				renewals.add(new RenewCommand(this.cohort.key, this.id, this.block.first(),
						this.terms.lease().duration(), false, this.terms.timeout()), this::answered);
				this.renewAt = this.deadline;
			}
			watch();
		});
	}

	private void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable ex) {
		this.cohort.change(() -> {
			Hold hold = this.cohort.hold(this);
			if (hold == null) {
				return;
			}
			if (left(this.core.now()) <= 0) {
				// It was over before the answer came: nothing revives it.
				hold.lose(LockLoss.Reason.EXPIRED);
			}
			else if (answer instanceof RenewAnswer.Renewed) {
				renewed(sent);
			}
			else if (answer instanceof RenewAnswer.Gone) {
				hold.lose(LockLoss.Reason.GONE);
			}
			else {
				failed(Core.cause(ex));
			}
		});
	}

	private void renewed(long sent) {
		long deadline = sent + this.terms.valid();
		if (deadline - this.deadline > 0) {
			this.deadline = deadline;
		}
		this.renewAt = sent + this.terms.nextRenewal();
		this.renewals++;
		this.cohort.tell((listener, hold) -> listener.renewed(hold.key, hold.token));
		if (this.failures > 0) {
			this.failures = 0;
			this.cohort.tell((listener, hold) -> listener.recovered(hold.key, hold.token));
		}
		watch();
	}

	private void failed(Throwable cause) {
		this.failures++;
		this.renewAt = this.core.now() + Backoff.after(this.failures);
		this.cohort.tell((listener, hold) -> listener.renewalFailed(hold.key, hold.token, cause));
		if (this.failures == 1) {
			Duration left = Duration.ofNanos(left(this.core.now()));
			this.cohort.tell((listener, hold) -> listener.atRisk(hold.key, hold.token, left, cause));
		}
		watch();
	}

	private boolean isRenewed() {
		return this.terms.lease().renewed();
	}

}
