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

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.OutcomeUnknownException;
import org.jspecify.annotations.Nullable;

/**
 * One key in this instance: its callers in order of arrival, and the instance's share of
 * the key.
 * <p>
 * The share is in one of these states; while there is an exclusive lease, it is the phase
 * of that lease: <pre>
 * FREE -&gt; REQUESTING     the first caller arrives
 * REQUESTING -&gt; HELD   the store has granted a lease; else FREE when no caller is left
 * HELD -&gt; DECIDING     the last hold on the lease was closed; FREE if all were lost
 * DECIDING -&gt; HELD     the next caller of this instance gets the lease
 * DECIDING -&gt; IDLE       no caller waits: the lease stays for the next one
 * DECIDING -&gt; DRAINING   the store gets it; FREE if it does not know the lease
 * IDLE -&gt; DECIDING       a caller arrives, or the idle time has ended; FREE if it was lost
 * DRAINING -&gt; FREE       the release is sent; REQUESTING if callers wait
 * </pre> In addition, callers may have leases that other instances share (permits and
 * readers), while an attempt continues for the others.
 * <p>
 * A caller joins in every state, and waits until it is first and the state serves it. A
 * key does not wait for the answer to a release: {@link Closing} does. The order of turns
 * is that of {@code contributing/model/Turns.tla}.
 * <p>
 * Calls nest within a task. The end of a lease or an attempt goes on to
 * {@link #reconsiderAttempt}, which may begin the next hold or attempt. Afterwards, its
 * callers read the state again; an attempt that has ended with it does nothing more.
 * Answers of the store do not nest, because they are tasks.
 * <p>
 * Methods are called within tasks of the mailbox; other threads only read
 * {@link #leases()}, and {@link #attempt()} as an estimate. A key without callers, share
 * and unanswered commands retires, and a caller that comes too late joins a new one. An
 * error in a task ends the whole state (see {@link KeyTasks}).
 */
final class LocalLock extends KeyTasks implements Attempt.Owner, Waiter.Key {

	/** Null while no caller waits. */
	private @Nullable WaitQueue waiters;

	private @Nullable Attempt attempt;

	/* The leases are also read by other threads. */
	private volatile @Nullable GrantedLease exclusive;

	/** The list is replaced, never changed. */
	private volatile List<GrantedLease> shared = List.of();

	LocalLock(LockKey key, Keys keys) {
		super(key, keys);
	}

	@Override
	public KeyTasks tasks() {
		return this;
	}

	@Override
	public Mailbox mailbox() {
		return this.mailbox;
	}

	@Override
	public WaitQueue waiters() {
		WaitQueue waiters = this.waiters;
		if (waiters == null) {
			waiters = new WaitQueue(this);
			this.waiters = waiters;
		}
		return waiters;
	}

	@Override
	public boolean isAwaited() {
		return this.waiters != null && !this.waiters.isEmpty();
	}

	@Override
	long due() {
		long due = (this.waiters != null) ? this.waiters.due() : Alarm.NEVER;
		if (this.attempt != null) {
			due = Alarm.earlier(due, this.attempt.due());
		}
		if (this.exclusive != null) {
			due = Alarm.earlier(due, this.exclusive.due());
		}
		for (GrantedLease lease : this.shared) {
			due = Alarm.earlier(due, lease.due());
		}
		return due;
	}

	@Override
	void processDueState(long now) {
		for (GrantedLease lease : leases()) {
			if (!Alarm.isBefore(now, lease.due())) {
				long since = lease.processDue(now);
				if (since != Alarm.NEVER) {
					LeaseRenewal.sendInTurn(lease, since);
				}
			}
		}
		Attempt attempt = this.attempt;
		if (attempt != null && !Alarm.isBefore(now, attempt.due())) {
			attempt.processDue(now);
		}
		if (isAwaited()) {
			waiters().endOverdue(now, this::overdue);
		}
	}

	@Override
	boolean hasState() {
		return this.attempt != null || isLeased() || isAwaited();
	}

	@Override
	public void onIdle() {
		if (!isAwaited()) {
			this.waiters = null;
		}
		super.onIdle();
	}

	@Override
	void endState(Throwable cause) {
		Attempt attempt = this.attempt;
		if (attempt != null) {
			attempt.giveUp();
			this.attempt = null;
		}
		LockStoreException failure = new LockStoreException(
				"The state of lock '" + this.key + "' in this instance has ended because of an error: " + cause, cause);
		waiters().forEach((waiter) -> waiters().fail(waiter, failure));
		for (GrantedLease lease : leases()) {
			lease.abort();
		}
		this.exclusive = null;
		this.shared = List.of();
	}

	@Override
	public @Nullable Attempt attempt() {
		return this.attempt;
	}

	/* Called by any thread: return all leases. */
	List<GrantedLease> leases() {
		GrantedLease exclusive = this.exclusive;
		return (exclusive != null) ? with(this.shared, exclusive) : this.shared;
	}

	/* Return the lease that an attempt was granted; null if there is none. */
	@Override
	public @Nullable GrantedLease leaseOf(AttemptId id) {
		for (GrantedLease lease : leases()) {
			if (lease.id().equals(id)) {
				return lease;
			}
		}
		return null;
	}

	void forEachHold(Consumer<Hold> visitor) {
		for (GrantedLease lease : leases()) {
			lease.holds().forEach(visitor);
		}
	}

	@Override
	public boolean join(Waiter waiter) {
		if (isRetired()) {
			return false;
		}
		waiters().add(waiter);
		long now = context().nowNoticingSleep();
		handleArrival(waiter, now);
		if (waiter.inQueue) {
			waiters().watch(waiter, now);
		}
		return true;
	}

	private void handleArrival(Waiter waiter, long now) {
		if (!context().isOpen()) {
			waiters().fail(waiter, new LockServiceClosedException(waiter.key));
			return;
		}
		leases().forEach((lease) -> lease.expireIfOver(now));
		if (!waiter.inQueue) {
			// An expired lease has made room, and with that this caller already had its
			// turn.
			return;
		}
		if (isExcluded(waiter.kind)) {
			waiters().fail(waiter, Kinds.refusal(waiter.kind));
			return;
		}
		if (joinReaders(now)) {
			return;
		}
		Supplier<Waiter.Outcome.Refused> refusal = refusal(now);
		if (refusal != null) {
			waiters().tellBusy(waiter, refusal, now);
		}
		else {
			acquireForWaiters(now);
		}
	}

	private boolean isLeased() {
		return this.exclusive != null || !this.shared.isEmpty();
	}

	/*
	 * Whether the key is held, or waited for, in a kind that can never be combined with
	 * this one.
	 */
	private boolean isExcluded(Kind kind) {
		boolean excluded = waiters().first().kind.isPermit() != kind.isPermit();
		for (GrantedLease lease : leases()) {
			excluded |= !lease.holds().isEmpty() && lease.kind().isPermit() != kind.isPermit();
		}
		return excluded;
	}

	/*
	 * The time of a caller has ended. A caller that knows nothing yet still waits for a
	 * first answer.
	 */
	@Override
	public void overdue(Waiter waiter) {
		if (!waiter.inQueue) {
			return;
		}
		long now = context().now();
		if (waiter.toldBusy) {
			Supplier<Waiter.Outcome.Refused> refusal = refusal(now);
			waiters().tellBusy(waiter, (refusal != null) ? refusal : Waiter.Outcome.Refused.unknown(), now);
			if (waiter.inQueue) {
				waiters().watch(waiter, now);
			}
			reconsiderAttempt();
		}
		else if (waiter.timeToGiveUp(context(), now) <= 0) {
			waiters().fail(waiter, noAnswer(waiter.key));
			reconsiderAttempt();
		}
		else {
			waiters().watch(waiter, now);
		}
	}

	private static OutcomeUnknownException noAnswer(LockKey key) {
		return new OutcomeUnknownException("The store did not answer for lock '" + key + "' within its timeout", null);
	}

	@Override
	public void joinAgain(Waiter waiter) {
		keys().join(waiter);
	}

	@Override
	public void addAgain(Waiter waiter) {
		waiters().add(waiter);
	}

	@Override
	public void leave(Waiter waiter, Throwable cause) {
		waiters().leave(waiter, cause);
		reconsiderAttempt();
	}

	/*
	 * Return the refusal for callers without a wait time; null if there is none yet,
	 * because the key can be had, or an answer decides.
	 */
	private @Nullable Supplier<Waiter.Outcome.Refused> refusal(long now) {
		Attempt attempt = this.attempt;
		GrantedLease exclusive = this.exclusive;
		if (attempt != null) {
			return attempt.refusal();
		}
		return (exclusive != null) ? exclusive.refusal(now) : null;
	}

	@Override
	public void tellWaitersBusy(long now) {
		if (!isAwaited()) {
			return;
		}
		Supplier<Waiter.Outcome.Refused> refusal = refusal(now);
		if (refusal != null) {
			waiters().tellAllBusy(refusal, now);
		}
	}

	/* Do everything possible to get the key. */
	private void acquireForWaiters(long now) {
		if (joinReaders(now)) {
			return;
		}
		Attempt attempt = this.attempt;
		GrantedLease exclusive = this.exclusive;
		if (exclusive != null) {
			// Unless it is idle, its next step is the next step for its callers.
			IdleLease.endForCaller(exclusive);
		}
		else if (attempt != null) {
			attempt.askUnlessPending();
		}
		else {
			beginAttempt(now);
		}
	}

	private void beginAttempt(long now) {
		// Callers may have waited for a command of the former lease, which had no answer
		// for a long time.
		Waiter late = waiters().firstLate(now);
		if (late != null) {
			for (; late != null; late = waiters().firstLate(now)) {
				waiters().fail(late, noAnswer(late.key));
			}
			if (!isAwaited() || joinReaders(now)) {
				return;
			}
		}
		Attempt attempt = new Attempt(this, context().ids.next(waiters().first().kind), now);
		this.attempt = attempt;
		attempt.askUnlessPending();
	}

	private static boolean admits(GrantedLease lease, Waiter first, long now) {
		return lease.readers() != null && lease.readers().mayAdmit(first, now);
	}

	/*
	 * Let the first callers join readers if they can. Return whether no caller waits any
	 * more, or the first one needs no attempt, because it joins when the store has
	 * confirmed the lease.
	 */
	private boolean joinReaders(long now) {
		while (isAwaited()) {
			Waiter first = waiters().first();
			Readers readers = readersFor(first, now);
			if (readers == null) {
				return false;
			}
			if (!readers.admitIfFresh(first, now)) {
				return true;
			}
		}
		return true;
	}

	/* While an attempt requests the key, its answer decides. */
	private @Nullable Readers readersFor(Waiter first, long now) {
		GrantedLease exclusive = this.exclusive;
		if (exclusive != null) {
			return admits(exclusive, first, now) ? exclusive.readers() : null;
		}
		if (this.attempt == null) {
			for (GrantedLease lease : this.shared) {
				if (admits(lease, first, now)) {
					return lease.readers();
				}
			}
		}
		return null;
	}

	@Override
	public void granted(GrantedLease lease, long now) {
		if (!lease.kind().isShared()) {
			this.exclusive = lease;
			this.attempt = null;
			lease.begin(waiters().first(), lease.firstToken, now);
			tellWaitersBusy(now);
			return;
		}
		// Other callers may share the key: another attempt continues for them.
		this.shared = with(this.shared, lease);
		this.attempt = null;
		lease.begin(waiters().first(), lease.firstToken, now);
		Readers readers = lease.readers();
		if (readers != null) {
			readers.admitWithGrant(now);
		}
		waiters().tellLateBusy(now);
		reconsiderAttempt();
	}

	@Override
	public void leaseEnded(GrantedLease lease, @Nullable Attempt next) {
		if (this.exclusive == lease) {
			this.exclusive = null;
			this.attempt = next;
		}
		else {
			this.shared = without(this.shared, lease);
		}
		reconsiderAttempt();
	}

	@Override
	public Attempt newAttemptInRelease(LeaseTiming timing) {
		Attempt attempt = new Attempt(this, context().ids.next(waiters().first().kind), context().nowNoticingSleep());
		attempt.expectPlace(timing);
		return attempt;
	}

	@Override
	public void restart() {
		this.attempt = null;
		reconsiderAttempt();
	}

	@Override
	public boolean reconsiderAttempt() {
		Attempt attempt = this.attempt;
		boolean awaited = isAwaited();
		boolean ended = attempt != null && !(awaited && attempt.isFor(waiters().first()));
		if (attempt != null && ended) {
			attempt.giveUp();
			this.attempt = null;
		}
		if (awaited && this.attempt == null) {
			acquireForWaiters(context().now());
		}
		return ended;
	}

	/* The process was restored: a late answer must not give anything to a caller. */
	void restored() {
		if (this.attempt != null && context().ids.isForeign(this.attempt.id)) {
			restart();
		}
	}

	/* Fail waiting callers, and release an idle lease. */
	void stop() {
		waiters().forEach((waiter) -> waiters().fail(waiter, new LockServiceClosedException(waiter.key)));
		reconsiderAttempt();
		GrantedLease exclusive = this.exclusive;
		if (exclusive != null) {
			IdleLease.release(exclusive);
		}
	}

	/* Return the present attempt if it has this id. */
	@Nullable Attempt attempt(AttemptId id) {
		Attempt attempt = this.attempt;
		return (attempt != null && attempt.id.equals(id)) ? attempt : null;
	}

}
