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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * What callers have of a grant: HELD, then RELEASED or LOST, once. Methods are parts of a
 * step of the cohort, but for {@link #isHeld(long)} and {@link #loss(long)}.
 */
final class Hold extends Owned implements Standing {

	final Grant grant;

	/** The key as the caller named it. */
	final LockKey key;

	final long token;

	final long acquired;

	final HoldRules rules;

	/** Created when somebody asks for it. */
	private @Nullable CompletableFuture<LockLoss> whenLost;

	/** Whether somebody was told that it lasts unusually long. */
	boolean calledLong;

	/** Whether its deadline may be that of a lease which had another margin. */
	boolean strengthened;

	private volatile State state = State.HELD;

	private volatile @Nullable LockLoss loss;

	Hold(Grant grant, Waiter waiter, long token, long acquired) {
		super(waiter.thread);
		this.grant = grant;
		this.key = waiter.key;
		this.token = token;
		this.acquired = acquired;
		this.rules = waiter.rules;
	}

	private Core core() {
		return this.grant.cohort.core();
	}

	boolean isOpen() {
		return this.state == State.HELD;
	}

	boolean isHeld(long now) {
		return this.state == State.HELD && this.grant.left(now) > 0;
	}

	/* The loss, also where only the clock has noticed it yet. */
	@Nullable LockLoss loss(long now) {
		LockLoss loss = this.loss;
		if (loss == null && this.state == State.HELD && this.grant.left(now) <= 0) {
			return new LockLoss(this.key, this.token, LockLoss.Reason.EXPIRED);
		}
		return loss;
	}

	Duration remaining(long now) {
		return isHeld(now) ? Duration.ofNanos(this.grant.left(now)) : Duration.ZERO;
	}

	/*
	 * One more handle for its thread; null if it is lost, or has been closed meanwhile.
	 */
	@Nullable Handle reenter(OnLoss onLoss) {
		expireIfOver();
		return (this.state == State.HELD) ? handle(onLoss) : null;
	}

	/*
	 * A handle that belongs to the thread, unless nothing is said of what a loss means to
	 * it.
	 */
	Handle handle(@Nullable OnLoss onLoss) {
		Handle handle = new Handle(this, onLoss);
		add(handle);
		return handle;
	}

	/* Complete when the store has confirmed as much of a lease as is asked for. */
	CompletableFuture<Void> strengthen(Terms asked) {
		expireIfOver();
		LockLoss loss = this.loss;
		return (loss != null) ? CompletableFuture.failedFuture(new LockLostException(loss))
				: Strengthening.begin(this, asked);
	}

	/* A handle has been closed; the last one gives the key back. */
	CompletableFuture<Void> close() {
		if (hasHandles()) {
			return CompletableFuture.completedFuture(null);
		}
		expireIfOver();
		if (this.state == State.HELD) {
			this.state = State.RELEASED;
			return Succession.after(this);
		}
		LockLoss loss = this.loss;
		if (loss != null && Release.isOwed(loss.reason()) && !this.grant.outlastsFixedTerms()) {
			// The store may keep the key for a while, and the work is done now; what
			// outlasts its terms was ended with the loss.
			this.grant.undo(this, false);
		}
		return CompletableFuture.completedFuture(null);
	}

	void expireIfOver() {
		if (this.state == State.HELD && this.grant.left(core().look()) <= 0) {
			lose(LockLoss.Reason.EXPIRED);
		}
	}

	/* Whatever else is wrong with it, one whose time is over has expired. */
	void lose(LockLoss.Reason suspected) {
		long now = core().now();
		LockLoss.Reason reason = (this.grant.left(now) <= 0) ? LockLoss.Reason.EXPIRED : suspected;
		this.state = State.LOST;
		LockLoss loss = lost(reason);
		Duration held = Duration.ofNanos(now - this.acquired);
		this.grant.cohort.afterwards(() -> {
			core().drain().end();
			core().events().lost(loss, held);
		});
		interrupt();
		this.grant.end();
		if (reason == LockLoss.Reason.ABANDONED || this.grant.outlastsFixedTerms()) {
			this.grant.undo(this, reason == LockLoss.Reason.ABANDONED);
		}
		this.grant.cohort.vacate(null);
	}

	/* The store did not know it any more when it was released. */
	LockLoss foundGone() {
		return lost(LockLoss.Reason.GONE);
	}

	private LockLoss lost(LockLoss.Reason reason) {
		LockLoss loss = new LockLoss(this.key, this.token, reason);
		this.loss = loss;
		CompletableFuture<LockLoss> whenLost = this.whenLost;
		if (whenLost != null) {
			this.grant.cohort.afterwards(() -> core().completions().execute(() -> whenLost.complete(loss)));
		}
		return loss;
	}

	CompletableFuture<LockLoss> whenLost() {
		CompletableFuture<LockLoss> future = this.whenLost;
		if (future == null) {
			future = new CompletableFuture<>();
			this.whenLost = future;
			LockLoss loss = this.loss;
			if (loss != null) {
				future.complete(loss);
			}
		}
		return future;
	}

	private enum State {

		HELD, RELEASED, LOST

	}

}
