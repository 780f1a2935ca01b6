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
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * A renewal of a lease, which is not released before all of its renewals were answered.
 */
abstract class LeaseRenewal extends RenewCall {

	final GrantedLease lease;

	LeaseRenewal(GrantedLease lease, Duration length, long due, Duration timeout) {
		super(lease.lock.tasks(), new RenewCommand(lease.lock.tasks().key, lease.id(), lease.firstToken, length,
				needsBlock(lease), timeout), due);
		this.lease = lease;
		lease.renewalBegins();
	}

	/* Whether it has to request more tokens. */
	private static boolean needsBlock(GrantedLease lease) {
		return lease.hasUsedUpTokens() && lease.lock.isAwaited() && lease.suits(lease.lock.waiters().first());
	}

	/*
	 * Send a periodic renewal that is due since this time with the others of this turn.
	 */
	static void sendInTurn(GrantedLease lease, long due) {
		RenewCall renewal = new Periodic(lease, due);
		renewal.begin(lease.context().now());
		lease.context().watchdog.renew(renewal);
	}

	/* Ask the store at once whether it has a lease. */
	static void ask(GrantedLease lease) {
		new Periodic(lease, lease.context().now()).send();
	}

	/*
	 * Complete an answer when the store has confirmed a lease, or has failed to: answer
	 * to a renewal that was sent since this time, or to a new one, which the sender sends
	 * with others.
	 */
	static void confirm(GrantedLease lease, long since, CompletableFuture<Void> answer, Consumer<RenewCall> sender) {
		RenewCall renewal = unanswered(lease.lock.tasks(), lease.id(), since);
		if (renewal == null) {
			renewal = new Periodic(lease, lease.context().now());
			renewal.begin(lease.context().nowNoticingSleep());
			sender.accept(renewal);
		}
		renewal.notifyAtEnd(answer);
	}

	@Override
	final void answered(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
		apply(answer, failure);
		this.lease.afterRenewal();
		// Those that asked are promised an answer that was applied.
		super.answered(answer, failure);
	}

	/*
	 * Called within a task. Either the answer or the failure is given, unless the store
	 * has delivered neither.
	 */
	abstract void apply(@Nullable RenewAnswer answer, @Nullable Throwable failure);

	/* Apply the answer to the holds, or to the idle state. */
	final void applyAnswer(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
		long now = this.context.now();
		Predecessor.Idle idle = this.lease.idle();
		if (idle != null) {
			idle.answered(this.sent, answer);
		}
		else if (this.lease.left(now) <= 0) {
			// It had expired before the answer arrived, which does not revive it.
			this.lease.loseAll(LockLoss.Reason.EXPIRED);
		}
		else if (answer instanceof RenewAnswer.Renewed renewed) {
			renewed(renewed, now);
		}
		else if (answer instanceof RenewAnswer.Gone) {
			Hold hold = this.lease.holds().get(0);
			this.context.events.renewalGone(hold.key, hold.token);
			this.lease.loseAll(this.lease.goneReason());
		}
		else {
			failed(StoreCalls.cause(failure), now);
		}
	}

	private void renewed(RenewAnswer.Renewed answer, long now) {
		boolean recovered = this.lease.times.atRisk();
		this.lease.noteOthersAndTokens(answer, now);
		this.lease.prolong(this.sent);
		for (Hold hold : this.lease.holds()) {
			this.context.events.renewed(hold.key, hold.token);
			if (recovered) {
				this.context.events.recovered(hold);
			}
		}
		if (recovered && this.lease.readers() != null) {
			// No reader could join while it was at risk.
			this.lease.lock.reconsiderAttempt();
		}
	}

	private void failed(Throwable cause, long now) {
		boolean first = !this.lease.times.atRisk();
		this.lease.retry(now);
		Duration left = Duration.ofNanos(this.lease.left(now));
		for (Hold hold : this.lease.holds()) {
			this.context.events.renewalFailed(hold.key, hold.token, cause);
			if (first) {
				this.context.events.atRisk(hold, left, cause);
			}
		}
	}

	/**
	 * A renewal in each period. A fixed lease is checked, but not made longer.
	 */
	static final class Periodic extends LeaseRenewal {

		/*
		 * A renewal never shortens a lease, so a renewal for this time shows whether the
		 * lease exists.
		 */
		private static final Duration CHECK_LEASE = Duration.ofMillis(1);

		private final LeaseTiming asked;

		Periodic(GrantedLease lease, long due) {
			super(lease, lease.timing().lease().renewed() ? lease.timing().lease().duration() : CHECK_LEASE, due,
					lease.timing().timeout());
			this.asked = lease.timing();
		}

		@Override
		void apply(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			LeaseTimes times = this.lease.times;
			boolean renewed = this.asked.lease().renewed();
			if (renewed) {
				times.mayLast(this.sent + this.asked.length());
			}
			if (!this.lease.isInUse() || !this.asked.equals(times.timing())) {
				// The answer for another timing only shows that the store has the lease.
				if (answer instanceof RenewAnswer.Renewed) {
					this.lease.noteConfirmation(this.sent);
				}
			}
			else if (renewed || answer instanceof RenewAnswer.Gone) {
				applyAnswer(answer, failure);
			}
			else if (answer == null) {
				this.lease
					.askBy(this.context.now() + StoreCalls.backoff(times.countFailedCheck(), this.context.chance()));
			}
			else {
				times.noteCheck();
				this.lease.noteConfirmation(this.sent);
			}
		}

	}

	/**
	 * A request to confirm a lease at once for a timing, in addition to its periodic
	 * renewals.
	 */
	abstract static class Confirmation extends LeaseRenewal {

		final LeaseTiming timing;

		Confirmation(GrantedLease lease, LeaseTiming timing, Duration timeout) {
			super(lease, timing.lease().duration(), lease.context().now(), timeout);
			this.timing = timing;
			this.context.noticeSleepFor(timing, this.context.now());
		}

		@Override
		final void apply(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			this.lease.times.mayLast(this.sent + this.timing.length());
			confirmationEnded(answer, failure);
		}

		/* Called within a task: the lease is confirmed, gone, or the command failed. */
		abstract void confirmationEnded(@Nullable RenewAnswer answer, @Nullable Throwable failure);

	}

}
