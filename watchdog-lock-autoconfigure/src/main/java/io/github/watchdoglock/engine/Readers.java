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

import java.util.function.Consumer;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Those of an instance who read with one grant, each with a hold of its own. What the
 * store says of the grant goes for all of them; it is given back when the last one has
 * ended. Methods are parts of a step of the cohort, in which the grant was kept.
 */
final class Readers implements Grant.User {

	private static final Hold[] NONE = {};

	/* So few are not worth being moved. */
	private static final int FEW = 16;

	private final Grant grant;

	private final Cohort cohort;

	/** Which all of them have asked for. */
	private final Terms terms;

	/** Which all of them have. */
	private final long token;

	/**
	 * Those who have come, and who of them may have ended; replaced, or changed beyond
	 * what copies know of it.
	 */
	private Hold[] holds = NONE;

	private int size;

	/** How many of them have not ended. */
	private int open;

	/** No one's limit is before this one, nor is the alarm after it. */
	private long earliest;

	/** Until when nobody is to write, though they have ended. */
	private long keptUntil;

	/** Until when those may work who have lost it and are not closed. */
	private long stoppedBy;

	/** How many have lost it, and are not closed. */
	private int owed;

	/** Whether one has lost it alone, or had another lease when one went. */
	private boolean parted;

	/** Whether the store is told of the end. */
	private boolean released;

	/** Whether it is asked if the grant is there for those who have come. */
	private boolean asked;

	Readers(Grant grant, long token) {
		this.grant = grant;
		this.token = token;
		this.cohort = grant.cohort;
		this.terms = grant.terms;
		this.keptUntil = grant.core().now();
		this.stoppedBy = this.keptUntil;
	}

	@Override
	public Grant grant() {
		return this.grant;
	}

	@Override
	public boolean excludes(Kind kind) {
		return has(this.grant) && this.grant.kind().isPermit() != kind.isPermit();
	}

	@Override
	public void expireIfOver() {
		Core core = this.grant.core();
		if (has(this.grant) && this.grant.left(core.nowNoticingSleep()) <= 0) {
			expire(core.now());
		}
	}

	@Override
	public boolean isWhole() {
		return !this.parted && (this.open == 0 || this.grant.terms.equals(this.terms));
	}

	/* Whether a caller may join them, who waits for no attempt then. */
	@Override
	public boolean mayAdmit(Waiter reader, long now) {
		boolean late = !reader.answered && reader.unanswered(now) <= 0;
		return suits(reader) && mayBeJoined(now) && (isFresh(now) || !late);
	}

	/* Whether the store has confirmed the grant just now. */
	private boolean isFresh(long now) {
		return this.terms.valid() - this.grant.left(now) <= this.terms.confirmationAge();
	}

	private boolean suits(Waiter reader) {
		return reader.kind.equals(Kind.READ) && reader.terms.equals(this.terms);
	}

	/* Of a lease that is not renewed each has its own, and all of it. */
	private boolean mayBeJoined(long now) {
		return has(this.grant) && this.terms.lease().renewed() && this.grant.terms.equals(this.terms)
				&& !this.grant.atRisk() && !this.grant.isForced() && this.grant.left(now) > 0
				&& this.grant.mayStay(now);
	}

	/*
	 * Let the first caller in; false where the store is asked before, which lets in all
	 * who have come by then.
	 */
	@Override
	public boolean admit(Waiter reader, long now) {
		this.cohort.keep(this.grant);
		boolean fresh = isFresh(now);
		if (fresh) {
			this.grant.join();
			begin(reader);
		}
		else if (!this.asked) {
			this.asked = true;
			this.cohort.leave(new Confirmation());
		}
		return fresh;
	}

	private void begin(Waiter reader) {
		long before = this.earliest;
		Hold.begin(this.grant, reader, this.token, () -> {
		});
		if (this.earliest - before < 0) {
			this.grant.watchNext();
		}
	}

	/*
	 * The store has granted it: let in all who stand next to each other. Of a lease that
	 * is not renewed each has its own, which may become another one.
	 */
	void admitAll() {
		while (this.terms.lease().renewed() && this.cohort.isAwaited() && suits(this.cohort.waiters().first())) {
			begin(this.cohort.waiters().first());
		}
	}

	/* It has confirmed it: let them in as long as nobody is passed too often. */
	void joinAll(long now) {
		while (this.cohort.isAwaited() && suits(this.cohort.waiters().first()) && mayBeJoined(now)) {
			this.grant.join();
			begin(this.cohort.waiters().first());
		}
	}

	@Override
	public void add(Grant.User caller) {
		Hold hold = (Hold) caller;
		long limit = hold.limit();
		this.earliest = (this.open == 0 || limit - this.earliest < 0) ? limit : this.earliest;
		if (this.size == this.holds.length) {
			forgetEnded();
		}
		this.holds[this.size] = hold;
		this.size++;
		this.open++;
	}

	/* One of them has ended. */
	private void remove() {
		this.open--;
		if (this.size > FEW && this.size / 4 > this.open) {
			forgetEnded();
		}
	}

	/* There is room for as many more afterwards. */
	private void forgetEnded() {
		Hold[] open = new Hold[Math.max(4, 2 * this.open)];
		int size = 0;
		for (int i = 0; i < this.size; i++) {
			if (this.holds[i].isOpen()) {
				open[size] = this.holds[i];
				size++;
			}
		}
		this.holds = open;
		this.size = size;
	}

	/*
	 * One has ended; answers whether none is left. What the store has taken, or the
	 * clock, all of them have lost.
	 */
	@Override
	public boolean isLeft(Grant.User caller, LockLoss.@Nullable Reason reason) {
		Hold hold = (Hold) caller;
		remove();
		boolean alone = reason == null || reason == LockLoss.Reason.MAX_HOLD || reason == LockLoss.Reason.ABANDONED;
		long now = this.grant.core().now();
		if (reason == null || reason == LockLoss.Reason.ABANDONED) {
			keepUntil(now + hold.keep(now).toNanos());
		}
		else if (Hold.isOwed(reason)) {
			this.owed++;
		}
		this.parted |= (reason != null && alone) || !this.grant.terms.equals(this.terms);
		long stopped = now + this.grant.terms.margin();
		if (reason == LockLoss.Reason.ABANDONED) {
			keepUntil(stopped);
		}
		else if (reason != null && alone) {
			// Its work may not have stopped yet.
			this.stoppedBy = stopped;
		}
		if (reason != null && !alone) {
			loseAll(reason);
		}
		boolean left = this.open == 0;
		this.released |= left && (reason == null || reason == LockLoss.Reason.ABANDONED);
		return left;
	}

	private void loseAll(LockLoss.Reason reason) {
		this.open = 0;
		change((hold) -> {
			hold.loseAlone(reason, null);
			this.owed += Hold.isOwed(reason) ? 1 : 0;
		});
	}

	private void keepUntil(long moment) {
		this.keptUntil = (moment - this.keptUntil > 0) ? moment : this.keptUntil;
	}

	/* For how long nobody is to write yet. */
	@Override
	public long keptFor(long now) {
		long kept = this.keptUntil - now;
		return Math.max((this.owed > 0) ? Math.max(kept, this.stoppedBy - now) : kept, 0);
	}

	/* One that was lost is closed: it goes back with the last of them. */
	@Override
	public boolean isOwed() {
		this.owed--;
		return this.owed == 0 && this.open == 0 && !this.released;
	}

	@Override
	public boolean has(Grant grant) {
		return this.grant == grant && this.open > 0;
	}

	@Override
	public void forEach(Consumer<Grant.User> visitor) {
		forEachOpen(visitor);
	}

	/* The visitor may end any of them, or let more in, who are not shown. */
	private void forEachOpen(Consumer<? super Hold> visitor) {
		Hold[] holds = this.holds;
		int size = this.size;
		for (int i = 0; i < size; i++) {
			if (holds[i].isOpen()) {
				visitor.accept(holds[i]);
			}
		}
	}

	/* Visit them where they are changed, unless others have taken it from them. */
	private void change(Consumer<Hold> change) {
		forEachOpen((hold) -> {
			this.cohort.keep(hold);
			change.accept(hold);
		});
	}

	@Override
	public long limit() {
		boolean any = false;
		for (int i = 0; i < this.size; i++) {
			if (this.holds[i].isOpen()) {
				long limit = this.holds[i].limit();
				this.earliest = (!any || limit - this.earliest < 0) ? limit : this.earliest;
				any = true;
			}
		}
		return this.earliest;
	}

	@Override
	public void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable failure) {
		long now = this.grant.core().now();
		if (this.grant.left(now) > 0 && answer instanceof RenewAnswer.Renewed renewed) {
			boolean recovered = this.grant.atRisk();
			this.grant.note(renewed, now);
			this.grant.confirm(sent);
			forEachOpen((hold) -> hold.tellRenewed(recovered));
			if (recovered) {
				// Nobody could come to them meanwhile.
				this.cohort.endIfUnwanted();
			}
		}
		else if (this.grant.left(now) > 0 && answer == null) {
			boolean news = !this.grant.atRisk();
			Throwable cause = StoreCalls.cause(failure);
			this.grant.retry(now);
			forEachOpen((hold) -> hold.tellFailed(now, cause, news));
		}
		else {
			// By the first all have lost it.
			change((hold) -> hold.answered(sent, answer, failure));
		}
	}

	@Override
	public void expire(long now) {
		change((hold) -> hold.expire(now));
	}

	@Override
	public void forced() {
		change(Hold::forced);
	}

	@Override
	public boolean endIfAbandoned() {
		change(Hold::endIfAbandoned);
		return this.open == 0;
	}

	@Override
	public void warn(long now) {
		change((hold) -> hold.warn(now));
	}

	/* What is heard of them where nobody else can have the key. */
	@Override
	public Waiter.Outcome.Refused refusal(long now) {
		for (int i = 0; i < this.size; i++) {
			if (this.holds[i].isOpen()) {
				return this.holds[i].refusal(now);
			}
		}
		return Waiter.Outcome.Refused.UNKNOWN;
	}

	@Override
	public void lookAgain(long now) {
		this.grant.ring(now);
	}

	@Override
	public void save(Steps.Guard guard) {
		guard.keep(this);
		this.grant.save(guard);
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
		Readers readers = (Readers) before;
		this.holds = readers.holds;
		this.size = readers.size;
		this.open = readers.open;
		this.earliest = readers.earliest;
		this.keptUntil = readers.keptUntil;
		this.stoppedBy = readers.stoppedBy;
		this.owed = readers.owed;
		this.parted = readers.parted;
		this.released = readers.released;
		this.asked = readers.asked;
	}

	/**
	 * Asks whether the grant is still there, for those who have come.
	 */
	private final class Confirmation extends Renewal {

		private Confirmation() {
			super(Readers.this.cohort);
			long now = core().now();
			Terms terms = Readers.this.terms;
			decide(Readers.this.grant.beginRenewal(terms.lease().duration(), this.cohort.waiters().mayTake(terms, now)),
					now);
		}

		@Override
		long patience() {
			return Readers.this.terms.timeout().toNanos();
		}

		@Override
		Steps.Revertible subject() {
			return Readers.this.grant;
		}

		@Override
		void answered(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			Grant grant = Readers.this.grant;
			long now = core().nowNoticingSleep();
			Readers.this.asked = false;
			grant.endRenewal(this.sent, Readers.this.terms);
			if (answer instanceof RenewAnswer.Gone || grant.terms.equals(Readers.this.terms)) {
				// What it says of a lease that has become longer since is too short.
				grant.answered(this.sent, answer, failure);
			}
			if (answer instanceof RenewAnswer.Renewed) {
				joinAll(now);
				this.cohort.waiters().lateKnow(now);
			}
			this.cohort.tellWhoAwaits(now);
			this.cohort.endIfUnwanted();
		}

	}

}
