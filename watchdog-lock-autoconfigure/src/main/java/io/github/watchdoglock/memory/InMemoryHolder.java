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

package io.github.watchdoglock.memory;

import java.util.Collection;

import io.github.watchdoglock.store.AttemptId;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that has a key, possibly with others, or that had it last. Immutable.
 *
 * @param attempt the attempt
 * @param state the state: a lease, a reservation, or a minimum hold
 * @param end when the state ends, in nanoseconds of the store's ticker
 * @param token the first token of its lease
 * @param label the label for people
 */
record InMemoryHolder(AttemptId attempt, State state, long end, long token, String label) {

	/*
	 * The label of a reservation, while the key waits for the first place of its queue.
	 */
	static final String RESERVED_LABEL = "(reserved)";

	static @Nullable InMemoryHolder find(Collection<InMemoryHolder> holders, @Nullable AttemptId attempt) {
		return holders.stream().filter((holder) -> holder.attempt.equals(attempt)).findFirst().orElse(null);
	}

	static InMemoryHolder reserved(AttemptId attempt, long end) {
		return new InMemoryHolder(attempt, State.RESERVED, end, 0, RESERVED_LABEL);
	}

	long left(long now) {
		return this.end - now;
	}

	boolean isHere(long now) {
		return left(now) > 0;
	}

	/* Return whether it has, or had, a lease. */
	boolean isLease() {
		return this.state == State.OWNED || this.state == State.LINGERING;
	}

	boolean isReserved() {
		return this.state == State.RESERVED;
	}

	/*
	 * Return whether the attempt has ended: late commands of such an attempt get nothing
	 * any more.
	 */
	boolean hasEnded(long now) {
		return this.state == State.KEPT || this.state == State.RELEASED || (!isReserved() && !isHere(now));
	}

	InMemoryHolder in(State state, long end) {
		return new InMemoryHolder(this.attempt, state, end, this.token, this.label);
	}

	enum State {

		/** A lease. */
		OWNED,
		/** A lease that its instance may be keeping idle. */
		LINGERING,
		/** A lease that was released, and of which a renewal may still arrive. */
		RELEASED,
		/** The key waits for the attempt to claim it. */
		RESERVED,
		/**
		 * A lease that was released or taken by force: the key is not handed on before
		 * the rest of its time has elapsed, if any is left.
		 */
		KEPT

	}

}
