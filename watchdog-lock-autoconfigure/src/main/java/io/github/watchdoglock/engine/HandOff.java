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

import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Decides who gets a lease that no caller holds any more. In this order:
 * <ol>
 * <li>the first caller of this instance, at once if the store has confirmed the lease
 * recently, otherwise when it does so now; unless other instances have waited long enough
 * ({@link HandOffBudget}), a minimum hold time runs, or the lease may have been taken by
 * force;</li>
 * <li>no caller, for a while, if none waits ({@link IdleLease});</li>
 * <li>the store, which gives it to the next instance. Callers that wait here take the
 * last place with the same command.</li>
 * </ol>
 * The {@link Predecessor} is notified of the result. Without state of its own: the
 * decision counts only if the lease still waits for it. Methods are called within tasks
 * of the key.
 */
final class HandOff {

	private final GrantedLease lease;

	private final GrantedLease.Owner lock;

	private final EngineContext context;

	private final Predecessor predecessor;

	private HandOff(GrantedLease lease, Predecessor predecessor) {
		this.lease = lease;
		this.lock = lease.lock;
		this.context = lease.context();
		this.predecessor = predecessor;
	}

	/* The last hold was closed. */
	static void after(GrantedLease lease, Predecessor predecessor, long now) {
		new HandOff(lease, predecessor).begin(now);
	}

	/* The store gets it, whoever waits. */
	static void release(GrantedLease lease, Predecessor predecessor) {
		new HandOff(lease, predecessor).release();
	}

	private void begin(long now) {
		if (!mayHandOn(now)) {
			keepIdleOrRelease();
			return;
		}
		Waiter next = this.lock.waiters().first();
		if (isFresh(next.timing, now)) {
			handOn(next);
		}
		else {
			confirm(next.timing);
		}
	}

	/*
	 * Whether the first caller of this instance may get it. A lease that may have been
	 * taken by force is released: the store's answer decides.
	 */
	private boolean mayHandOn(long now) {
		return this.lock.isAwaited() && !this.lease.mayBeForced() && this.lease.suits(this.lock.waiters().first())
				&& this.predecessor.lockedFor().isZero() && this.predecessor.mayHandOn(now);
	}

	private void keepIdleOrRelease() {
		if (this.lock.isAwaited() || !this.predecessor.keepIdle()) {
			release();
		}
	}

	/*
	 * Whether the store has confirmed the lease recently, and for as long as the next
	 * caller needs.
	 */
	private boolean isFresh(LeaseTiming next, long now) {
		long left = this.lease.left(now);
		return !this.lease.times.isStrengthened() && next.equals(this.lease.timing()) && next.lease().renewed()
				&& left > 0 && next.valid() - left <= next.confirmationAge() && this.lease.hasToken();
	}

	private void handOn(Waiter next) {
		long now = this.context.now();
		long token = this.lease.budgetForChange().pass();
		boolean permit = this.lease.kind().isPermit();
		Readers readers = next.kind.equals(Kind.READ) ? new Readers(this.lease, token) : null;
		this.lease.prepareNextHold(readers);
		this.lease.begin(next, token, now);
		this.predecessor.handedOn();
		this.lease.predecessorDone();
		if (permit) {
			// An attempt continues for the other callers.
			this.lock.reconsiderAttempt();
			return;
		}
		if (readers != null) {
			// No other caller has it, so the readers directly behind this one may join.
			readers.admitWithinBudget(now);
		}
		if (this.predecessor instanceof Predecessor.Idle) {
			// Callers that arrived while it was being handed on were not refused.
			this.lock.tellWaitersBusy(now);
		}
	}

	/*
	 * Ask whether the store still has the lease, and renew it for as long as the next
	 * caller needs.
	 */
	private void confirm(LeaseTiming timing) {
		// Only with a budget does the renewal request tokens (LeaseRenewal.needsBlock).
		this.lease.budgetForChange();
		new NextHoldConfirmation(this, timing).send();
	}

	private void answered(LeaseTiming timing, long sent, @Nullable RenewAnswer answer, @Nullable Throwable failure) {
		if (!this.lease.isDecidedBy(this.predecessor)) {
			// The state of the key has ended meanwhile.
			return;
		}
		long now = this.context.nowNoticingSleep();
		boolean foreign = this.context.ids.isForeign(this.lease.id());
		if (answer instanceof RenewAnswer.Renewed renewed && now - sent - timing.valid() < 0 && !foreign) {
			this.lease.noteOthersAndTokens(renewed, now);
			this.lease.adapt(timing, sent);
			decide(timing);
		}
		else if (answer instanceof RenewAnswer.Gone || foreign) {
			this.predecessor.gone();
			this.lease.markEnded();
			this.lock.leaseEnded(this.lease, null);
		}
		else {
			// The store may still have the lease, but no caller of this instance can rely
			// on it.
			Throwable cause = StoreCalls.cause(failure);
			if (answer == null && !this.lease.kind().isShared() && !(cause instanceof NotConnectedException)) {
				// If the lease is shared, or there is no connection, an attempt decides
				// instead.
				this.lock.waiters().failAllUntold(cause);
			}
			release();
		}
	}

	/*
	 * The store has just confirmed the lease, so it counts as fresh, also if it is fixed
	 * or the answer was slow. If it has no token now, asking again would not help.
	 */
	private void decide(LeaseTiming confirmed) {
		if (!mayHandOn(this.context.now())) {
			keepIdleOrRelease();
			return;
		}
		if (!this.lease.hasToken()) {
			release();
			return;
		}
		Waiter next = this.lock.waiters().first();
		if (next.timing.equals(confirmed)) {
			handOn(next);
		}
		else {
			// It is another caller's turn by now.
			confirm(next.timing);
		}
	}

	/*
	 * Release the lease. If other instances wait, they get the key first, and callers of
	 * this instance take a place behind them.
	 */
	private void release() {
		this.lease.drain(() -> {
			boolean behindOthers = this.lock.isAwaited() && this.lease.isContended() && !this.lease.kind().isShared()
					&& this.predecessor.lockedFor().isZero();
			Attempt requeued = behindOthers ? this.lock.newAttemptInRelease(this.lease.timing()) : null;
			this.predecessor.releasing();
			ReleaseCommand command = this.lease.releaseCommand(this.predecessor.token(), this.predecessor.lockedFor(),
					(requeued != null) ? requeued.placeInRelease(this.lease.timing()) : null);
			new ReleaseCall(this.lease, command, requeued, this.predecessor).send();
			this.lease.markEnded();
			this.lock.leaseEnded(this.lease, requeued);
		});
	}

	/**
	 * A confirmation of the lease for the next hold.
	 */
	private static final class NextHoldConfirmation extends LeaseRenewal.Confirmation {

		private final HandOff handOff;

		private NextHoldConfirmation(HandOff handOff, LeaseTiming timing) {
			super(handOff.lease, timing, timing.timeout());
			this.handOff = handOff;
		}

		@Override
		void confirmationEnded(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			this.handOff.answered(this.timing, this.sent, answer, failure);
		}

	}

	/**
	 * A command that releases a lease. In the same step, an attempt may take the last
	 * place in the queue.
	 */
	private static final class ReleaseCall extends StoreCall<ReleaseAnswer> {

		private final GrantedLease lease;

		private final LeaseTiming timing;

		private final ReleaseCommand command;

		private final @Nullable Attempt requeued;

		private final Predecessor predecessor;

		private ReleaseCall(GrantedLease lease, ReleaseCommand command, @Nullable Attempt requeued,
				Predecessor predecessor) {
			super(lease.lock.tasks());
			this.lease = lease;
			this.timing = lease.timing();
			this.command = command;
			this.requeued = requeued;
			this.predecessor = predecessor;
		}

		@Override
		Command kind() {
			return Command.RELEASE;
		}

		@Override
		CompletionStage<ReleaseAnswer> ask() {
			return this.context.store.release(this.command);
		}

		@Override
		long timeout() {
			return this.timing.timeout().toNanos();
		}

		@Override
		void answered(@Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
			if (this.requeued != null) {
				this.requeued.placed(this.sent, this.timing, answer);
			}
			this.predecessor.released(answer, failure);
			if (answer != null) {
				this.context.repeats.done(this.command, this.sent, this.lease.times.leaseEnd());
			}
		}

		@Override
		void abort(Throwable cause) {
			super.abort(cause);
			this.predecessor.released(null, cause);
		}

	}

}
