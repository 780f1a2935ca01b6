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

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.store.AttemptId.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A hold: one caller's possession of a lease, which all handles of that caller share.
 * <p>
 * It is held until its last handle is closed (released), or until it is lost; a loss is
 * then reported once. Any thread counts handles, in the word that also contains this
 * state; only tasks of the key end a hold. A hold whose handles cannot be closed any
 * more, because their thread has died or they were collected, is abandoned, which is a
 * loss.
 * <p>
 * A hold is valid while its lease is: other threads compare the clock with the deadline,
 * and need no task to see that it has expired.
 */
final class Hold implements Held {

	/*
	 * One word contains the state, and the numbers of handles that are open, attached,
	 * and to be interrupted, so that all of them change together. The state HELD becomes
	 * RELEASED; or LOST, after the loss was set, and then REPORTED.
	 */
	private static final long STATE = 3;

	private static final long HELD = 0;

	private static final long RELEASED = 1;

	private static final long LOST = 2;

	/* Lost, and all observers were notified. */
	private static final long REPORTED = 3;

	private static final int BITS = 20;

	private static final long OPEN = 1L << 2;

	private static final long ATTACHED = OPEN << BITS;

	private static final long INTERRUPTIBLE = ATTACHED << BITS;

	private static final long COUNT = (1L << BITS) - 1;

	private static final AtomicLongFieldUpdater<Hold> WORD = AtomicLongFieldUpdater.newUpdater(Hold.class, "word");

	private static final AtomicReferenceFieldUpdater<Hold, Object> WHEN_LOST = AtomicReferenceFieldUpdater
		.newUpdater(Hold.class, Object.class, "whenLost");

	private static final AtomicReferenceFieldUpdater<Hold, Detached> DETACHED = AtomicReferenceFieldUpdater
		.newUpdater(Hold.class, Detached.class, "detached");

	final GrantedLease lease;

	/** The key as the caller named it. */
	final LockKey key;

	final long token;

	private final Mode mode;

	final long acquired;

	/*
	 * The thread of its attached handles; null when there are none. A thread may keep its
	 * result reachable, and with that a detached handle, which then could not be
	 * collected.
	 */
	volatile ThreadHandles.@Nullable HoldingThread owner;

	private volatile long word;

	/*
	 * A future, or a weak reference to one when no thread owns the hold: callbacks of
	 * users may refer to their handles, and must not prevent their collection.
	 */
	private volatile @Nullable Object whenLost;

	private volatile @Nullable Detached detached;

	/** The object with which the guard has admitted a fenced hold. */
	private volatile AcquisitionGuard.@Nullable Admission admission;

	private volatile @Nullable Loss lost;

	/* Used by the tasks of the key only. */
	HoldRules rules;

	Hold(GrantedLease lease, Waiter waiter, long token, long acquired) {
		this.lease = lease;
		this.key = waiter.key;
		this.token = token;
		this.mode = waiter.mode;
		this.acquired = acquired;
		this.rules = waiter.rules;
		this.owner = waiter.owner;
	}

	/*
	 * Create the first handle, which belongs to the thread that waited, if there was one.
	 */
	Handle firstHandle() {
		OnLoss onLoss = (this.owner != null) ? this.rules.onLoss() : null;
		Handle handle = new Handle(this, this.mode == Mode.READ, onLoss);
		this.word = units(onLoss);
		if (onLoss == null) {
			this.detached = new Detached(handle, null);
		}
		return handle;
	}

	/* The units of a handle in the word. */
	private static long units(@Nullable OnLoss onLoss) {
		if (onLoss == null) {
			return OPEN;
		}
		return OPEN + ATTACHED + ((onLoss == OnLoss.INTERRUPT) ? INTERRUPTIBLE : 0);
	}

	@Override
	public LockKey key() {
		return this.key;
	}

	@Override
	public long token() {
		return this.token;
	}

	@Override
	public Mode mode() {
		return this.mode;
	}

	/*
	 * The kind in which it has its key. Readers may have a lease that excludes other
	 * instances.
	 */
	Kind kind() {
		return (this.mode == Mode.READ) ? Kind.READ : this.lease.kind();
	}

	AcquisitionGuard.@Nullable Admission admission() {
		return this.admission;
	}

	void admit(AcquisitionGuard.Admission admission) {
		this.admission = admission;
	}

	private EngineContext context() {
		return this.lease.context();
	}

	/* The thread that owns it; null if none does any more. */
	@Nullable Thread thread() {
		ThreadHandles.HoldingThread owner = this.owner;
		return (owner != null && count(this.word, ATTACHED) > 0) ? owner.thread : null;
	}

	private static long count(long word, long unit) {
		return (word / unit) & COUNT;
	}

	boolean isOpen() {
		return (this.word & STATE) == HELD;
	}

	boolean isHeld(long now) {
		return isOpen() && this.lease.left(now) > 0;
	}

	/*
	 * Return the loss, also if the deadline has passed and no task has noticed that yet.
	 */
	@Nullable LockLoss loss(long now) {
		Loss lost = this.lost;
		if (lost == null && isOpen() && this.lease.left(now) <= 0) {
			return new LockLoss(this.key, this.token, LockLoss.Reason.EXPIRED);
		}
		return (lost != null) ? lost.loss : null;
	}

	Duration remaining(long now) {
		return isHeld(now) ? Duration.ofNanos(this.lease.left(now)) : Duration.ZERO;
	}

	/*
	 * Count one more handle of its thread. Return false if the hold has ended, or is
	 * ending. Both numbers are checked, because a handle that is closed while another
	 * thread detaches it is still counted as attached.
	 */
	boolean reenter(OnLoss onLoss) {
		long before = this.word;
		while ((before & STATE) == HELD && count(before, OPEN) > 0 && count(before, ATTACHED) > 0) {
			if (WORD.compareAndSet(this, before, before + units(onLoss))) {
				return true;
			}
			before = this.word;
		}
		return false;
	}

	/*
	 * A handle is closed. Return the word, so that nothing can fail after the handle was
	 * counted out.
	 */
	long countOut(@Nullable OnLoss onLoss) {
		long units = units(onLoss);
		return WORD.addAndGet(this, -units);
	}

	/* Whether no handle is open. */
	static boolean isUnused(long word) {
		return count(word, OPEN) == 0;
	}

	/* Whether several handles are open. */
	boolean isReentered() {
		return count(this.word, OPEN) > 1;
	}

	long word() {
		return this.word;
	}

	/* A handle is about to be detached from its thread, unless it is closed meanwhile. */
	void addDetached(Handle handle) {
		Detached before;
		Detached added;
		do {
			before = this.detached;
			added = new Detached(handle, before);
		}
		while (!DETACHED.compareAndSet(this, before, added));
	}

	/*
	 * A handle belongs to no thread from now on, unless it is closed meanwhile. No call
	 * may fail between both changes.
	 */
	void detach(Handle handle, OnLoss onLoss) {
		long units = units(onLoss);
		if (handle.markDetached(onLoss)) {
			afterLeaving(WORD.addAndGet(this, OPEN - units));
		}
	}

	/* Called by the thread that has counted a handle out. */
	void afterLeaving(long word) {
		if (count(word, ATTACHED) == 0) {
			this.owner = null;
			Object whenLost = this.whenLost;
			if (whenLost instanceof CompletableFuture<?> future) {
				WHEN_LOST.compareAndSet(this, whenLost, new WeakReference<>(future));
			}
		}
		Interruption interruption = interruption();
		if (interruption != null && count(word, INTERRUPTIBLE) == 0) {
			// No interrupt may reach the next work of the thread.
			interruption.end();
		}
	}

	private @Nullable Interruption interruption() {
		Loss lost = this.lost;
		return (lost != null) ? lost.interruption : null;
	}

	/*
	 * Called by its thread: end an interrupt that was sent to it, or is about to be sent.
	 * Return whether that has taken an interrupt back.
	 */
	boolean takeInterrupt() {
		Interruption interruption = interruption();
		return interruption != null && interruption.end();
	}

	/*
	 * Return a future that is completed when the hold is lost. The callers' handles keep
	 * it reachable.
	 */
	CompletableFuture<LockLoss> whenLost() {
		while (true) {
			Object known = this.whenLost;
			CompletableFuture<LockLoss> future = future(known);
			if (future == null) {
				future = new CompletableFuture<>();
				Object kept = (thread() != null) ? future : new WeakReference<>(future);
				if (!WHEN_LOST.compareAndSet(this, known, kept)) {
					continue;
				}
				afterLeaving(this.word);
			}
			// Guard against a race with the loss, which may not have seen the future.
			Loss lost = this.lost;
			if (lost != null) {
				future.complete(lost.loss);
			}
			return future;
		}
	}

	@SuppressWarnings("unchecked")
	private static @Nullable CompletableFuture<LockLoss> future(@Nullable Object whenLost) {
		return (CompletableFuture<LockLoss>) ((whenLost instanceof Reference<?> reference) ? reference.get()
				: whenLost);
	}

	/* The following methods are called within tasks of the key. */

	/* The time at which it lasts unusually long, or too long. */
	long nextLimit() {
		return this.rules.nextLimit(this.acquired, this.lease.timing());
	}

	/*
	 * A re-entry keeps the key locked for this time from now, even if the hold is closed
	 * earlier.
	 */
	void lockFor(long minHold) {
		this.rules = this.rules.lockedFor(context().now() - this.acquired + minHold);
	}

	/* A re-entry limits the hold to this time, until the limit is lifted. */
	void limitTo(long end) {
		this.rules = this.rules.limited(end);
		this.lease.lookBy(nextLimit());
	}

	void lift(long end) {
		this.rules = this.rules.lifted(end);
	}

	/* How long the key must not be handed on although the hold has ended. */
	long minimumLeft(long now) {
		return this.rules.minHold() - (now - this.acquired);
	}

	/* End the hold if it has lasted too long; report it once if it is unusually long. */
	void checkTime(long now) {
		Duration held = Duration.ofNanos(now - this.acquired);
		Thread thread = thread();
		if (this.rules.end(this.acquired) - now <= 0) {
			// The stack is read before the interrupt, which changes what the thread does.
			this.lease.lose(this, LockLoss.Reason.MAX_HOLD,
					() -> context().events.maxHoldExceeded(this.key, this.token, held, stack(thread)));
		}
		else if (this.rules.longHold(this.lease.timing()) - (now - this.acquired) <= 0) {
			this.rules = this.rules.reportedLong();
			// Reading a stack takes a while, and many may be due at the same time.
			context().interrupts.execute(() -> context().events.longHold(this.key, this.token, held, stack(thread)));
		}
	}

	static List<StackTraceElement> stack(@Nullable Thread thread) {
		return (thread != null) ? List.of(thread.getStackTrace()) : List.of();
	}

	/* Return whether it has ended because no caller is left that could close it. */
	boolean endIfAbandoned() {
		long word = this.word;
		ThreadHandles.HoldingThread owner = this.owner;
		boolean owned = count(word, ATTACHED) > 0 && owner != null && owner.thread.isAlive();
		if (owned || count(word, OPEN) == 0 || hasDetached() || this.word != word) {
			return false;
		}
		Thread thread = thread();
		context().events.abandoned(this.key, this.token, (thread != null) ? thread.getName() : null);
		this.lease.lose(this, LockLoss.Reason.ABANDONED, null);
		return true;
	}

	private boolean hasDetached() {
		while (true) {
			Detached all = this.detached;
			Detached live = Detached.live(all);
			if (DETACHED.compareAndSet(this, all, live)) {
				return live != null;
			}
		}
	}

	/* Undo its beginning, because no caller has received its handle. */
	void discard() {
		this.word = RELEASED;
		context().lifecycle.end();
	}

	/* Its last handle was closed. Return false if it was lost before. */
	boolean release() {
		long before = this.word;
		while ((before & STATE) == HELD) {
			if (WORD.compareAndSet(this, before, before + RELEASED)) {
				return true;
			}
			before = this.word;
		}
		return false;
	}

	/*
	 * It is lost, regardless of the state of the lease. If this fails halfway, another
	 * call completes it.
	 */
	void lose(LockLoss.Reason reason, @Nullable Runnable before) {
		Loss lost = this.lost;
		if (lost == null || isOpen()) {
			ThreadHandles.HoldingThread owner = this.owner;
			Interruption interruption = (owner != null) ? new Interruption(owner.thread, context().threads) : null;
			lost = new Loss(new LockLoss(this.key, this.token, reason), interruption);
			// First, because a handle that is closed from now on ends the interruption.
			this.lost = lost;
			end();
		}
		if ((this.word & STATE) == LOST) {
			interrupt(lost, before);
			report(lost);
			WORD.addAndGet(this, REPORTED - LOST);
		}
	}

	/*
	 * The state of its key has ended: it is lost, unless it was closed. Return whether a
	 * caller may still be using it.
	 */
	boolean fail() {
		boolean used = count(this.word, OPEN) > 0;
		if ((this.word & STATE) != RELEASED) {
			lose(LockLoss.Reason.FAILED, null);
		}
		return used;
	}

	private void end() {
		long before;
		do {
			before = this.word;
		}
		while (!WORD.compareAndSet(this, before, (before & ~STATE) | LOST));
	}

	private void interrupt(Loss lost, @Nullable Runnable before) {
		Interruption interruption = lost.interruption;
		if (interruption == null || count(this.word, INTERRUPTIBLE) == 0) {
			lost.interruption = null;
			if (before != null) {
				context().interrupts.execute(before);
			}
			return;
		}
		if (thread() == Thread.currentThread()) {
			// On its own thread, the interrupt blocks no other thread, and has to be
			// visible at once.
			interruption.run();
		}
		context().interrupts.execute(() -> {
			try {
				if (before != null) {
					before.run();
				}
			}
			finally {
				interruption.run();
			}
		});
	}

	private void report(Loss lost) {
		complete(lost.loss);
		if (!lost.observed) {
			context().events.lost(this, lost.loss, Duration.ofNanos(context().now() - this.acquired));
			// Reported once, although the following calls may fail and be repeated.
			lost.observed = true;
		}
		Runnable ending = context().customizations.instrumentation().ending(this, lost.loss);
		if (ending != null) {
			context().completions.execute(ending);
		}
		context().lifecycle.end();
	}

	private void complete(LockLoss loss) {
		CompletableFuture<LockLoss> future = future(this.whenLost);
		if (future != null) {
			// A leader is notified independently of user code.
			Executor executor = this.key.isRole() ? context().interrupts : context().completions;
			executor.execute(() -> future.complete(loss));
		}
	}

	/* The store did not know the lease any more when it was released. */
	LockLoss foundGone(LockLoss.Reason reason) {
		LockLoss loss = new LockLoss(this.key, this.token, reason);
		this.lost = new Loss(loss, null);
		complete(loss);
		return loss;
	}

	/* Whether the store may still keep the key after a loss for this reason. */
	static boolean mayRemainInStore(LockLoss.Reason reason) {
		return switch (reason) {
			case EXPIRED, MAX_HOLD, SHUTDOWN, OVERTAKEN -> true;
			case GONE, FORCED, ABANDONED, FAILED, RESTORED, RESIGNED -> false;
		};
	}

	/**
	 * A handle that belongs to no thread, and may be garbage collected without being
	 * closed.
	 */
	private static final class Detached extends WeakReference<Handle> {

		private final @Nullable Detached next;

		private Detached(Handle handle, @Nullable Detached next) {
			super(handle);
			this.next = next;
		}

		/* Return the open handles of a list, without changing the list. */
		private static @Nullable Detached live(@Nullable Detached list) {
			Detached live = null;
			for (Detached entry = list; entry != null; entry = entry.next) {
				Handle handle = entry.get();
				if (handle != null && !handle.isClosed()) {
					live = new Detached(handle, live);
				}
			}
			return live;
		}

	}

	/**
	 * The loss of a hold.
	 */
	private static final class Loss {

		private final LockLoss loss;

		/** Interrupts the thread; null if it is not interrupted. */
		private volatile @Nullable Interruption interruption;

		/** Whether observers were notified; used by the tasks of the key only. */
		private boolean observed;

		private Loss(LockLoss loss, @Nullable Interruption interruption) {
			this.loss = loss;
			this.interruption = interruption;
		}

	}

}
