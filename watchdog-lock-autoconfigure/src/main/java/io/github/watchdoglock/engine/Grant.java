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

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * An attempt that has the lease: knows until when, and renews it. Everything is guarded
 * by the cohort's lock; the deadline is also read without it.
 */
final class Grant extends Alarm {

	private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

	final Cohort cohort;

	/** Of the hold of now. */
	Terms terms;

	final long firstToken;

	private final long attempt;

	/** Whether the store may keep the key longer than these terms say. */
	boolean outlivesTerms;

	/** The moment from which nothing is held, unless a confirmed command moves it. */
	private volatile long deadline;

	/** Milliseconds for which the store may keep the key from the deadline on. */
	private int beyond;

	long renewAt;

	private int renewals;

	/** Renewals that failed since the last one that succeeded. */
	private byte failures;

	/** How many renewals are under way. */
	private short renewing;

	/** A step to be taken when no renewal is under way any more. */
	private @Nullable Runnable farewell;

	/** Created when it is handed on, or others wait. */
	@Nullable HandOffs handOffs;

	Grant(AttemptId id, Cohort cohort, AcquireAnswer.Granted answer, Terms terms, long sent, long leaseEnd) {
		this.attempt = id.number();
		this.cohort = cohort;
		this.firstToken = answer.block().first();
		this.terms = terms;
		this.outlivesTerms = leaseEnd - sent - terms.length() > 0;
		this.deadline = sent + terms.valid();
		mayLast(leaseEnd);
		this.renewAt = sent + terms.firstRenewal();
		if (answer.block().last() > this.firstToken) {
			this.handOffs = new HandOffs(answer.block());
		}
	}

	private Core core() {
		return this.cohort.core();
	}

	AttemptId id() {
		return new AttemptId(core().instance(), this.attempt);
	}

	boolean is(AttemptId id) {
		return id.number() == this.attempt && id.instance().equals(core().instance());
	}

	/* Whether a fixed lease ends while the store still keeps the key. */
	boolean outlastsFixedTerms() {
		return this.outlivesTerms && !this.terms.lease().renewed();
	}

	int renewals() {
		return this.renewals;
	}

	boolean atRisk() {
		return this.failures > 0;
	}

	/* What failed before is no risk of the hold that begins. */
	void beginHold() {
		this.failures = 0;
	}

	/* How long it is valid unless renewed; negative when it is over. */
	long left(long now) {
		return this.deadline - now;
	}

	/* When the store has let go of it, by the commands that are not under way. */
	long leaseEnd() {
		return this.deadline + this.beyond * MILLISECOND;
	}

	private void mayLast(long end) {
		long millis = -Math.floorDiv(this.deadline - end, MILLISECOND);
		this.beyond = (int) Math.max(this.beyond, Math.min(millis, Integer.MAX_VALUE));
	}

	private void setDeadline(long deadline) {
		long end = leaseEnd();
		this.deadline = deadline;
		this.beyond = 0;
		mayLast(end);
	}

	/* When to look at it next, whatever its hold needs. */
	long nextLook() {
		return (this.renewAt - this.deadline < 0) ? this.renewAt : this.deadline;
	}

	/* Stop renewing. */
	void end() {
		core().watchdog().cancel(this);
	}

	/*
	 * Stop renewing, and take the step that ends it in the store; after the renewal that
	 * is under way, so that nothing renews it afterwards.
	 */
	void end(Runnable farewell) {
		end();
		if (this.renewing > 0) {
			this.farewell = farewell;
		}
		else {
			farewell.run();
		}
	}

	/* End whatever the store has of it; nobody waits for the answer. */
	void undo(Hold hold, boolean keeps) {
		end(() -> this.cohort.afterwards(Undo.of(hold, keeps)::send));
	}

	@Override
	void expire(long now) {
		this.cohort.change(() -> WatchdogTurn.expire(this, now));
	}

	@Override
	void proceed(long now, RenewalBatch renewals) {
		this.cohort.change(() -> WatchdogTurn.proceed(this, now, renewals));
	}

	/* How long ago a renewal was due that was not sent; zero or less for none. */
	long overdue(long now) {
		return (this.terms.lease().renewed() && this.renewing == 0) ? now - this.renewAt : 0;
	}

	/* Whether it is to be renewed now; one that is not renewed is only looked at. */
	boolean comesDue(long now) {
		if (this.renewAt - now > 0) {
			return false;
		}
		boolean renewed = this.terms.lease().renewed();
		this.renewAt = renewed ? this.deadline : now + this.terms.nextRenewal();
		return renewed;
	}

	RenewCommand beginRenewal(Terms terms) {
		this.renewing++;
		return new RenewCommand(this.cohort.key, id(), this.firstToken, terms.lease().duration(),
				HandOffs.needsBlock(this), terms.timeout());
	}

	/* One for these terms was answered, or has failed. */
	void endRenewal(long sent, Terms terms) {
		mayLast(sent + terms.length());
		this.renewing--;
		Runnable farewell = this.farewell;
		if (farewell != null && this.renewing == 0) {
			this.farewell = null;
			farewell.run();
		}
	}

	/* The store has confirmed that it lasts as long as the terms of the next hold say. */
	void adapt(Terms terms, long sent) {
		this.outlivesTerms |= this.terms.length() - terms.length() > 0;
		this.terms = terms;
		setDeadline(sent + terms.valid());
		confirm(sent);
	}

	/* The store has confirmed a renewal that was sent at some moment. */
	void confirm(long sent) {
		long deadline = sent + this.terms.valid();
		if (deadline - this.deadline > 0) {
			setDeadline(deadline);
		}
		this.renewAt = sent + this.terms.nextRenewal();
		this.renewals++;
		this.failures = 0;
		WatchdogTurn.watch(this);
	}

	/* A renewal has failed: another one soon. */
	void retry(long now) {
		this.failures = (byte) Math.min(this.failures + 1, Byte.MAX_VALUE);
		this.renewAt = now + Backoff.after(this.failures);
		WatchdogTurn.watch(this);
	}

}
