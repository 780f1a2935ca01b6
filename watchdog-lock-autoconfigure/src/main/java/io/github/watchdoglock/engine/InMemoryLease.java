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

/**
 * What stands for a key that is not free.
 *
 * @param state who may use the key
 * @param attempt whose it is, or was
 * @param firstToken first token of the lease, zero for a reservation
 * @param holder label for people
 * @param contended whether somebody took a place since it was granted, or before
 * @param until when it is over, by the store's ticker
 */
record InMemoryLease(State state, AttemptId attempt, long firstToken, String holder, boolean contended, long until) {

	/* Label of a key that waits for the head of its queue. */
	static final String RESERVED_LABEL = "(reserved)";

	static InMemoryLease reserved(AttemptId attempt, long until) {
		return new InMemoryLease(State.RESERVED, attempt, 0, RESERVED_LABEL, false, until);
	}

	boolean isOwnedBy(AttemptId candidate) {
		return this.state == State.OWNED && this.attempt.equals(candidate);
	}

	boolean isReservedFor(AttemptId candidate) {
		return this.state == State.RESERVED && this.attempt.equals(candidate);
	}

	InMemoryLease lastingUntil(long end) {
		return (end - this.until > 0) ? with(this.state, this.contended, end) : this;
	}

	InMemoryLease asContended() {
		return with(this.state, true, this.until);
	}

	InMemoryLease keptUntil(long end) {
		return with(State.KEPT, false, end);
	}

	private InMemoryLease with(State state, boolean contended, long until) {
		return new InMemoryLease(state, this.attempt, this.firstToken, this.holder, contended, until);
	}

	enum State {

		/** A grant owns the key. */
		OWNED,

		/** The key waits for one attempt to claim it. */
		RESERVED,

		/** Released, but nobody is to be handed it yet; no attempt matches. */
		KEPT

	}

}
