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
import org.jspecify.annotations.Nullable;

/**
 * What callers have of a grant: HELD, then RELEASED or LOST, once. Methods are parts of a
 * step of the cohort, but for {@link #isHeld(long)} and {@link #loss()}.
 */
final class Hold {

	final Grant grant;

	/** The key as the caller named it. */
	final LockKey key;

	final long token;

	final long acquired;

	final Cohort cohort;

	private final Core core;

	/** The thread it belongs to; null once no attached handle is open. */
	private @Nullable Thread thread;

	/** Handles not yet closed. */
	private int open = 1;

	/** Of these, the ones that belong to the thread. */
	private int attached;

	/** Created when somebody asks for it. */
	private @Nullable CompletableFuture<LockLoss> whenLost;

	private volatile State state = State.HELD;

	private volatile @Nullable LockLoss loss;

	Hold(Grant grant, LockKey key, long token, long acquired, @Nullable Thread thread) {
		this.grant = grant;
		this.cohort = grant.cohort;
		this.core = grant.cohort.core;
		this.key = key;
		this.token = token;
		this.acquired = acquired;
		this.thread = thread;
		this.attached = (thread != null) ? 1 : 0;
	}

	boolean isHeld(long now) {
		return this.state == State.HELD && this.grant.left(now) > 0;
	}

	@Nullable LockLoss loss() {
		return this.loss;
	}

	@Nullable Thread thread() {
		return this.thread;
	}

	Busyness busy(long now) {
		return new Busyness(this.core.label(this.thread), remaining(now));
	}

	Duration remaining(long now) {
		return isHeld(now) ? Duration.ofNanos(this.grant.left(now)) : Duration.ZERO;
	}

	/*
	 * One more handle for its thread; null if it is lost, or has been closed meanwhile.
	 */
	@Nullable Handle reenter() {
		if (this.state == State.HELD && this.grant.left(this.core.now()) <= 0) {
			lose(LockLoss.Reason.EXPIRED);
		}
		if (this.state != State.HELD) {
			return null;
		}
		this.open++;
		this.attached++;
		return new Handle(this, true);
	}

	void detach() {
		if (--this.attached == 0) {
			this.thread = null;
		}
	}

	/* Close one handle; the last one gives the key back. */
	CompletableFuture<Void> close(boolean attached) {
		if (attached) {
			detach();
		}
		if (--this.open > 0) {
			return CompletableFuture.completedFuture(null);
		}
		if (this.state == State.HELD && this.grant.left(this.core.now()) <= 0) {
			lose(LockLoss.Reason.EXPIRED);
		}
		if (this.state == State.HELD) {
			return release();
		}
		LockLoss loss = this.loss;
		if (loss != null && loss.reason() == LockLoss.Reason.EXPIRED) {
			// The store may keep the key for a while, and the work is done now.
			this.cohort.undo(this.grant.id, this.token);
		}
		return CompletableFuture.completedFuture(null);
	}

	private CompletableFuture<Void> release() {
		this.state = State.RELEASED;
		this.grant.end();
		Release release = new Release(this.core, this);
		this.cohort.afterwards(release::send);
		this.cohort.vacate();
		return release.done();
	}

	void lose(LockLoss.Reason reason) {
		LockLoss loss = new LockLoss(this.key, this.token, reason);
		this.loss = loss;
		this.state = State.LOST;
		this.grant.end();
		Duration held = Duration.ofNanos(this.core.now() - this.acquired);
		CompletableFuture<LockLoss> whenLost = this.whenLost;
		if (whenLost != null) {
			this.cohort.afterwards(() -> this.core.completions().execute(() -> whenLost.complete(loss)));
		}
		this.cohort.afterwards(() -> {
			this.core.drain().end();
			this.core.events().lost(loss, held);
		});
		if (reason == LockLoss.Reason.ABANDONED || this.grant.outlastsFixedTerms()) {
			this.cohort.undo(this.grant.id, this.token);
		}
		this.cohort.vacate();
	}

	/* Lose it if its thread has ended without closing it, and tell whether that is so. */
	boolean loseIfAbandoned() {
		Thread thread = this.thread;
		if (thread == null || thread.isAlive()) {
			return false;
		}
		lose(LockLoss.Reason.ABANDONED);
		return true;
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
