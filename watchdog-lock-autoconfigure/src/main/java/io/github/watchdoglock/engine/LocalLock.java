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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * One key in this instance: its callers in order of arrival, and the instance's share of
 * the key. This is an attempt to acquire the key, or a lease that excludes other
 * instances, or leases that other instances may share, in addition to an attempt.
 * Everything happens in tasks of its mailbox; methods are called within a task unless
 * they say otherwise.
 */
final class LocalLock implements Mailbox.Owner {

	/*
	 * How long a caller waits at most for a task on another thread, which does not block.
	 */
	private static final long LONGEST_TASK = TimeUnit.SECONDS.toNanos(1);

	final LockKey key;

	final Mailbox mailbox = new Mailbox(this);

	/** Null while no caller waits. */
	private @Nullable WaitQueue waiters;

	private final LockRegistry registry;

	private final KeyAlarm alarm;

	private @Nullable Attempt attempt;

	/* The leases are also read by other threads. */
	private volatile @Nullable GrantedLease exclusive;

	/** The list is replaced, never changed. */
	private volatile List<GrantedLease> shared = List.of();

	/** Commands without an answer. The list is replaced, never changed. */
	private List<StoreCall<?>> calls = List.of();

	/* The next key in the list of keys that the watchdog continues. */
	@Nullable LocalLock nextStalled;

	private boolean retired;

	/**
	 * An error because of which the state of the key has to end; written by any thread.
	 */
	private volatile @Nullable Throwable failure;

	/** The task that has failed, until everything that waits for it has failed. */
	private Mailbox.@Nullable Task failed;

	LocalLock(LockKey key, LockRegistry registry) {
		this.key = key;
		this.registry = registry;
		this.alarm = new KeyAlarm(this);
	}

	WaitQueue waiters() {
		WaitQueue waiters = this.waiters;
		if (waiters == null) {
			waiters = new WaitQueue(this);
			this.waiters = waiters;
		}
		return waiters;
	}

	boolean isAwaited() {
		return this.waiters != null && !this.waiters.isEmpty();
	}

	/* Not a field, which would cost eight bytes per lock. */
	Core core() {
		return this.registry.core;
	}

	@Override
	public Threads threads() {
		return core().system;
	}

	@Override
	public void continueElsewhere(Runnable rest) {
		core().taskContinuations.execute(rest);
	}

	@Override
	public void callWatchdog() {
		this.registry.callWatchdog(this);
	}

	/* Called by any thread: run an action as a task, now or later. */
	void run(Runnable action) {
		this.mailbox.execute(new Action(action, null));
	}

	/* The same on an I/O thread. */
	void runBriefly(Runnable action) {
		this.mailbox.executeBriefly(new Action(action, null));
	}

	/* The same, for a future that fails if the task does. */
	void run(Runnable action, CompletableFuture<?> done) {
		this.mailbox.execute(new Action(action, done));
	}

	/*
	 * The same, and wait until the task has run. Called by any thread that runs no task.
	 */
	void runAndWait(Runnable action) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		run(() -> {
			action.run();
			done.complete(null);
		});
		core().awaitUninterruptibly(done, LONGEST_TASK);
	}

	@Override
	public void failed(Mailbox.Task task, Throwable cause) {
		this.failed = task;
		this.failure = cause;
		end(cause);
	}

	@Override
	public void processDue() {
		Throwable failure = this.failure;
		if (failure != null) {
			end(failure);
		}
		try {
			expire(core().now());
		}
		catch (Throwable ex) {
			this.failure = ex;
			end(ex);
		}
		settle();
	}

	/*
	 * Called by any thread: end the state of the key, because a task may have been lost
	 * before it was enqueued.
	 */
	void fail(Throwable cause) {
		this.failure = cause;
		this.mailbox.requestCheck();
	}

	/* Let the watchdog look at the key when something is due. */
	@Override
	public void settle() {
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
		for (StoreCall<?> call : this.calls) {
			due = Alarm.earlier(due, call.overdue);
		}
		core().watchdog.set(this.alarm, due);
	}

	private static boolean isDue(long due, long now) {
		return due != Alarm.NEVER && due - now <= 0;
	}

	/* Do everything that has become due. */
	private void expire(long now) {
		for (GrantedLease lease : leases()) {
			if (isDue(lease.due(), now)) {
				lease.processDue(now);
			}
		}
		for (StoreCall<?> call : this.calls) {
			if (call.overdue - now <= 0) {
				call.accept(null, new OutcomeUnknownException("The store did not answer within its timeout", null));
			}
		}
		Attempt attempt = this.attempt;
		if (attempt != null && isDue(attempt.due(), now)) {
			attempt.processDue(now);
		}
		if (isAwaited()) {
			waiters().expire(now);
		}
	}

	/* A command is sent, and has no answer yet. */
	void expectAnswer(StoreCall<?> call) {
		this.calls = with(this.calls, call);
	}

	/* A command was answered. */
	void endCall(StoreCall<?> ended) {
		this.calls = without(this.calls, ended);
	}

	boolean awaitsAnswer() {
		return !this.calls.isEmpty();
	}

	/*
	 * Return a renewal for an attempt that was sent since this time and has no answer
	 * yet; null if there is none.
	 */
	@Nullable Renewal unansweredRenewal(AttemptId attempt, long since) {
		for (StoreCall<?> call : this.calls) {
			if (call instanceof Renewal renewal && renewal.isFor(attempt) && call.sent - since >= 0) {
				return renewal;
			}
		}
		return null;
	}

	/* Return a copy of a list with one more element. */
	static <E> List<E> with(List<E> list, E element) {
		if (list.isEmpty()) {
			return List.of(element);
		}
		List<E> more = new ArrayList<>(list);
		more.add(element);
		return List.copyOf(more);
	}

	/* Return a copy of a list without an element, which it may not contain. */
	static <E> List<E> without(List<E> list, E element) {
		if (list.size() <= 1) {
			return list.contains(element) ? List.of() : list;
		}
		List<E> rest = new ArrayList<>(list);
		rest.remove(element);
		return List.copyOf(rest);
	}

	boolean isUnused() {
		return this.attempt == null && this.exclusive == null && this.shared.isEmpty() && this.calls.isEmpty()
				&& !isAwaited() && this.failure == null;
	}

	/* A key that is not used any more retires, and the next caller joins a new one. */
	@Override
	public void onIdle() {
		settle();
		if (!isAwaited()) {
			this.waiters = null;
		}
		if (!this.retired && isUnused()) {
			// First, because a caller that finds a retired key looks for another one.
			this.registry.remove(this);
			this.retired = true;
			this.alarm.lock = null;
		}
	}

	/*
	 * An error has happened in a task: the state of the key in this instance ends as a
	 * whole, and the next caller begins with a new one. If this fails, it is repeated.
	 */
	private void end(Throwable cause) {
		this.failure = cause;
		Mailbox.Task failed = this.failed;
		if (failed != null) {
			failed.abort(cause);
			this.failed = null;
		}
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
		this.failure = null;
		core().reportEnded(this.key, cause);
	}

	/* The present attempt; null if there is none. */
	@Nullable Attempt attempt() {
		return this.attempt;
	}

	/* Called by any thread: return all leases. */
	List<GrantedLease> leases() {
		GrantedLease exclusive = this.exclusive;
		if (exclusive == null) {
			return this.shared;
		}
		return with(this.shared, exclusive);
	}

	/* Return the lease that an attempt was granted; null if there is none. */
	@Nullable GrantedLease leaseOf(AttemptId id) {
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

	/* A caller arrives. Return false if the key has retired: there is a new one then. */
	boolean join(Waiter waiter) {
		if (this.retired) {
			return false;
		}
		waiters().add(waiter);
		long now = core().nowNoticingSleep();
		handleArrival(waiter, now);
		if (waiter.queued && waiter.thread == null) {
			// A caller with a thread checks its time itself.
			waiters().watch(waiter, now);
		}
		return true;
	}

	/* Join the new key after this one has retired. */
	void joinAgain(Waiter waiter) {
		this.registry.join(waiter);
	}

	private void handleArrival(Waiter waiter, long now) {
		if (!core().isOpen()) {
			waiters().fail(waiter, new LockServiceClosedException(waiter.key));
			return;
		}
		leases().forEach((lease) -> lease.expireIfOver(now));
		if (!waiter.queued) {
			// An expired lease has made room, and with that this caller already had its
			// turn.
			return;
		}
		if (isExcluded(waiter.kind)) {
			waiters().fail(waiter, Kinds.refusal(waiter.kind));
			return;
		}
		if (hasState() && mayJoin(now) && joinReaders(now)) {
			return;
		}
		Supplier<Waiter.Outcome.Refused> refusal = refusal(now);
		if (refusal != null) {
			waiters().notifyBusy(waiter, refusal, now);
		}
		else {
			acquireForWaiters(now);
		}
	}

	private boolean isLeased() {
		return this.exclusive != null || !this.shared.isEmpty();
	}

	private boolean hasState() {
		return this.attempt != null || this.exclusive != null;
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
	 * The time of a caller has ended. A caller that has had no answer yet still waits for
	 * the first one.
	 */
	void overdue(Waiter waiter, long now) {
		if (!waiter.queued) {
			return;
		}
		if (waiter.answered) {
			Supplier<Waiter.Outcome.Refused> refusal = refusal(now);
			waiters().notifyBusy(waiter, (refusal != null) ? refusal : Waiter.Outcome.Refused.unknown(), now);
			if (waiter.queued) {
				waiters().watch(waiter, now);
			}
			endIfUnwanted();
		}
		else if (waiter.timeToGiveUp(core(), now) <= 0) {
			waiters().fail(waiter, unanswered(waiter.key));
			endIfUnwanted();
		}
		else {
			waiters().watch(waiter, now);
		}
	}

	private static OutcomeUnknownException unanswered(LockKey key) {
		return new OutcomeUnknownException("The store did not answer for lock '" + key + "' within its timeout", null);
	}

	/* A caller gives up, unless it has its outcome already. */
	void leave(Waiter waiter, Throwable cause) {
		waiters().leave(waiter, cause);
		endIfUnwanted();
	}

	/* Return why a caller cannot have the key now; null while that is not known. */
	private @Nullable Supplier<Waiter.Outcome.Refused> refusal(long now) {
		if (this.attempt != null) {
			return this.attempt.refusal();
		}
		GrantedLease exclusive = this.exclusive;
		return (exclusive != null) ? exclusive.refusal(now) : null;
	}

	/*
	 * Another caller has the key now: notify callers that arrived while the store was
	 * asked.
	 */
	void notifyWaiters(long now) {
		if (!isAwaited()) {
			return;
		}
		Supplier<Waiter.Outcome.Refused> refusal = refusal(now);
		if (refusal != null) {
			waiters().notifyAllBusy(refusal, now);
		}
	}

	/* Do everything possible to get the key. */
	private void acquireForWaiters(long now) {
		if (isLeased() && mayJoin(now) && joinReaders(now)) {
			return;
		}
		if (!hasState()) {
			// Callers may have waited for a command of the former lease, which had no
			// answer for a long time.
			Waiter late = waiters().firstLate(now);
			if (late != null) {
				for (; late != null; late = waiters().firstLate(now)) {
					waiters().fail(late, unanswered(late.key));
				}
				if (!isAwaited() || joinReaders(now)) {
					return;
				}
			}
			this.attempt = new Attempt(this, core().ids.next(waiters().first().kind), now);
		}
		GrantedLease exclusive = this.exclusive;
		if (this.attempt != null) {
			this.attempt.askUnlessPending();
		}
		else if (exclusive != null && exclusive.isIdle()) {
			IdleLease.endForCaller(exclusive);
		}
	}

	/* Whether the first caller may be able to join readers. */
	private boolean mayJoin(long now) {
		if (!hasState()) {
			return true;
		}
		GrantedLease exclusive = this.exclusive;
		return exclusive != null && isAwaited() && admits(exclusive, waiters().first(), now);
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
			if (!readers.admit(first, now)) {
				return true;
			}
		}
		return true;
	}

	private @Nullable Readers readersFor(Waiter first, long now) {
		for (GrantedLease lease : leases()) {
			if (admits(lease, first, now)) {
				return lease.readers();
			}
		}
		return null;
	}

	/* The store has granted a lease: it is the first caller's turn. */
	void granted(GrantedLease lease, long now) {
		if (!lease.kind().isShared()) {
			this.exclusive = lease;
			this.attempt = null;
			lease.begin(waiters().first(), lease.firstToken, now);
			notifyWaiters(now);
			return;
		}
		// Other callers may share the key: another attempt continues for them.
		this.shared = with(this.shared, lease);
		this.attempt = null;
		lease.begin(waiters().first(), lease.firstToken, now);
		Readers readers = lease.readers();
		if (readers != null) {
			readers.admitAll(now);
		}
		waiters().notifyLateBusy(now);
		endIfUnwanted();
	}

	/* A lease has ended. The next attempt may have been begun with its release. */
	void leaseEnded(GrantedLease lease, @Nullable Attempt next) {
		if (this.exclusive == lease) {
			this.exclusive = null;
			this.attempt = next;
			if (isAwaited()) {
				acquireForWaiters(core().now());
			}
		}
		else if (this.shared.contains(lease)) {
			this.shared = without(this.shared, lease);
			endIfUnwanted();
		}
	}

	/* The attempt has ended without a lease. */
	void restart() {
		this.attempt = null;
		if (isAwaited()) {
			acquireForWaiters(core().now());
		}
	}

	/*
	 * End the attempt if no caller waits for it any more, or if the first one needs
	 * another kind. Return whether it has ended.
	 */
	boolean endIfUnwanted() {
		Attempt attempt = this.attempt;
		boolean awaited = isAwaited();
		boolean ended = attempt != null && !(awaited && attempt.isFor(waiters().first()));
		if (attempt != null && ended) {
			attempt.giveUp();
			this.attempt = null;
		}
		if (awaited && (this.attempt == null || isLeased())) {
			long now = core().now();
			if (mayJoin(now)) {
				acquireForWaiters(now);
			}
		}
		return ended;
	}

	/*
	 * End what an attempt may have in the store until this time, and keep the key from
	 * other callers for a while. No caller waits for the answer.
	 */
	void undo(AttemptId id, long lastToken, long until, Duration keep) {
		ReleaseCommand command = new ReleaseCommand(this.key, id, lastToken, keep, null, core().defaults.timeout());
		core().repeats.begin(new Undo(this.key, ReleaseCommand.NONE, until, () -> command));
	}

	/*
	 * Called by any thread, as an estimate: whether its attempt pauses after a failure.
	 */
	boolean isPausing() {
		Attempt attempt = this.attempt;
		return attempt != null && attempt.pauses();
	}

	/* The store can be reached again: a pause ends at this time at the latest. */
	void endPause(long moment) {
		if (this.attempt != null) {
			this.attempt.endPause(moment);
		}
	}

	/* Called by any thread, as an estimate: whether it has an attempt. */
	boolean isAsking() {
		return this.attempt != null;
	}

	/* Messages may have been lost: its attempt asks by this time. */
	void askBy(long moment) {
		if (this.attempt != null) {
			this.attempt.askBy(moment);
		}
	}

	/* The process was restored: a late answer must not give anything to a caller. */
	void restored() {
		leases().forEach(GrantedLease::restored);
		if (this.attempt != null && core().ids.isForeign(this.attempt.id)) {
			restart();
		}
	}

	/* Fail waiting callers, and release an idle lease. */
	void stop() {
		waiters().forEach((waiter) -> waiters().fail(waiter, new LockServiceClosedException(waiter.key)));
		endIfUnwanted();
		GrantedLease exclusive = this.exclusive;
		if (exclusive != null) {
			IdleLease.release(exclusive);
		}
	}

	/*
	 * The following methods receive messages of the store. These are hints; only an
	 * answer of the store is a fact.
	 */

	/*
	 * The key may be reserved for an attempt of this instance. If the attempt is unknown,
	 * it is not released: it may have become a lease whose state an error has ended here,
	 * and whose holder is still working. Other unknown attempts have only a reservation,
	 * which soon ends.
	 */
	void hintGranted(AttemptId id) {
		Attempt attempt = attempt(id);
		if (attempt != null) {
			attempt.hint();
		}
	}

	/*
	 * Other attempts wait for the key that an attempt of this instance has. Return
	 * whether they may be waiting for it as an idle key, although it is in use.
	 */
	boolean hintContended(AttemptId id) {
		Attempt attempt = attempt(id);
		GrantedLease lease = leaseOf(id);
		if (attempt != null) {
			attempt.contended = true;
		}
		if (lease == null) {
			return false;
		}
		lease.budget().contended(core().now());
		IdleLease.release(lease);
		return lease.isInUse() && lease.lingering;
	}

	/* The holder of the key does not keep it idle. */
	void hintInUse(AttemptId id) {
		Attempt attempt = attempt(id);
		if (attempt != null) {
			attempt.inUse();
		}
	}

	/*
	 * The key may have been taken from an attempt of this instance by force: ask the
	 * store.
	 */
	void hintForced(AttemptId id) {
		GrantedLease lease = forced(id);
		if (lease != null && lease.isInUse()) {
			lease.ask();
		}
	}

	/*
	 * The store has answered that the key was taken from an attempt of this instance by
	 * force.
	 */
	void forceReleased(AttemptId id) {
		GrantedLease lease = forced(id);
		if (lease != null) {
			IdleLease.drop(lease);
			lease.loseAll(LockLoss.Reason.FORCED);
		}
	}

	/*
	 * Return the lease that may have been taken; null for an attempt, which asks the
	 * store in any case.
	 */
	private @Nullable GrantedLease forced(AttemptId id) {
		Attempt attempt = attempt(id);
		if (attempt != null) {
			attempt.forced = true;
			return null;
		}
		GrantedLease lease = leaseOf(id);
		if (lease != null) {
			lease.budget().forced(core().now());
		}
		return lease;
	}

	/*
	 * Another instance requests the holder to release the key. Ignored if the key was
	 * taken already.
	 */
	void hintResignRequested(AttemptId id) {
		GrantedLease lease = leaseOf(id);
		if (lease != null && lease == this.exclusive && !lease.holds().isEmpty()) {
			Hold hold = lease.holds().get(0);
			core().events.resignRequested(hold.key, hold.token);
		}
	}

	/* Return the present attempt if it has this id. */
	private @Nullable Attempt attempt(AttemptId id) {
		Attempt attempt = this.attempt;
		return (attempt != null && attempt.id.equals(id)) ? attempt : null;
	}

	private static final class Action extends Mailbox.Task {

		private final Runnable action;

		private final @Nullable CompletableFuture<?> done;

		private Action(Runnable action, @Nullable CompletableFuture<?> done) {
			this.action = action;
			this.done = done;
		}

		@Override
		void run() {
			this.action.run();
		}

		@Override
		void abort(Throwable cause) {
			if (this.done != null) {
				this.done.completeExceptionally(cause);
			}
		}

	}

	/**
	 * The only alarm of a key. It does not keep a retired key reachable.
	 */
	private static final class KeyAlarm extends Alarm {

		private volatile @Nullable LocalLock lock;

		private KeyAlarm(LocalLock lock) {
			this.lock = lock;
		}

		@Override
		boolean isObsolete() {
			return this.lock == null;
		}

		@Override
		void fire(long now) {
			LocalLock lock = this.lock;
			if (lock != null) {
				lock.mailbox.requestCheck();
			}
		}

	}

}
