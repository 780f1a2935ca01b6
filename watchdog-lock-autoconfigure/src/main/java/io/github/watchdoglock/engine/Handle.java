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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.EngineObserver.Held;
import org.jspecify.annotations.Nullable;

/**
 * One of the handles on a hold. As an effect it is closed, after that had failed.
 */
class Handle extends Steps.Effect implements LockHandle, Steps.Revertible, Held.Part {

	private final Hold hold;

	/** Whether it was asked for to read, whatever the hold is. */
	private final boolean reads;

	/* What a loss means to its thread; null where it belongs to none. */
	private volatile @Nullable OnLoss onLoss;

	/* Written in steps of the cohort, as the field above. */
	private volatile @Nullable CompletableFuture<Void> closing;

	private volatile boolean closedLater;

	/** Kept here, so that the callbacks live as long as the handle. */
	private volatile @Nullable CompletableFuture<LockLoss> whenLost;

	Handle(Hold hold, boolean reads, @Nullable OnLoss onLoss) {
		this.hold = hold;
		this.reads = reads;
		this.onLoss = onLoss;
	}

	/*
	 * The first one of a hold; it belongs to the thread that waited, if any did.
	 */
	static Handle first(Hold hold) {
		Handle handle = new Handle(hold, hold.mode() == Mode.READ,
				(hold.thread() != null) ? hold.rules.onLoss() : null);
		hold.add(handle);
		return handle;
	}

	/*
	 * One more for its thread; null if the hold is lost, or has been closed meanwhile.
	 * Part of a step of the cohort.
	 */
	@Nullable Handle reenter(boolean reads, HoldRules rules) {
		this.hold.expireIfOver();
		if (!this.hold.isOpen()) {
			return null;
		}
		Handle handle = rules.isLimited() ? new Limited(this.hold, reads, rules)
				: new Handle(this.hold, reads, rules.onLoss());
		this.hold.add(handle);
		return handle;
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

	/* Whether a transaction keeps it. */
	boolean isKept() {
		return false;
	}

	boolean isOfSameHold(Handle other) {
		return this.hold == other.hold;
	}

	/* The loss, also where only the clock has noticed it yet. */
	@Nullable LockLoss lossAt(long now) {
		return this.hold.loss(now);
	}

	/* Tell that it is lost, where only the clock has noticed it yet. */
	void expireIfOver() {
		cohort().change(this.hold, this.hold::expireIfOver);
	}

	private boolean isOpen() {
		return this.closing == null;
	}

	boolean isAttached() {
		return this.onLoss != null && isOpen();
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
		return isOpen() && this.hold.isHeld(core().nowNoticingSleep());
	}

	@Override
	public Duration remaining() {
		return isOpen() ? this.hold.remaining(core().nowNoticingSleep()) : Duration.ZERO;
	}

	@Override
	public CompletionStage<LockLoss> whenLost() {
		CompletableFuture<CompletableFuture<LockLoss>> found = new CompletableFuture<>();
		cohort().change(this.hold, () -> found.complete(this.hold.whenLost()));
		this.whenLost = found.join();
		return this.whenLost.minimalCompletionStage();
	}

	@Override
	public Optional<LockLoss> loss() {
		return Optional.ofNullable(this.hold.loss(core().nowNoticingSleep()));
	}

	@Override
	public LockHandle detach() {
		cohort().change(() -> {
			if (isAttached()) {
				cohort().keep(this);
				this.hold.moveToNone(this);
				this.onLoss = null;
			}
		});
		this.hold.endInterrupt();
		core().threads().forget(this);
		return this;
	}

	@Override
	public CompletableFuture<Void> strengthen(@Nullable Lease lease) {
		Terms terms = core().terms(lease);
		CompletableFuture<CompletableFuture<Void>> found = new CompletableFuture<>();
		cohort().change(this.hold,
				() -> found.complete(isOpen() ? Strengthening.beginIfHeld(this.hold, terms) : CompletableFuture
					.failedFuture(new IllegalStateException("The handle of lock '" + key() + "' is closed"))));
		CompletableFuture<Void> done = found.join();
		return done.isDone() ? done.copy() : Relay.copy(cohort(), done);
	}

	@Override
	public void close() {
		CompletableFuture<Void> done;
		try {
			done = beginClose();
		}
		catch (Throwable ex) {
			closeLater();
			throw ex;
		}
		if (!done.isDone() && core().awaitsRelease()) {
			// A renewal's answer, the release's, and as much for a store that breaks its
			// promise.
			core().awaitUninterruptibly(done, 3 * this.hold.grant.terms.timeout().toNanos());
		}
	}

	@Override
	public CompletableFuture<Void> closeAsync() {
		CompletableFuture<Void> done;
		try {
			done = beginClose();
		}
		catch (Throwable ex) {
			closeLater();
			throw ex;
		}
		return done.isDone() ? done.copy() : Relay.copy(cohort(), done);
	}

	private CompletableFuture<Void> beginClose() {
		proceed();
		core().threads().forget(this);
		CompletableFuture<Void> closing = this.closing;
		return (closing != null) ? closing : CompletableFuture.completedFuture(null);
	}

	/*
	 * Who would close it is there no more, or has failed to: it is tried once more, so
	 * that no interrupt reaches what the thread does next, or the watchdog does so soon.
	 */
	void closeLater() {
		if (!this.closedLater) {
			this.closedLater = true;
			try {
				proceed();
			}
			catch (Throwable ex) {
				cohort().defer(this);
			}
		}
	}

	@Override
	void proceed() {
		cohort().change(this::endIfOpen);
		this.hold.endInterrupt();
	}

	/* Part of a step of the cohort. */
	void endIfOpen() {
		if (isOpen()) {
			cohort().keep(this);
			this.hold.remove(this);
			boolean last = !this.hold.hasHandles() && this.hold.endIfHeld();
			this.closing = last ? Release.begin(this.hold) : CompletableFuture.completedFuture(null);
		}
	}

	@Override
	public void save(Steps.Guard guard) {
		guard.keep(this);
		this.hold.save(guard);
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
		Handle handle = (Handle) before;
		this.onLoss = handle.onLoss;
		this.closing = handle.closing;
	}

	Cohort cohort() {
		return this.hold.grant.cohort;
	}

	private Core core() {
		return cohort().core();
	}

	/**
	 * A handle of a re-entry with its own maximum hold time, which applies to the hold
	 * while the handle is open.
	 */
	private static final class Limited extends Handle {

		private final long end;

		/* Part of a step of the cohort. */
		private Limited(Hold hold, boolean reads, HoldRules rules) {
			super(hold, reads, rules.onLoss());
			this.end = hold.limit(rules.maxHold());
		}

		@Override
		void endIfOpen() {
			if (super.isOpen()) {
				cohort().keep(this);
				hold().lift(this.end);
			}
			super.endIfOpen();
		}

	}

	/**
	 * What a future of the engine says, on its way to a user: told by a thread that
	 * completes futures. A dependent of the future itself would be lost where that fails.
	 *
	 * @param <T> what the future says
	 */
	static final class Relay<T> extends Steps.Effect implements BiConsumer<@Nullable T, @Nullable Throwable>, Runnable {

		private final Cohort cohort;

		private final BiConsumer<@Nullable T, @Nullable Throwable> told;

		private final AtomicBoolean heard = new AtomicBoolean();

		private @Nullable T value;

		private @Nullable Throwable failure;

		private Relay(Cohort cohort, BiConsumer<@Nullable T, @Nullable Throwable> told) {
			this.cohort = cohort;
			this.told = told;
		}

		/*
		 * May be told again where that fails; twice, should an error keep it from
		 * hearing.
		 */
		static <T> void tell(Cohort cohort, CompletableFuture<T> future,
				BiConsumer<@Nullable T, @Nullable Throwable> told) {
			Relay<T> relay = new Relay<>(cohort, told);
			var unused = future.whenComplete(relay);
			unused = future.whenComplete(relay);
		}

		/* The same future, for users. */
		static <T> CompletableFuture<T> copy(Cohort cohort, CompletableFuture<T> future) {
			CompletableFuture<T> copy = new CompletableFuture<>();
			tell(cohort, future, (value, failure) -> {
				if (failure != null) {
					copy.completeExceptionally(failure);
				}
				else {
					copy.complete(value);
				}
			});
			return copy;
		}

		@Override
		public void accept(@Nullable T value, @Nullable Throwable failure) {
			if (!this.heard.compareAndSet(false, true)) {
				return;
			}
			this.value = value;
			this.failure = failure;
			try {
				proceed();
			}
			catch (Throwable ex) {
				this.cohort.defer(this);
			}
		}

		@Override
		void proceed() {
			this.cohort.core().completions().execute(this);
		}

		@Override
		public void run() {
			this.told.accept(this.value, this.failure);
		}

	}

}
