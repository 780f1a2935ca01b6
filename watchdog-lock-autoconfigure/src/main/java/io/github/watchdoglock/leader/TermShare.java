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

package io.github.watchdoglock.leader;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * What a call of an annotated method has of a term: a handle, which keeps the term's lock
 * from being given back until it is closed. Thread-safe.
 */
final class TermShare implements TermPart, LockHandle {

	private final Term term;

	private final OnLoss onLoss;

	private final Surroundings around;

	private final Consumer<TermShare> closing;

	private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();

	private final PartThread thread;

	private final AtomicBoolean closed = new AtomicBoolean();

	private Runnable left = () -> {
	};

	TermShare(Term term, OnLoss onLoss, @Nullable Thread thread, Surroundings around, Consumer<TermShare> closing) {
		this.term = term;
		this.onLoss = onLoss;
		this.thread = new PartThread(around.threads(), thread);
		this.around = around;
		this.closing = closing;
	}

	/* Whether a loss is to keep the thread's transaction from being committed. */
	boolean fails() {
		return this.onLoss == OnLoss.FAIL;
	}

	/* Run by its thread when that does something else. */
	void whenLeft(Runnable left) {
		this.left = left;
	}

	@Override
	public void revoke(LockLoss.Reason reason) {
		if (this.onLoss == OnLoss.INTERRUPT) {
			this.thread.interrupt();
		}
		LockLoss loss = new LockLoss(key(), fencingToken(), reason);
		if (this.lost.getNumberOfDependents() > 0) {
			// They are users' code.
			this.around.start("watchdog-lock-leader-lost", () -> this.lost.complete(loss));
		}
		else {
			this.lost.complete(loss);
		}
	}

	@Override
	public boolean isInterrupted() {
		return this.onLoss == OnLoss.INTERRUPT;
	}

	@Override
	public List<String> stack() {
		return this.thread.stack();
	}

	@Override
	public LockKey key() {
		return this.term.handle.key();
	}

	@Override
	public long fencingToken() {
		return this.term.number();
	}

	@Override
	public boolean isHeld() {
		return isOpen() && this.term.isLeading();
	}

	@Override
	public Duration remaining() {
		return isOpen() ? this.term.remaining() : Duration.ZERO;
	}

	@Override
	public CompletionStage<LockLoss> whenLost() {
		return this.lost.minimalCompletionStage();
	}

	/* Of the lock: one that was given up is kept for as long as this is open. */
	@Override
	public Optional<LockLoss> loss() {
		return this.term.handle.loss();
	}

	@Override
	public CompletableFuture<Void> strengthen(@Nullable Lease lease) {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public LockHandle detach() {
		leave();
		return this;
	}

	@Override
	public void close() {
		leave();
		if (this.closed.compareAndSet(false, true)) {
			this.closing.accept(this);
		}
	}

	@Override
	public CompletableFuture<Void> closeAsync() {
		close();
		return CompletableFuture.completedFuture(null);
	}

	private void leave() {
		if (this.thread.leave()) {
			this.left.run();
		}
	}

	private boolean isOpen() {
		return !this.closed.get();
	}

	@Override
	public String toString() {
		return "a method";
	}

}
