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
import java.util.function.Supplier;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.TokenBlock;
import org.jspecify.annotations.Nullable;

/**
 * A lease that the store has granted, and its holds: none while it is idle or being
 * handed on, otherwise one, or several of readers.
 * <p>
 * {@link Phase} names its states. Only while it is held or idle is it renewed, and do its
 * holds follow the answers; while it is being decided who is next, only a confirmation
 * for the next hold counts. Its deadline counts from before the command that the store
 * has confirmed was sent, less a margin, so its holder stops before the store gives the
 * key away (Gray and Cheriton, <i>Leases</i>, 1989). A release is sent when no renewal is
 * without an answer: a renewal that overtook it would revive the lease.
 * <p>
 * It belongs to the tasks of its key. Other threads read its holds and {@link #times},
 * which is how a handle knows without a task whether it is still held.
 */
final class GrantedLease {

	final Owner lock;

	final LeaseTimes times;

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

	/** Null until its tokens matter, or what messages said of it. */
	private @Nullable HandOffBudget budget;

	/**
	 * The earliest limit of its holds, or of holds that have left since the last look.
	 */
	private long limit = Alarm.NEVER;

	/**
	 * Whether the store's record is as the grant of a single token has left it, and no
	 * renewal was sent, which may reach the store after the release.
	 */
	private boolean unchanged;

	/** Run when no renewal is without an answer any more. */
	private @Nullable Runnable afterRenewals;

	/**
	 * While it is idle, that state; otherwise the former hold or idle state, until its
	 * end is completed.
	 */
	private @Nullable Predecessor predecessor;

	GrantedLease(AttemptId id, Owner lock, AcquireAnswer.Granted answer, LeaseTiming timing, long sent, long leaseEnd,
			boolean lingering, String holder) {
		this.lock = lock;
		this.id = id;
		this.times = new LeaseTimes(timing, sent, leaseEnd, context().chance(id, timing.gridInterval(sent)));
		this.holder = holder;
		this.firstToken = answer.block().first();
		this.lingering = lingering;
		this.unchanged = answer.block().last() == this.firstToken;
		if (!this.unchanged) {
			this.budget = newBudget(answer.block());
		}
		if (kind().equals(Kind.READ)) {
			this.readers = new Readers(this, this.firstToken);
		}
	}

	EngineContext context() {
		return this.lock.tasks().context();
	}

	AttemptId id() {
		return this.id;
	}

	/* Return where in its interval the next renewal is. */
	private double chance(long sent) {
		return context().chance(this.id, timing().gridInterval(sent));
	}

	LeaseTiming timing() {
		return this.times.timing();
	}

	/* How long it is valid unless renewed; negative when it has expired. */
	long left(long now) {
		return this.times.left(now);
	}

	Phase phase() {
		return this.phase;
	}

	/* The kind in which the store has granted it. */
	Kind kind() {
		return this.id.kind();
	}

	/* Whether it is held or idle, so that no decision about it is pending. */
	boolean isInUse() {
		return this.phase == Phase.HELD || this.phase == Phase.IDLE;
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
		return this.times.confirmed() - context().contact.doubted() < 0;
	}

	/*
	 * Its tokens, and the limit for handing it on, which are about to change.
	 */
	HandOffBudget budgetForChange() {
		this.unchanged = false;
		HandOffBudget budget = this.budget;
		if (budget == null) {
			budget = newBudget(new TokenBlock(this.firstToken, this.firstToken));
			this.budget = budget;
		}
		return budget;
	}

	private HandOffBudget newBudget(TokenBlock block) {
		return new HandOffBudget(block, context().handOffs(this.lock.tasks().key));
	}

	boolean isContended() {
		return this.budget != null && this.budget.isContended();
	}

	boolean mayBeForced() {
		return this.budget != null && this.budget.mayBeForced();
	}

	/*
	 * Whether it may be handed on to callers of this instance although other instances
	 * may wait.
	 */
	boolean mayStay(long now) {
		return this.budget == null || this.budget.mayStay(now);
	}

	/* Whether it has a token for another hold, which needs a budget. */
	boolean hasToken() {
		return this.budget != null && this.budget.hasToken();
	}

	/*
	 * Whether its tokens are used up. A lease of a single token requests others only to
	 * be handed on, and has a budget from then on.
	 */
	boolean hasUsedUpTokens() {
		return this.budget != null && !this.budget.hasToken();
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
		List<Hold> holds = KeyTasks.with(this.holds, hold);
		// One directly after the other, so that each hold in the list is counted.
		context().lifecycle.begin();
		this.holds = holds;
		this.phase = Phase.HELD;
		try {
			lookBy(hold.nextLimit());
			this.lock.waiters().grant(waiter, new Waiter.Outcome.Granted(handle));
		}
		catch (Throwable ex) {
			if (waiter.decided == null) {
				hold.discard();
			}
			throw ex;
		}
		context().events.acquired(hold, now - waiter.start);
	}

	/*
	 * The lease is handed on. Former failures of renewals do not put the new hold at
	 * risk. From now on readers share the lease, or one caller has it alone.
	 */
	void prepareNextHold(@Nullable Readers readers) {
		this.times.forgetFailures();
		if (!kind().isShared()) {
			this.readers = readers;
		}
	}

	/*
	 * Keep the lease idle, also if it is idle already. It is renewed as often as waiting
	 * attempts poll, to learn of other instances that wait even without messages.
	 */
	void becomeIdle(Predecessor.Idle idle, long from) {
		long soon = from + timing().pollInterval(context().chance());
		this.predecessor = idle;
		this.phase = Phase.IDLE;
		this.times.renewBy(soon);
	}

	/* The end of the predecessor is completed, and it has other holds. */
	void predecessorDone() {
		this.predecessor = null;
	}

	boolean isDecidedBy(Predecessor predecessor) {
		return this.phase == Phase.DECIDING && this.predecessor == predecessor;
	}

	/* End the idle state; return null if it was not idle. */
	Predecessor.@Nullable Idle leaveIdle() {
		Predecessor.Idle idle = idle();
		if (idle != null) {
			this.phase = Phase.DECIDING;
		}
		return idle;
	}

	/* Null unless it is idle. */
	Predecessor.@Nullable Idle idle() {
		return (this.phase == Phase.IDLE) ? (Predecessor.Idle) this.predecessor : null;
	}

	/*
	 * When to look at it: for its renewal, its deadline, the end of the idle state, or
	 * the limits of its holds.
	 */
	long due() {
		if (!isInUse()) {
			return Alarm.NEVER;
		}
		Predecessor.Idle idle = idle();
		long due = Alarm.earlier(this.times.nextMoment(), this.limit);
		return (idle != null) ? Alarm.earlier(due, idle.until()) : due;
	}

	/* Look at it at this time at the latest. */
	void lookBy(long moment) {
		this.limit = Alarm.earlier(this.limit, moment);
	}

	/*
	 * Called when its due time has come. Return since when a renewal is due that has to
	 * be sent now; NEVER if there is none.
	 */
	long processDue(long now) {
		expire(now);
		if (!isInUse()) {
			return Alarm.NEVER;
		}
		// First, because taking the renewal moves the time since which it is due.
		long since = now - this.times.overdue(now, isRenewing());
		boolean renewal = this.times.takeDueRenewal(now, isRenewing(), chance(now));
		for (Hold hold : this.holds) {
			if (hold.isOpen() && !hold.endIfAbandoned()) {
				hold.checkTime(now);
			}
		}
		this.limit = Alarm.NEVER;
		this.holds.forEach((hold) -> lookBy(hold.nextLimit()));
		return (renewal && isInUse()) ? since : Alarm.NEVER;
	}

	private void expire(long now) {
		Predecessor.Idle idle = idle();
		if (idle != null) {
			idle.endIfOver(now);
		}
		else if (this.phase == Phase.HELD && left(now) <= 0) {
			long late = this.times.overdue(now, isRenewing());
			if (late > 0) {
				context().events.renewalSent(late);
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
	void afterRenewal() {
		Runnable after = this.afterRenewals;
		if (!isRenewing() && after != null) {
			this.afterRenewals = null;
			after.run();
		}
	}

	/*
	 * Renew it by this time, or check it if it is not renewed, even if the store has just
	 * confirmed it.
	 */
	void askBy(long moment) {
		if (isInUse()) {
			this.times.checkBy(moment);
		}
	}

	/*
	 * The reason why the store does not know it: forced if a message has said so before,
	 * otherwise gone.
	 */
	LockLoss.Reason goneReason() {
		return mayBeForced() ? LockLoss.Reason.FORCED : LockLoss.Reason.GONE;
	}

	/*
	 * Note whether other attempts wait, and new tokens, from a confirmation of the store.
	 */
	void noteOthersAndTokens(RenewAnswer.Renewed answer, long now) {
		if (answer.contended() || answer.next() != null) {
			budgetForChange().note(answer, now);
		}
	}

	/* The store has confirmed a renewal that was sent at this time. */
	void prolong(long sent) {
		this.times.prolong(sent, chance(sent));
		context().noticeSleepFor(timing(), sent);
		noteConfirmation(sent);
	}

	/* A command that was sent at this time has shown that the store has the lease. */
	void noteConfirmation(long sent) {
		this.times.noteConfirmed(sent);
		if (this.budget != null) {
			this.budget.confirmed(sent);
		}
	}

	/* The store has confirmed the lease for the timing of the next hold. */
	void adapt(LeaseTiming timing, long sent) {
		this.times.replaceTiming(timing, sent);
		prolong(sent);
	}

	/* A renewal has failed: send another one soon. */
	void retry(long now) {
		this.times.renewAfterFailure(now, chance(now));
	}

	/* Whether a caller may have it next. */
	boolean suits(Waiter waiter) {
		if (kind().isShared()) {
			// Other readers join it before it ends; afterwards they need another lease.
			return this.readers == null && waiter.kind.equals(kind());
		}
		return !waiter.kind.isPermit() && (this.readers == null || this.readers.isIntact());
	}

	/*
	 * A hold was closed. If it was the last one, it is being decided who gets the lease
	 * next. Return false if it was lost before.
	 */
	boolean leave(Hold hold, Predecessor closing) {
		// No call may fail between the end of the hold and keeping what completes it.
		if (!hold.release()) {
			return false;
		}
		this.predecessor = closing;
		this.holds = KeyTasks.without(this.holds, hold);
		if (this.holds.isEmpty()) {
			this.phase = Phase.DECIDING;
		}
		return true;
	}

	/*
	 * The store may keep the key for a while after the loss of a hold, although its work
	 * is done now. A lease that has outlasted its fixed timing was ended with the loss.
	 */
	void closeLost(Hold hold, long now) {
		LockLoss loss = hold.loss(now);
		if (loss != null && this.phase != Phase.FAILED && Hold.mayRemainInStore(loss.reason())
				&& !(loss.reason() == LockLoss.Reason.EXPIRED && this.times.outlastsFixedTiming())
				&& (this.readers == null || this.readers.closeLost())) {
			undo(hold, false);
		}
	}

	/* How long the key must not be handed on after the last hold has ended. */
	Duration lockedFor(Hold hold, long now) {
		return Duration.ofNanos(Math.max(hold.minimumLeft(now), lockedForReaders(now)));
	}

	private long lockedForReaders(long now) {
		return (this.readers != null) ? this.readers.lockedFor(now) : 0;
	}

	/* All holds have lost it. */
	void loseAll(LockLoss.Reason reason) {
		while (!this.holds.isEmpty()) {
			lose(this.holds.get(0), reason, null);
		}
	}

	/*
	 * A hold is lost. Of several reasons, it has expired if its time has ended;
	 * otherwise, the one that was found first.
	 */
	void lose(Hold hold, LockLoss.Reason suspected, @Nullable Runnable before) {
		LockLoss.Reason reason = (left(context().now()) <= 0) ? LockLoss.Reason.EXPIRED : suspected;
		hold.lose(reason, before);
		List<Hold> rest = KeyTasks.without(this.holds, hold);
		boolean last = rest.isEmpty();
		if (last) {
			// First, because a lease without holds would be undone after an error.
			markEnded();
		}
		this.holds = rest;
		if (this.readers != null) {
			this.readers.endReader(hold, reason);
		}
		if (last) {
			if (reason == LockLoss.Reason.ABANDONED
					|| (reason == LockLoss.Reason.EXPIRED && this.times.outlastsFixedTiming())) {
				undo(hold, reason == LockLoss.Reason.ABANDONED);
			}
			this.lock.leaseEnded(this, null);
		}
	}

	/* Stop renewing. */
	void markEnded() {
		this.phase = Phase.ENDED;
		this.predecessor = null;
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
		Predecessor before = this.predecessor;
		if (!used && !ended) {
			// Instead of a release that was waiting for renewals.
			this.afterRenewals = null;
			Duration keep = (before != null) ? before.lockedFor()
					: this.holds.isEmpty() ? Duration.ZERO : lockedFor(this.holds.get(0), context().now());
			// The watchdog may not have sent a renewal yet.
			onceAnswered(() -> this.lock.tasks().undo(this.id, ReleaseCommand.UNKNOWN, this.times.leaseEnd(), keep));
		}
		if (before != null) {
			before.abort();
			this.predecessor = null;
		}
		// This method may be repeated, after the holds have left.
		this.phase = (used || this.phase == Phase.FAILED) ? Phase.FAILED : Phase.ENDED;
		this.holds = List.of();
	}

	/*
	 * Return the refusal for callers without a wait time; null if there is none yet,
	 * because the next step of the lease decides.
	 */
	@Nullable Supplier<Waiter.Outcome.Refused> refusal(long now) {
		return switch (this.phase) {
			case HELD -> {
				Hold hold = this.holds.get(0);
				yield () -> new Waiter.Outcome.Refused(context().label(hold.thread()), hold.remaining(now));
			}
			case DECIDING, DRAINING -> (this.predecessor != null) ? this.predecessor.refusal() : null;
			case IDLE, ENDED, FAILED -> null;
		};
	}

	/* Stop renewing, and then end the lease in the store. */
	void drain(Runnable release) {
		this.phase = Phase.DRAINING;
		onceAnswered(release);
	}

	/*
	 * Run this when no renewal is without an answer, so that none can renew the lease
	 * afterwards.
	 */
	private void onceAnswered(Runnable release) {
		if (isRenewing()) {
			this.afterRenewals = release;
		}
		else {
			release.run();
		}
	}

	/* End in the store what is left of a lost hold; no caller waits for the answer. */
	private void undo(Hold hold, boolean withMinimum) {
		onceAnswered(() -> context().repeats.begin(toUndo(hold, withMinimum)));
	}

	/*
	 * Return the release that ends it in the store. The times of readers apply in any
	 * case, the minimum hold time on request.
	 */
	Undo toUndo(Hold hold, boolean withMinimum) {
		ReleaseCommand command = releaseCommand(hold.token, Duration.ZERO, null);
		return new Undo(hold.key, hold.token, this.times.leaseEnd(), () -> {
			long now = context().now();
			return command.keeping(withMinimum ? lockedFor(hold, now) : Duration.ofNanos(lockedForReaders(now)));
		});
	}

	/*
	 * Return the command that releases it, and may take a place for another attempt. A
	 * simple command suffices if the store's record is unchanged and no readers share it.
	 */
	ReleaseCommand releaseCommand(long lastToken, Duration keep, ReleaseCommand.@Nullable Requeue requeue) {
		boolean simple = this.unchanged && !kind().isShared();
		return new ReleaseCommand(this.lock.tasks().key, this.id, lastToken, keep, requeue, timing().timeout(),
				simple ? new ReleaseCommand.Grant(this.holder, timing().lease().duration()) : null);
	}

	/* A renewal is about to be sent. */
	void renewalBegins() {
		this.unchanged = false;
	}

	/* Whether a renewal has no answer yet. */
	private boolean isRenewing() {
		return RenewCall.isPending(this.lock.tasks(), this.id);
	}

	/**
	 * The phases of a lease.
	 */
	enum Phase {

		/** It has holds. */
		HELD,

		/**
		 * It was just granted, or it is being decided who gets it next: the store was
		 * asked, or it will be released.
		 */
		DECIDING,

		/** It has no hold, and is kept for the next caller. */
		IDLE,

		/**
		 * It is not renewed any more, and is released as soon as its renewals have been
		 * answered, so that none of them can follow the release.
		 */
		DRAINING,

		/**
		 * An error has ended it while it was held: other holders may still be working.
		 */
		FAILED,

		/** It has ended. */
		ENDED

	}

	/**
	 * The key of a lease. Methods are called within tasks of the key.
	 */
	interface Owner {

		KeyTasks tasks();

		/* Its callers that have no outcome yet. */
		WaitQueue waiters();

		/* Whether there are such callers. */
		boolean isAwaited();

		/*
		 * Another caller has the key now: tell callers that arrived while the store was
		 * asked.
		 */
		void tellWaitersBusy(long now);

		/*
		 * End the attempt if no caller waits for it any more, or if the first one needs
		 * another kind. Without an attempt, do what the first caller needs. Return
		 * whether one has ended.
		 */
		boolean reconsiderAttempt();

		/* Return an attempt whose place in the queue is taken by a release. */
		Attempt newAttemptInRelease(LeaseTiming timing);

		/* A lease has ended. The next attempt may have been begun with its release. */
		void leaseEnded(GrantedLease lease, @Nullable Attempt next);

	}

}
