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
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The rules for readers of one instance that share a lease, each with its own hold: which
 * callers may join, and which limits remain after readers have ended. It belongs to the
 * tasks of the key.
 */
final class Readers {

	private final GrantedLease lease;

	private final GrantedLease.Owner lock;

	private final EngineContext context;

	/** The timing that all of them have requested. */
	private final LeaseTiming timing;

	/** The token that all of them have. */
	private final long token;

	/** The time until which no caller may write, although readers have ended. */
	private long lockedUntil;

	/** The time until which readers may work that have lost it and are not closed. */
	private long stoppedBy;

	/** The number of readers that have lost it and are not closed. */
	private int lostUnclosed;

	/**
	 * Whether a reader has lost it alone, or the lease had another timing when one left.
	 */
	private boolean diverged;

	/** Whether the end of the last reader ends the lease in the store. */
	private boolean released;

	/** Whether the store was asked to confirm the lease for readers that have arrived. */
	private boolean asked;

	Readers(GrantedLease lease, long token) {
		this.lease = lease;
		this.lock = lease.lock;
		this.context = lease.context();
		this.timing = lease.timing();
		this.token = token;
		this.lockedUntil = this.context.now();
		this.stoppedBy = this.lockedUntil;
	}

	/*
	 * Whether the next holder may have the lease: no reader has lost it alone, and its
	 * timing is unchanged.
	 */
	boolean isIntact() {
		return !this.diverged && (this.lease.holds().isEmpty() || this.lease.timing().equals(this.timing));
	}

	/* Whether a caller may join them; it then needs no attempt. */
	boolean mayAdmit(Waiter reader, long now) {
		boolean late = !reader.toldBusy && reader.leftForAnswer(now) <= 0;
		return suits(reader) && mayBeJoined(now) && (isFresh(now) || !late);
	}

	/* Whether the store has confirmed the lease recently. */
	private boolean isFresh(long now) {
		return this.timing.valid() - this.lease.left(now) <= this.timing.confirmationAge();
	}

	private boolean suits(Waiter reader) {
		return reader.kind.equals(Kind.READ) && reader.timing.equals(this.timing);
	}

	/*
	 * Whether readers may join now. They do not share a fixed lease, because each reader
	 * has its own full one. A confirmation may be answered when a writer already has the
	 * lease.
	 */
	private boolean mayBeJoined(long now) {
		return this.lease.readers() == this && !this.lease.holds().isEmpty() && this.timing.lease().renewed()
				&& this.lease.timing().equals(this.timing) && !this.lease.times.atRisk() && !this.lease.mayBeForced()
				&& this.lease.left(now) > 0 && this.lease.mayStay(now);
	}

	/*
	 * Admit the first caller. Return false if the store has to be asked before; its
	 * answer then admits all readers that have arrived by then.
	 */
	boolean admitIfFresh(Waiter reader, long now) {
		boolean fresh = isFresh(now);
		if (fresh) {
			this.lease.join();
			this.lease.begin(reader, this.token, now);
		}
		else if (!this.asked) {
			this.asked = true;
			new ReadersConfirmation(this, this.lock.waiters().answerTimeout(this.timing, now)).send();
		}
		return fresh;
	}

	private void confirmed(ReadersConfirmation confirmation, @Nullable RenewAnswer answer,
			@Nullable Throwable failure) {
		long now = this.context.nowNoticingSleep();
		this.asked = false;
		boolean current = this.lease.isInUse() && this.lease.readers() == this;
		if (current && (answer instanceof RenewAnswer.Gone || this.lease.timing().equals(this.timing))) {
			// If the lease has become longer since, the confirmed time is too
			// short.
			confirmation.applyAnswer(answer, failure);
		}
		if (answer instanceof RenewAnswer.Renewed) {
			admitWithinBudget(now);
			this.lock.waiters().tellLateBusy(now);
		}
		this.lock.tellWaitersBusy(now);
		this.lock.reconsiderAttempt();
	}

	/*
	 * The store has granted the lease: admit all readers that are adjacent in the queue.
	 * They do not share a fixed lease, because each reader has its own, which may become
	 * another one.
	 */
	void admitWithGrant(long now) {
		while (this.timing.lease().renewed() && this.lock.isAwaited() && suits(this.lock.waiters().first())) {
			this.lease.begin(this.lock.waiters().first(), this.token, now);
		}
	}

	/*
	 * The store has confirmed the lease: admit readers as long as waiting instances are
	 * not passed too often.
	 */
	void admitWithinBudget(long now) {
		while (this.lock.isAwaited() && suits(this.lock.waiters().first()) && mayBeJoined(now)) {
			this.lease.join();
			this.lease.begin(this.lock.waiters().first(), this.token, now);
		}
	}

	/*
	 * Whether all readers lose the lease for this reason, because the store or the clock
	 * has ended it.
	 */
	static boolean concernsAll(LockLoss.Reason reason) {
		return switch (reason) {
			case EXPIRED, GONE, FORCED, SHUTDOWN, OVERTAKEN, FAILED, RESTORED, RESIGNED -> true;
			case MAX_HOLD, ABANDONED -> false;
		};
	}

	/*
	 * A reader has ended; it was lost unless the reason is null.
	 */
	void endReader(Hold hold, LockLoss.@Nullable Reason reason) {
		long now = this.context.now();
		boolean ended = reason == null || reason == LockLoss.Reason.ABANDONED;
		boolean alone = reason != null && !concernsAll(reason);
		if (ended) {
			lockUntil(now + hold.minimumLeft(now));
		}
		else if (reason != null && Hold.mayRemainInStore(reason)) {
			this.lostUnclosed++;
		}
		this.diverged |= alone || !this.lease.timing().equals(this.timing);
		long stopped = now + this.lease.timing().margin();
		if (reason == LockLoss.Reason.ABANDONED) {
			lockUntil(stopped);
		}
		else if (alone) {
			// Its work may not have stopped yet.
			this.stoppedBy = stopped;
		}
		this.released |= this.lease.holds().isEmpty() && ended;
	}

	private void lockUntil(long moment) {
		this.lockedUntil = (moment - this.lockedUntil > 0) ? moment : this.lockedUntil;
	}

	/* How long no caller may write yet. */
	long lockedFor(long now) {
		long locked = this.lockedUntil - now;
		return Math.max((this.lostUnclosed > 0) ? Math.max(locked, this.stoppedBy - now) : locked, 0);
	}

	/*
	 * A reader that had lost the lease was closed. Return whether it was the last one, so
	 * that the lease has to be released.
	 */
	boolean closeLost() {
		this.lostUnclosed--;
		return this.lostUnclosed == 0 && this.lease.holds().isEmpty() && !this.released;
	}

	/**
	 * A confirmation of the lease for all readers that have arrived by its answer.
	 */
	private static final class ReadersConfirmation extends LeaseRenewal.Confirmation {

		private final Readers readers;

		private ReadersConfirmation(Readers readers, Duration timeout) {
			super(readers.lease, readers.timing, timeout);
			this.readers = readers;
		}

		@Override
		void confirmationEnded(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			this.readers.confirmed(this, answer, failure);
		}

	}

}
