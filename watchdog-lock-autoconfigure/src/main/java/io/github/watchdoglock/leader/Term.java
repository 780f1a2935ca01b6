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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * A term of this instance: its lock, and the work that is done in it. What changes is
 * guarded by the candidacy's lock, and the end is read without.
 */
final class Term implements LeaderTerm {

	final LockHandle handle;

	final Instant since;

	/** By the threads' clock, in nanoseconds. */
	final long begun;

	private final String role;

	private final long number;

	/** The work that has not ended. */
	private final List<TermPart> parts = new ArrayList<>();

	private volatile LockLoss.@Nullable Reason end;

	private boolean releasing;

	private boolean warned;

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

	/* Why it is over, also where only the clock has noticed it yet. */
	Optional<LockLoss> loss() {
		LockLoss.Reason end = this.end;
		return (end != null) ? Optional.of(new LockLoss(this.handle.key(), this.number, end)) : this.handle.loss();
	}

	boolean isOver() {
		return this.end != null;
	}

	void end(LockLoss.Reason reason) {
		this.end = reason;
	}

	void add(TermPart part) {
		this.parts.add(part);
	}

	void remove(TermPart part) {
		this.parts.remove(part);
	}

	List<TermPart> parts() {
		return List.copyOf(this.parts);
	}

	/* The work to be warned of, which there is once. */
	List<TermPart> takeOverdue() {
		if (this.warned) {
			return List.of();
		}
		this.warned = !this.parts.isEmpty();
		return parts();
	}

	/* Whether its lock is to be given back now; once. */
	boolean beginRelease() {
		if (this.end == null || !this.parts.isEmpty() || this.releasing) {
			return false;
		}
		this.releasing = true;
		return true;
	}

	@Override
	public String toString() {
		return "term " + this.number + " of role '" + this.role + "'";
	}

}
