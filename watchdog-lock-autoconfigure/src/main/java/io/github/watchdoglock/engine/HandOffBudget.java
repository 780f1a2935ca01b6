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
 * How a grant goes from caller to caller within its instance: the tokens that it has
 * left, and how long it may stay while other instances wait. Part of the grant's state.
 */
final class HandOffBudget {

	private static final long MOST_TIME = TimeUnit.MILLISECONDS.toNanos(50);

	private TokenBlock block;

	private long token;

	/** For the rest of the grant, once it is known. */
	private boolean contended;

	/** Since when that is known, and how often it may be handed on from then. */
	private long since;

	private int left;

	/** Whether the key may have been taken from it, and when that was heard. */
	private boolean forced;

	private long forcedAt;

	/* A waiting instance is passed by one grant and at most so many callers. */
	HandOffBudget(TokenBlock block, int most) {
		this.block = block;
		this.left = most;
		this.token = block.first();
	}

	/* Others wait for the key. */
	void contended(long now) {
		if (!this.contended) {
			this.contended = true;
			this.since = now;
		}
	}

	boolean isContended() {
		return this.contended;
	}

	/* The key may have been taken from it. */
	void forced(long now) {
		this.forced = true;
		this.forcedAt = now;
	}

	/* It was not, if the store was asked after that was heard. */
	void confirmed(long sent) {
		this.forced &= sent - this.forcedAt <= 0;
	}

	boolean isForced() {
		return this.forced;
	}

	/* What the store says when it has confirmed a grant. */
	void note(RenewAnswer.Renewed answer, long now) {
		if (answer.contended()) {
			contended(now);
		}
		if (answer.next() != null) {
			adopt(answer.next());
		}
	}

	/* A late answer may bring a block that has been used already. */
	private void adopt(TokenBlock next) {
		if (next.first() > this.block.last()) {
			this.block = next;
			this.token = next.first() - 1;
		}
	}

	boolean hasToken() {
		return this.token < this.block.last();
	}

	/* The token of the next caller. */
	long pass() {
		this.token++;
		join();
		return this.token;
	}

	/* One more has it besides, with the same token. */
	void join() {
		if (this.contended) {
			this.left--;
		}
	}

	boolean mayStay(long now) {
		return !this.contended || (this.left > 0 && now - this.since < MOST_TIME);
	}

}
