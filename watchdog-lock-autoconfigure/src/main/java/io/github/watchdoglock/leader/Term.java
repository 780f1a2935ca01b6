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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * A term of this instance: its lock, and the work that is done in it. Thread-safe.
 */
final class Term implements LeaderTerm {

	final LockHandle handle;

	final Instant since;

	/** The time of its begin by the threads' clock, in nanoseconds. */
	final long begun;

	/** The parts that have not ended. */
	final List<TermPart> parts = new CopyOnWriteArrayList<>();

	/** Completed when all parts have ended and the lock is released. */
	final CompletableFuture<Void> released = new CompletableFuture<>();

	/** Whether its work continues for too long; only tasks use this field. */
	boolean overdue;

	private final String role;

	private final AtomicReference<LockLoss.@Nullable Reason> end = new AtomicReference<>();

	Term(String role, LockHandle handle, ElectionContext context) {
		this.role = role;
		this.handle = handle;
		this.since = Instant.now();
		this.begun = context.threads().elapsed();
	}

	@Override
	public String role() {
		return this.role;
	}

	@Override
	public long number() {
		return this.handle.fencingToken();
	}

	@Override
	public boolean isLeading() {
		return this.end.get() == null && this.handle.isHeld();
	}

	@Override
	public void ensureLeading() {
		loss().ifPresent((loss) -> {
			throw new LockLostException(loss);
		});
	}

	@Override
	public Duration remaining() {
		return (this.end.get() == null) ? this.handle.remaining() : Duration.ZERO;
	}

	/* Return why the term has ended, even if only the clock has noticed that yet. */
	private Optional<LockLoss> loss() {
		LockLoss.Reason reason = this.end.get();
		return (reason != null) ? Optional.of(lossFor(reason)) : this.handle.loss();
	}

	LockLoss lossFor(LockLoss.Reason reason) {
		return new LockLoss(this.handle.key(), number(), reason);
	}

	/* Return whether the term had not ended before: the first reason applies. */
	boolean end(LockLoss.Reason reason) {
		return this.end.compareAndSet(null, reason);
	}

	@Override
	public String toString() {
		return "term " + number() + " of role '" + this.role + "'";
	}

}
