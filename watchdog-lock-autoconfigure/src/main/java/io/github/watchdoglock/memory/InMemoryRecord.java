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

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.TokenBlock;

/**
 * What a key is remembered by, but for its queue. Times are nanoseconds of the store's
 * ticker. Immutable.
 *
 * @param state whose the key is
 * @param contended whether others wait, or did since it was given
 * @param retention how long it is remembered after the lease
 * @param block the tokens of the grant, up to the greatest that may have been given
 * @param attempt whose it is, or was
 * @param holder label for people
 * @param end when it is forgotten
 * @param holders who shares the key, where that are several; else nobody
 */
record InMemoryRecord(State state, boolean contended, long retention, TokenBlock block, AttemptId attempt,
		String holder, long end, List<InMemoryHolder> holders) {

	/* Of nobody: several have the key. */
	static final AttemptId SEVERAL = new AttemptId("", 0);

	/* Label of a key that waits for the head of its queue. */
	static final String RESERVED_LABEL = "(reserved)";

	InMemoryRecord(State state, boolean contended, long retention, TokenBlock block, AttemptId attempt, String holder,
			long end) {
		this(state, contended, retention, block, attempt, holder, end, List.of());
	}

	/* Who has it or had it, and until when. */
	List<InMemoryHolder> all(long now) {
		if (this.holders.isEmpty()) {
			return List
				.of(new InMemoryHolder(this.attempt, this.state, now + left(now), this.block.first(), this.holder));
		}
		return (left(now) > 0) ? this.holders : this.holders.stream().map((holder) -> holder.endingAt(now)).toList();
	}

	/* What is left of the lease; zero where nobody has it. */
	long left(long now) {
		return Math.max(0, this.end - this.retention - now);
	}

	boolean isOf(AttemptId candidate) {
		return this.attempt.equals(candidate);
	}

	/* Whether it is, or was, a lease. */
	boolean isLease() {
		return this.state == State.OWNED || this.state == State.LINGERING;
	}

	/* Whether somebody has the key, or nobody is to have it yet. */
	boolean isHeld(long now) {
		return this.state != State.RESERVED && left(now) > 0;
	}

	/* With another end of one that has it, and with the greatest token. */
	InMemoryRecord renewed(InMemoryHolder before, InMemoryHolder after, long last) {
		List<InMemoryHolder> holders = new ArrayList<>(this.holders);
		holders.replaceAll((holder) -> holder.equals(before) ? after : holder);
		return new InMemoryRecord(this.state, this.contended, this.retention, new TokenBlock(this.block.first(), last),
				this.attempt, this.holder, this.end + Math.max(0, after.end() + this.retention - this.end),
				List.copyOf(holders));
	}

	/* Half the retention: a clock that is set back by less gives it back to nobody. */
	InMemoryRecord free(long now, State state) {
		return new InMemoryRecord(state, this.contended, this.retention, this.block, this.attempt, this.holder,
				now + this.retention / 2, this.holders);
	}

	InMemoryRecord asContended() {
		return new InMemoryRecord(this.state, true, this.retention, this.block, this.attempt, this.holder, this.end,
				this.holders);
	}

	InMemoryRecord withGreatest(long last) {
		return new InMemoryRecord(this.state, this.contended, this.retention, new TokenBlock(this.block.first(), last),
				this.attempt, this.holder, this.end, this.holders);
	}

	/* What a block has left goes back, but for what was given before it. */
	InMemoryRecord withLastUsed(long lastToken) {
		if (lastToken == ReleaseCommand.UNKNOWN || lastToken >= this.block.last()) {
			return this;
		}
		return withGreatest(Math.max(lastToken, this.block.first() - 1));
	}

	enum State {

		/** A grant owns the key. */
		OWNED,
		/** The same, and its instance may be keeping it though nobody holds it. */
		LINGERING,
		/** The key waits for one attempt to claim it. */
		RESERVED,
		/** Ended: nobody is to be handed it before the rest is over, if any is left. */
		KEPT

	}

}
