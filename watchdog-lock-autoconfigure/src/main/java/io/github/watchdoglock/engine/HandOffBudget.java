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

import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.TokenBlock;

/**
 * The limits for handing on a lease within its instance: the tokens that are left, and
 * how long the lease may stay while other instances wait. It also keeps what messages
 * said of the lease: that others wait, or that it was taken by force. Part of the lease's
 * state.
 */
final class HandOffBudget {

	private static final long MAX_TIME = TimeUnit.MILLISECONDS.toNanos(50);

	private TokenBlock block;

	private long token;

	/** Whether other attempts wait; once set, for the rest of the lease. */
	private boolean contended;

	/**
	 * Since when that is known, and how often the lease may be handed on from then on.
	 */
	private long since;

	private int handOffsLeft;

	/** Whether a message said that the key was taken by force, and when it arrived. */
	private boolean forced;

	private long forcedAt;

	/* A waiting instance is passed by one grant and at most this number of callers. */
	HandOffBudget(TokenBlock block, int most) {
		this.block = block;
		this.handOffsLeft = most;
		this.token = block.first();
	}

	/* Other attempts wait for the key. */
	void contended(long now) {
		if (!this.contended) {
			this.contended = true;
			this.since = now;
		}
	}

	boolean isContended() {
		return this.contended;
	}

	/* A message says that the key may have been taken by force. */
	void forced(long now) {
		this.forced = true;
		this.forcedAt = now;
	}

	/*
	 * The store has confirmed the lease. It was not taken by force if the command was
	 * sent after the message had arrived.
	 */
	void confirmed(long sent) {
		this.forced &= sent - this.forcedAt <= 0;
	}

	boolean mayBeForced() {
		return this.forced;
	}

	/*
	 * Note whether other attempts wait, and new tokens, from a confirmation of the store.
	 */
	void note(RenewAnswer.Renewed answer, long now) {
		if (answer.contended()) {
			contended(now);
		}
		if (answer.next() != null) {
			adopt(answer.next());
		}
	}

	/* A late answer may bring a block that was used already. */
	private void adopt(TokenBlock next) {
		if (next.first() > this.block.last()) {
			this.block = next;
			this.token = next.first() - 1;
		}
	}

	boolean hasToken() {
		return this.token < this.block.last();
	}

	/* Return the token of the next caller. */
	long pass() {
		this.token++;
		join();
		return this.token;
	}

	/* One more reader joins, with the same token. */
	void join() {
		if (this.contended) {
			this.handOffsLeft--;
		}
	}

	boolean mayStay(long now) {
		return !this.contended || (this.handOffsLeft > 0 && now - this.since < MAX_TIME);
	}

}
