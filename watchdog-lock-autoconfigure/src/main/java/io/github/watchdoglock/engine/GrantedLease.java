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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.store.TokenBlock;
import org.jspecify.annotations.Nullable;

/**
 * A lease that the store has granted, with its deadline, its renewal and its holds. It
 * has no hold while it is idle or being handed on, otherwise one hold or several holds of
 * readers. It belongs to the tasks of its key, except for the time that is left of it.
 */
final class GrantedLease extends LeaseTimes {

	/*
	 * A renewal never shortens a lease, so a renewal for this time shows whether the
	 * lease exists.
	 */
	private static final Duration CHECK_LEASE = Duration.ofMillis(1);

	final LocalLock lock;

	final long firstToken;

	private final AttemptId id;

	/** The label of the holder in the store. */
	private final String holder;

	/** Whether the store shows other instances that the lease may be kept idle. */
	final boolean lingering;

	private Phase phase = Phase.DECIDING;

	/** The list is replaced, never changed. */
	private volatile List<Hold> holds = List.of();

	/** The rules of the readers that share it; null if no readers do. */
	private @Nullable Readers readers;

	/** Created when the lease is handed on, or when other attempts wait. */
	private @Nullable HandOffBudget budget;

	/** When to look at it next. */
	private long due;

	/** The number of renewals that have no answer yet. */
	private int unanswered;

	/** Whether a renewal was ever sent, which may reach the store after the release. */
	private boolean renewalSent;

	/** Run when no renewal is without an answer any more. */
	private @Nullable Runnable afterRenewals;

	/** The former hold or idle lease, until its end is completed. */
	private HandOff.@Nullable Predecessor predecessor;

	/** Null unless the lease is idle. */
	private @Nullable IdleLease idle;

	GrantedLease(AttemptId id, LocalLock lock, AcquireAnswer.Granted answer, LeaseTiming timing, long sent,
			long leaseEnd, boolean lingering, String holder) {
		super(timing, sent, leaseEnd);
		this.lock = lock;
		this.id = id;
		this.holder = holder;
		this.firstToken = answer.block().first();
		this.lingering = lingering;
		this.due = expectFirstRenewal(sent);
		if (answer.block().last() > this.firstToken) {
			this.budget = newBudget(answer.block());
		}
		if (kind().equals(Kind.READ)) {
			this.readers = new Readers(this, this.firstToken);
		}
	}

	Core core() {
		return this.lock.core();
	}

	AttemptId id() {
		return this.id;
	}

	@Override
	double chance(long sent) {
		return core().chance(this.id, timing().gridInterval(sent));
	}

	/* The kind in which the store has granted it. */
	Kind kind() {
		return this.id.kind();
	}

	/* Whether it is held or idle, so that no decision about it is pending. */
	boolean isInUse() {
		return this.phase == Phase.HELD || this.phase == Phase.IDLE;
	}

	/* Whether an error has ended it while it was held. */
	boolean hasFailed() {
		return this.phase == Phase.FAILED;
	}

	boolean isIdle() {
		return this.phase == Phase.IDLE;
	}

	/* Whether the present hold, or that of a reader, has this token. */
	boolean isHeldWith(long token) {
		return this.holds.stream().anyMatch((hold) -> hold.isOpen() && hold.token == token);
	}

	List<Hold> holds() {
		return this.holds;
	}

	@Nullable Readers readers() {
		return this.readers;
	}

	/* Whether the store may have forgotten it since then. */
	boolean isDoubtful() {
		return confirmed() - core().contact.doubted() < 0;
	}

	/* Its tokens, and the limit for handing it on. */
	HandOffBudget budget() {
		HandOffBudget budget = this.budget;
		if (budget == null) {
			budget = newBudget(new TokenBlock(this.firstToken, this.firstToken));
			this.budget = budget;
		}
		return budget;
	}

	private HandOffBudget newBudget(TokenBlock block) {
		return new HandOffBudget(block, core().handOffs(this.lock.key));
	}

	/*
	 * Return how the store has recorded it; null if the record may have changed, because
	 * it had several tokens, other attempts wait or readers share it, or if a renewal was
	 * sent, which may reach the store after the release.
	 */
	ReleaseCommand.@Nullable Grant unchangedGrant() {
		return (this.budget == null && !this.renewalSent && !kind().isShared())
				? new ReleaseCommand.Grant(this.holder, timing().lease().duration()) : null;
	}

	/* Whether a renewal has no answer yet. */
	private boolean isRenewing() {
		return this.unanswered > 0;
	}

	boolean isContended() {
		return this.budget != null && this.budget.isContended();
	}

	boolean isForced() {
		return this.budget != null && this.budget.isForced();
	}

	/*
	 * Whether it may be handed on to callers of this instance although other instances
	 * may wait.
	 */
	boolean mayStay(long now) {
		return this.budget == null || this.budget.mayStay(now);
	}

	/* One more reader joins. */
	void join() {
		if (this.budget != null) {
			this.budget.join();
		}
	}

	/* Begin the hold of a caller whose turn it is. */
	void begin(Waiter waiter, long token, long now) {
		Hold hold = new Hold(this, waiter, token, now);
		Handle handle = hold.firstHandle();
		List<Hold> holds = LocalLock.with(this.holds, hold);
		// One directly after the other, so that each hold in the list is counted.
		core().lifecycle.begin();
		this.holds = holds;
		this.phase = Phase.HELD;
		try {
			if (this.holds.size() == 1) {
				updateDue();
			}
			else {
				this.due = Alarm.earlier(this.due, hold.limit());
			}
			this.lock.waiters().grant(waiter, new Waiter.Outcome.Granted(handle));
		}
		catch (Throwable ex) {
			if (waiter.decided == null) {
				hold.discard();
			}
			throw ex;
		}
		core().events.acquired(hold, now - waiter.start);
	}

	/*
	 * The lease is handed on. Former failures of renewals do not put the new hold at
	 * risk. From now on readers share the lease, or one caller has it alone.
	 */
	void beginHold(@Nullable Readers readers) {
		forgetFailures();
		if (!kind().isShared()) {
			this.readers = readers;
		}
	}

	/* Keep the lease idle. */
	void becomeIdle(IdleLease idle, long from) {
		long soon = from + timing().nextPoll(core().chance());
		this.idle = idle;
		this.phase = Phase.IDLE;
		renewBy(soon);
		updateDue();
	}

	/* Begin to decide which caller gets it next. */
	void decide(HandOff.Predecessor predecessor) {
		this.predecessor = predecessor;
		this.phase = Phase.DECIDING;
		this.due = Alarm.NEVER;
	}

	/* The decision was made, and the end of the predecessor is completed. */
	void decided() {
		this.predecessor = null;
	}

	boolean isDecidedBy(HandOff.Predecessor predecessor) {
		return this.phase == Phase.DECIDING && this.predecessor == predecessor;
	}

	/*
	 * End the idle state; return null if it was not idle. From now on a shutdown waits
	 * for the lease as for a hold.
	 */
	@Nullable IdleLease leaveIdle() {
		IdleLease idle = idle();
		if (idle != null) {
			idle.begin();
			this.predecessor = idle;
			this.idle = null;
		}
		return idle;
	}

	/* Null unless it is idle. */
	@Nullable IdleLease idle() {
		return (this.phase == Phase.IDLE) ? this.idle : null;
	}

	/* When to look at it. */
	long due() {
		return this.due;
	}

	/*
	 * Set when to look at it: for its renewal, its deadline, or the limits of its holds.
	 */
	void updateDue() {
		if (!isInUse()) {
			return;
		}
		IdleLease idle = idle();
		long due = nextMoment();
		due = (idle != null) ? Alarm.earlier(due, idle.until()) : due;
		for (Hold hold : this.holds) {
			due = Alarm.earlier(due, hold.limit());
		}
		this.due = due;
	}

	/* Called when its due time has come. */
	void processDue(long now) {
		if (!isInUse()) {
			this.due = Alarm.NEVER;
			return;
		}
		expire(now);
		if (!isInUse()) {
			return;
		}
		long due = now - overdue(now, isRenewing());
		boolean renewal = comesDue(now, isRenewing());
		updateDue();
		for (Hold hold : this.holds) {
			if (hold.isOpen() && !hold.endIfAbandoned()) {
				hold.checkTime(now);
			}
		}
		if (renewal && isInUse()) {
			Renewal call = new PeriodicRenewal(this, due);
			call.begin(core().now());
			core().watchdog.renew(call);
		}
		updateDue();
	}

	private void expire(long now) {
		if (this.phase == Phase.IDLE) {
			IdleLease.endIfOver(this, now);
		}
		else if (left(now) <= 0) {
			long late = overdue(now, isRenewing());
			if (late > 0) {
				core().events.renewalSent(late);
			}
			loseAll(LockLoss.Reason.EXPIRED);
		}
	}

	/* Declare it expired if its deadline has passed and no task has noticed that. */
	void expireIfOver(long now) {
		if (this.phase == Phase.HELD && left(now) <= 0) {
			loseAll(LockLoss.Reason.EXPIRED);
		}
	}

	/* A renewal was answered, and nothing follows from the answer any more. */
	private void afterRenewal() {
		Runnable after = this.afterRenewals;
		if (!isRenewing() && after != null) {
			this.afterRenewals = null;
			after.run();
		}
	}

	/* Whether a renewal has to request more tokens. */
	private boolean needsBlock() {
		return this.budget != null && !this.budget.hasToken() && this.lock.isAwaited()
				&& suits(this.lock.waiters().first());
	}

	/* Ask the store at once whether it has the lease. */
	void ask() {
		new PeriodicRenewal(this, core().now()).send();
	}

	/*
	 * Complete an answer when the store has confirmed the lease, or has failed to: answer
	 * to a renewal that was sent since this time, or to a new one, which the sender sends
	 * with others.
	 */
	void confirm(long since, CompletableFuture<Void> answer, Consumer<Renewal> sender) {
		Renewal renewal = this.lock.unansweredRenewal(this.id, since);
		if (renewal == null) {
			renewal = new PeriodicRenewal(this, core().now());
			renewal.begin(core().nowNoticingSleep());
			sender.accept(renewal);
		}
		renewal.notifyAtEnd(answer);
	}

	/*
	 * Ask the same at this time at the latest, even if the store has just confirmed the
	 * lease.
	 */
	void askBy(long moment) {
		if (isInUse()) {
			checkBy(moment);
			updateDue();
		}
	}

	private void periodicAnswered(LeaseTiming asked, long sent, @Nullable RenewAnswer answer,
			@Nullable Throwable failure) {
		boolean renewed = asked.lease().renewed();
		if (renewed) {
			mayLast(sent + asked.length());
		}
		// The answer to a renewal for another timing only shows that the store has the
		// lease.
		if (!isInUse() || !asked.equals(timing())) {
			if (answer instanceof RenewAnswer.Renewed) {
				noteConfirmation(sent);
			}
			return;
		}
		if (renewed || answer instanceof RenewAnswer.Gone) {
			answered(sent, answer, failure);
		}
		else if (answer == null) {
			askBy(core().now() + StoreCalls.backoff(countFailedCheck(), core().chance()));
		}
		else {
			noteCheck();
			noteConfirmation(sent);
		}
	}

	/* Apply the store's answer to all holds. */
	void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable failure) {
		long now = core().now();
		if (this.phase == Phase.IDLE) {
			IdleLease.answered(this, sent, answer);
		}
		else if (left(now) <= 0) {
			// It had expired before the answer arrived, which does not revive it.
			loseAll(LockLoss.Reason.EXPIRED);
		}
		else if (answer instanceof RenewAnswer.Renewed renewed) {
			boolean recovered = atRisk();
			note(renewed, now);
			confirmed(sent);
			for (Hold hold : this.holds) {
				core().events.renewed(hold.key, hold.token);
				if (recovered) {
					core().events.recovered(hold);
				}
			}
			if (recovered && this.readers != null) {
				// No reader could join while it was at risk.
				this.lock.endIfUnwanted();
			}
		}
		else if (answer instanceof RenewAnswer.Gone) {
			Hold hold = this.holds.get(0);
			core().events.renewalGone(hold.key, hold.token);
			loseAll(goneReason());
		}
		else {
			boolean first = !atRisk();
			Throwable cause = StoreCalls.cause(failure);
			retry(now);
			Duration left = Duration.ofNanos(left(now));
			for (Hold hold : this.holds) {
				core().events.renewalFailed(hold.key, hold.token, cause);
				if (first) {
					core().events.atRisk(hold, left, cause);
				}
			}
		}
	}

	/*
	 * The reason why the store does not know it: forced if a message has said so before,
	 * otherwise gone.
	 */
	LockLoss.Reason goneReason() {
		return isForced() ? LockLoss.Reason.FORCED : LockLoss.Reason.GONE;
	}

	/*
	 * Note whether other attempts wait, and new tokens, from a confirmation of the store.
	 */
	void note(RenewAnswer.Renewed answer, long now) {
		if (answer.contended() || answer.next() != null) {
			budget().note(answer, now);
		}
	}

	/* The store has confirmed a renewal that was sent at this time. */
	void confirmed(long sent) {
		renewed(sent);
		core().noticeSleepFor(timing(), sent);
		noteConfirmation(sent);
		updateDue();
	}

	private void noteConfirmation(long sent) {
		noteConfirmed(sent);
		if (this.budget != null) {
			this.budget.confirmed(sent);
		}
	}

	/* The store has confirmed the lease for the timing of the next hold. */
	void adapt(LeaseTiming timing, long sent) {
		replaceTiming(timing, sent);
		confirmed(sent);
	}

	/* A renewal has failed: send another one soon. */
	void retry(long now) {
		renewAfterFailure(now);
		updateDue();
	}

	/*
	 * Give a hold a stronger lease. The future is completed when the store has confirmed
	 * it, at once if the present lease is as strong.
	 */
	void extend(Hold hold, LeaseTiming asked, CompletableFuture<Void> done) {
		Strengthening.begin(hold, asked, done);
	}

	/* Whether a caller may have it next. */
	boolean suits(Waiter waiter) {
		if (kind().isShared()) {
			// Other readers join it before it ends; afterwards they need another lease.
			return this.readers == null && waiter.kind.equals(kind());
		}
		return !waiter.kind.isPermit() && (this.readers == null || this.readers.isIntact());
	}

	/* The last handle of a hold was closed. */
	void closed(Hold hold, CompletableFuture<Void> done) {
		long now = core().nowNoticingSleep();
		expireIfOver(now);
		Closing closing = new Closing(hold, now - hold.acquired, done);
		if (hold.release()) {
			this.predecessor = closing;
			remove(hold);
			boolean left = this.readers == null || this.readers.endReader(hold, null);
			closing.keep(keep(hold, now));
			if (left) {
				HandOff.after(this, closing, now);
			}
			else {
				// Other readers still have the lease.
				closing.released();
				decided();
			}
			return;
		}
		LockLoss loss = hold.loss(now);
		if (loss != null && this.phase != Phase.FAILED && Hold.mayRemainInStore(loss.reason())
				&& !(loss.reason() == LockLoss.Reason.EXPIRED && outlastsFixedTiming())
				&& (this.readers == null || this.readers.closeLost())) {
			// The store may keep the key for a while, although the work is done now. A
			// lease that has outlasted its fixed timing was ended with the loss.
			undo(hold, false);
		}
		done.complete(null);
	}

	private void remove(Hold hold) {
		this.holds = LocalLock.without(this.holds, hold);
	}

	/* How long the key must not be handed on after the last hold has ended. */
	Duration keep(Hold hold, long now) {
		return Duration.ofNanos(Math.max(hold.minimumLeft(now), keepForReaders(now)));
	}

	private long keepForReaders(long now) {
		return (this.readers != null) ? this.readers.keptFor(now) : 0;
	}

	/*
	 * Another copy of the process may have it, too. If a decision about it is pending,
	 * the next command ends it.
	 */
	void restored() {
		IdleLease.drop(this);
		loseAll(LockLoss.Reason.RESTORED);
	}

	/* All holds have lost it. */
	void loseAll(LockLoss.Reason reason) {
		while (!this.holds.isEmpty()) {
			lose(this.holds.get(0), reason, null);
		}
	}

	/*
	 * A hold is lost. If its time has ended, the reason is that it has expired,
	 * regardless of the suspected reason.
	 */
	void lose(Hold hold, LockLoss.Reason suspected, @Nullable Runnable before) {
		LockLoss.Reason reason = (left(core().now()) <= 0) ? LockLoss.Reason.EXPIRED : suspected;
		hold.lose(reason, before);
		remove(hold);
		boolean left = this.readers == null || this.readers.endReader(hold, reason);
		if (left) {
			end();
			if (reason == LockLoss.Reason.ABANDONED || (reason == LockLoss.Reason.EXPIRED && outlastsFixedTiming())) {
				undo(hold, reason == LockLoss.Reason.ABANDONED);
			}
			this.lock.leaseEnded(this, null);
		}
	}

	/* Stop renewing. */
	void end() {
		this.phase = Phase.ENDED;
		this.predecessor = null;
		this.due = Alarm.NEVER;
	}

	/*
	 * The state of the key has ended because of an error. A lease with an open hold is
	 * neither renewed nor released, because its holder may still be working: it expires.
	 * So does a lease whose last hold was lost, or whose renewal could be sent after the
	 * release.
	 */
	void abort() {
		boolean used = false;
		for (Hold hold : this.holds) {
			used |= hold.fail();
		}
		boolean ended = this.phase == Phase.ENDED || this.phase == Phase.FAILED;
		if (!ended) {
			this.afterRenewals = null;
		}
		HandOff.Predecessor before = this.predecessor;
		boolean lost = ended || (this.phase == Phase.HELD && this.holds.isEmpty() && before == null);
		if (!used && !lost) {
			long now = core().now();
			Duration keep = (before != null) ? before.keep()
					: this.holds.isEmpty() ? Duration.ofNanos(keepForReaders(now)) : keep(this.holds.get(0), now);
			Runnable undo = () -> this.lock.undo(this.id, ReleaseCommand.UNKNOWN, leaseEnd(), keep);
			if (isRenewing() && this.lock.awaitsAnswer()) {
				// The watchdog may not have sent the renewal yet.
				this.afterRenewals = undo;
			}
			else {
				undo.run();
			}
		}
		if (before != null) {
			before.abort();
			decided();
		}
		if (this.idle != null) {
			this.idle.deregister();
			this.idle = null;
		}
		this.due = Alarm.NEVER;
		// This method may be repeated, after the holds have left.
		this.phase = (used || this.phase == Phase.FAILED) ? Phase.FAILED : Phase.ENDED;
		this.holds = List.of();
	}

	/* Return why a caller cannot have it now; null if that is not known. */
	@Nullable Supplier<Waiter.Outcome.Refused> refusal(long now) {
		if (this.phase == Phase.HELD) {
			Hold hold = this.holds.get(0);
			return () -> new Waiter.Outcome.Refused(core().label(hold.thread()), hold.remaining(now));
		}
		return (this.predecessor != null) ? this.predecessor.refusal() : null;
	}

	/*
	 * Stop renewing, and end the lease in the store. If a renewal has no answer yet, wait
	 * for the answer, so that it cannot renew the lease afterwards.
	 */
	void end(Runnable inStore) {
		this.phase = Phase.ENDING;
		this.due = Alarm.NEVER;
		if (isRenewing()) {
			this.afterRenewals = inStore;
		}
		else {
			inStore.run();
		}
	}

	/* End in the store what is left of a lost hold; no caller waits for the answer. */
	private void undo(Hold hold, boolean keeps) {
		end(() -> {
			end();
			core().repeats.begin(toUndo(hold, keeps));
		});
	}

	/*
	 * Return the release that ends it in the store. The minimum hold time applies if it
	 * is kept; the times of readers apply in any case.
	 */
	Undo toUndo(Hold hold, boolean keeps) {
		ReleaseCommand command = HandOff.command(this, hold.token, Duration.ZERO, null);
		return new Undo(hold.key, hold.token, leaseEnd(), () -> {
			long now = core().now();
			return command.keeping(keeps ? keep(hold, now) : Duration.ofNanos(keepForReaders(now)));
		});
	}

	/**
	 * A renewal of this lease, which is not released before all of them were answered.
	 */
	private abstract static class LeaseRenewal extends Renewal {

		final GrantedLease lease;

		LeaseRenewal(GrantedLease lease, Duration length, long due, Duration timeout) {
			super(lease.lock,
					new RenewCommand(lease.lock.key, lease.id, lease.firstToken, length, lease.needsBlock(), timeout),
					due);
			this.lease = lease;
			lease.unanswered++;
			lease.renewalSent = true;
		}

		@Override
		final void process(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			this.lease.unanswered--;
			apply(answer, failure);
			this.lease.afterRenewal();
		}

		abstract void apply(@Nullable RenewAnswer answer, @Nullable Throwable failure);

	}

	/**
	 * A renewal in each period. A fixed lease is checked, but not made longer.
	 */
	private static final class PeriodicRenewal extends LeaseRenewal {

		private final LeaseTiming asked;

		private PeriodicRenewal(GrantedLease lease, long due) {
			super(lease, lease.timing().lease().renewed() ? lease.timing().lease().duration() : CHECK_LEASE, due,
					lease.timing().timeout());
			this.asked = lease.timing();
		}

		@Override
		void apply(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			this.lease.periodicAnswered(this.asked, this.sent, answer, failure);
		}

	}

	/**
	 * A request to confirm the lease at once for a timing, in addition to its periodic
	 * renewals.
	 */
	abstract static class Confirmation extends LeaseRenewal {

		final LeaseTiming timing;

		Confirmation(GrantedLease lease, LeaseTiming timing, Duration timeout) {
			super(lease, timing.lease().duration(), lease.core().now(), timeout);
			this.timing = timing;
			this.core.noticeSleepFor(timing, this.core.now());
		}

		@Override
		final void apply(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			this.lease.mayLast(this.sent + this.timing.length());
			confirmed(answer, failure);
		}

		/*
		 * Called within a task. Either the answer or the failure is given, unless the
		 * store has delivered neither.
		 */
		abstract void confirmed(@Nullable RenewAnswer answer, @Nullable Throwable failure);

	}

	/**
	 * The phases of a lease.
	 */
	private enum Phase {

		/** It has holds. */
		HELD,

		/**
		 * It is being decided who gets it next: the store was asked, or it will be
		 * released.
		 */
		DECIDING,

		/** It has no hold, and is kept for the next caller. */
		IDLE,

		/** It is not renewed any more, and is about to be released. */
		ENDING,

		/**
		 * An error has ended it while it was held: other holders may still be working.
		 */
		FAILED,

		/** It has ended. */
		ENDED

	}

}
