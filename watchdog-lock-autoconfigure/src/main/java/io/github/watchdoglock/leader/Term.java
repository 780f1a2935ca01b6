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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

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

	/** By the threads' clock, in nanoseconds. */
	final long begun;

	private final String role;

	private final long number;

	/* No part is added after the end. */
	private final ReentrantLock lock = new ReentrantLock();

	private final List<TermPart> parts = new CopyOnWriteArrayList<>();

	private volatile LockLoss.@Nullable Reason end;

	Term(String role, LockHandle handle, Surroundings around) {
		this.role = role;
		this.handle = handle;
		this.number = handle.fencingToken();
		this.since = around.wallClock().instant();
		this.begun = around.threads().elapsed();
	}

	@Override
	public String role() {
		return this.role;
	}

	@Override
	public long number() {
		return this.number;
	}

	@Override
	public boolean isLeading() {
		return this.end == null && this.handle.isHeld();
	}

	@Override
	public void ensureLeading() {
		LockLoss loss = loss().orElse(null);
		if (loss != null) {
			throw new LockLostException(loss);
		}
	}

	@Override
	public Duration remaining() {
		return (this.end == null) ? this.handle.remaining() : Duration.ZERO;
	}

	/* Why it is over, also if only the clock has noticed that yet. */
	Optional<LockLoss> loss() {
		LockLoss.Reason end = this.end;
		return (end != null) ? Optional.of(new LockLoss(this.handle.key(), this.number, end)) : this.handle.loss();
	}

	/* False if it was over before: the first reason counts. */
	boolean end(LockLoss.Reason reason) {
		this.lock.lock();
		try {
			boolean first = this.end == null;
			this.end = first ? reason : this.end;
			return first;
		}
		finally {
			this.lock.unlock();
		}
	}

	/* False if it is over, unless the part is a listener that has to hear of the end. */
	boolean add(TermPart part) {
		this.lock.lock();
		try {
			return (this.end == null || part instanceof Farewell) && this.parts.add(part);
		}
		finally {
			this.lock.unlock();
		}
	}

	void remove(TermPart part) {
		this.parts.remove(part);
	}

	/* The work that has not ended. */
	List<TermPart> parts() {
		return this.parts;
	}

	@Override
	public String toString() {
		return "term " + this.number + " of role '" + this.role + "'";
	}

}
