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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Predicate;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.EngineObserver.Held;
import org.jspecify.annotations.Nullable;

/**
 * A handle to a hold. As a task, it ends the hold if it was the last open handle.
 * Thread-safe.
 */
class Handle extends Mailbox.Task implements LockHandle, Held.Part {

	/** The future of a handle whose closing has failed. */
	private static final CompletableFuture<Void> UNAWAITED = CompletableFuture.completedFuture(null);

	@SuppressWarnings("rawtypes")
	private static final AtomicReferenceFieldUpdater<Handle, CompletableFuture> CLOSED = AtomicReferenceFieldUpdater
		.newUpdater(Handle.class, CompletableFuture.class, "closed");

	private static final AtomicReferenceFieldUpdater<Handle, OnLoss> ON_LOSS = AtomicReferenceFieldUpdater
		.newUpdater(Handle.class, OnLoss.class, "onLoss");

	private final Hold hold;

	/** Whether it was requested for reading, regardless of the mode of the hold. */
	private final boolean reads;

	/** Whether a transaction keeps it open until the transaction has completed. */
	private final boolean kept;

	/**
	 * When the hold ends at the latest while this re-entry is open; null for no limit.
	 */
	private final @Nullable Long limit;

	/** The action of a loss for its thread; null if it belongs to no thread. */
	private volatile @Nullable OnLoss onLoss;

	/**
	 * Completed when the store knows as much of the end as it needs to; null while the
	 * handle is open.
	 */
	private volatile @Nullable CompletableFuture<Void> closed;

	/** Whether no other handle was open when it was closed. */
	private boolean last;

	/**
	 * Whether its thread says that a view has opened it, so that only unlocking closes
	 * it.
	 */
	boolean viewed;

	/** Referred to from here, so that the callbacks live as long as the handle. */
	private volatile @Nullable CompletableFuture<LockLoss> whenLost;

	Handle(Hold hold, boolean reads, @Nullable OnLoss onLoss) {
		this(hold, reads, onLoss, false, null);
	}

	private Handle(Hold hold, boolean reads, @Nullable OnLoss onLoss, boolean kept, @Nullable Long limit) {
		this.hold = hold;
		this.reads = reads;
		this.onLoss = onLoss;
		this.kept = kept;
		this.limit = limit;
	}

	/*
	 * Return one more handle for its thread; null if the hold is lost, or was closed
	 * meanwhile.
	 */
	@Nullable Handle reenter(boolean reads, HoldRules rules) {
		Long limit = rules.isLimited() ? Long.valueOf(context().now() + rules.maxHold()) : null;
		Handle handle = new Handle(this.hold, reads, rules.onLoss(), false, limit);
		// Last, because a handle that is counted must not get lost through a failure.
		if (!this.hold.reenter(rules.onLoss())) {
			return null;
		}
		return handle;
	}

	/* Limit the hold, if this re-entry requests a limit. */
	void limitHold() {
		Long limit = this.limit;
		if (limit != null) {
			tasks().run(() -> this.hold.limitTo(limit));
		}
	}

	/*
	 * Unless a transaction keeps the hold already. The work under the lock has ended when
	 * only the transaction keeps it, so a loss then prevents the commit without an
	 * interrupt.
	 */
	@Override
	public void keep() {
		ThreadHandles threads = context().handles;
		OnLoss onLoss = (this.onLoss != OnLoss.INTERRUPT) ? this.onLoss : OnLoss.FAIL;
		if (onLoss == null || threads.isKept(this, onLoss)) {
			return;
		}
		Handle kept = new Handle(this.hold, this.reads, onLoss, true, null);
		if (!this.hold.reenter(onLoss)) {
			LockLoss loss = lossAt(context().now());
			if (loss != null && onLoss != OnLoss.REPORT) {
				throw new LockLostException(loss);
			}
			return;
		}
		boolean keeping = false;
		try {
			threads.addOutside(this, kept);
			keeping = context().customizations.transactions().test(kept);
		}
		finally {
			if (!keeping) {
				kept.close();
			}
		}
	}

	@Override
	public Hold hold() {
		return this.hold;
	}

	@Nullable Object admission() {
		return this.hold.admission();
	}

	boolean reads() {
		return this.reads;
	}

	@Nullable OnLoss onLoss() {
		return this.onLoss;
	}

	/*
	 * Whether a transaction must not be committed after a loss. If the transaction has
	 * checked the fence of the hold, the fence decides this, unless the caller has set
	 * onLoss.
	 */
	boolean guardsCommit(Predicate<Object> fenced) {
		OnLoss onLoss = this.onLoss;
		Object admission = admission();
		return (onLoss == OnLoss.DEFAULT) ? admission == null || !fenced.test(admission) : onLoss != OnLoss.REPORT;
	}

	boolean isKept() {
		return this.kept && isAttached();
	}

	boolean isOfOpenHold() {
		return this.hold.isOpen();
	}

	boolean isOfSameHold(Handle other) {
		return this.hold == other.hold;
	}

	@Override
	public boolean isOutlasted() {
		return this.hold.isReentered();
	}

	/*
	 * Return the loss, also if the deadline has passed and no task has noticed that yet.
	 */
	@Nullable LockLoss lossAt(long now) {
		return this.hold.loss(now);
	}

	/*
	 * Declare the hold lost if its deadline has passed and no task has noticed that yet,
	 * and wait until this is done.
	 */
	void expireIfOver() {
		GrantedLease lease = this.hold.lease;
		if (this.hold.isOpen() && lease.left(context().nowNoticingSleep()) <= 0) {
			tasks().runAndWait(() -> lease.expireIfOver(context().nowNoticingSleep()));
		}
	}

	boolean isClosed() {
		return this.closed != null;
	}

	boolean isAttached() {
		return this.onLoss != null && !isClosed();
	}

	@Override
	public LockKey key() {
		return this.hold.key;
	}

	@Override
	public long fencingToken() {
		return this.hold.token;
	}

	@Override
	public boolean isHeld() {
		return !isClosed() && this.hold.isHeld(context().nowNoticingSleep());
	}

	@Override
	public Duration remaining() {
		return isClosed() ? Duration.ZERO : this.hold.remaining(context().nowNoticingSleep());
	}

	@Override
	public CompletionStage<LockLoss> whenLost() {
		this.whenLost = this.hold.whenLost();
		return this.whenLost.minimalCompletionStage();
	}

	@Override
	public Optional<LockLoss> loss() {
		return Optional.ofNullable(this.hold.loss(context().nowNoticingSleep()));
	}

	@Override
	public LockHandle detach() {
		ThreadHandles.HoldingThread owner = this.hold.owner;
		OnLoss onLoss = this.onLoss;
		if (onLoss != null && !isClosed()) {
			// First, because the hold would look abandoned otherwise.
			this.hold.addDetached(this);
			this.hold.detach(this, onLoss);
		}
		leaveThread(owner);
		return this;
	}

	boolean markDetached(OnLoss onLoss) {
		return ON_LOSS.compareAndSet(this, onLoss, null);
	}

	/*
	 * The owner was read before this handle was counted out, because the hold forgets its
	 * owner with the last handle.
	 */
	private void leaveThread(ThreadHandles.@Nullable HoldingThread owner) {
		if (owner != null) {
			owner.remove(this);
		}
	}

	@Override
	public CompletableFuture<Void> extend(@Nullable Lease lease) {
		if (isClosed()) {
			return CompletableFuture
				.failedFuture(new IllegalStateException("The handle of lock '" + key() + "' is closed"));
		}
		LeaseTiming timing = context().timing(lease);
		CompletableFuture<Void> done = new CompletableFuture<>();
		tasks().run(() -> Strengthening.begin(this.hold, timing, done), done);
		return context().forUsers(done);
	}

	@Override
	public void close() {
		CompletableFuture<Void> done = beginClose();
		if (!done.isDone() && context().awaitsRelease()) {
			context().awaitUninterruptibly(done, this.hold.lease.timing().timeout().toNanos());
		}
		Runnable ending = ending();
		if (ending != null) {
			ending.run();
		}
	}

	@Override
	public CompletableFuture<Void> closeAsync() {
		CompletableFuture<Void> done = beginClose();
		if (this.last) {
			var unused = done.whenComplete((nothing, ex) -> {
				Runnable ending = ending();
				if (ending != null) {
					context().completions.execute(ending);
				}
			});
		}
		return context().forUsers(done);
	}

	/* The rest of the work of the instrumentation for a hold that was closed. */
	private @Nullable Runnable ending() {
		return this.last ? context().customizations.instrumentation().ending(this.hold, lossAt(context().now())) : null;
	}

	private CompletableFuture<Void> beginClose() {
		ThreadHandles.HoldingThread owner = this.hold.owner;
		boolean counted = true;
		OnLoss onLoss = null;
		try {
			CompletableFuture<Void> mine = new CompletableFuture<>();
			if (CLOSED.compareAndSet(this, null, mine)) {
				counted = false;
				// The thread that clears onLoss counts the handle out: this thread, or
				// one that detaches the handle at this moment.
				onLoss = ON_LOSS.getAndSet(this, null);
				long word = this.hold.countOut(onLoss);
				counted = true;
				this.last = Hold.isUnused(word);
				this.hold.afterLeaving(word);
				if (this.last || this.limit != null) {
					tasks().mailbox.execute(this);
				}
				else {
					mine.complete(null);
				}
				leaveThread(owner);
			}
		}
		catch (Throwable ex) {
			closeAfter(ex, counted, onLoss, owner);
		}
		return Objects.requireNonNull(this.closed);
	}

	/* Its task may be lost, so the state of its key has to end. */
	private void closeAfter(Throwable cause, boolean counted, @Nullable OnLoss onLoss,
			ThreadHandles.@Nullable HoldingThread owner) {
		boolean untouched = CLOSED.compareAndSet(this, null, UNAWAITED);
		if (untouched || !counted) {
			this.hold.countOut(untouched ? ON_LOSS.getAndSet(this, null) : onLoss);
		}
		// First, because the following calls may fail for the same reason.
		tasks().fail(cause);
		Objects.requireNonNull(this.closed).complete(null);
		this.hold.afterLeaving(this.hold.word());
		leaveThread(owner);
	}

	@Override
	void run() {
		if (this.limit != null) {
			this.hold.lift(this.limit);
		}
		CompletableFuture<Void> done = this.closed;
		if (done != null && this.last) {
			Closing.begin(this.hold, done);
		}
		else if (done != null) {
			done.complete(null);
		}
	}

	@Override
	void abort(Throwable cause) {
		CompletableFuture<Void> done = this.closed;
		if (done != null) {
			done.complete(null);
		}
	}

	private KeyTasks tasks() {
		return this.hold.lease.lock.tasks();
	}

	private EngineContext context() {
		return tasks().context();
	}

}
