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

import io.github.watchdoglock.store.AttemptId;

/**
 * A place in the queue of a key. Times are nanoseconds of the store's ticker.
 *
 * @param attempt the waiting attempt
 * @param seen when it asked last
 * @param poll the interval in which it asks
 */
record InMemoryPlace(AttemptId attempt, long seen, long poll) {

	/* A place is dead if its attempt has not asked during so many poll intervals. */
	private static final int DEAD = 3;

	/* The same number if the instance of the attempt is not subscribed to hints. */
	private static final int DEAD_IF_UNSUBSCRIBED = 2;

	boolean isDead(long now) {
		return now - this.seen >= DEAD * this.poll;
	}

	/* Return whether it is dead if its instance is not subscribed to hints. */
	boolean isDeadIfUnsubscribed(long now) {
		return now - this.seen >= DEAD_IF_UNSUBSCRIBED * this.poll;
	}

	/*
	 * Return how long the key stays reserved for it: one and a half polls, so that after
	 * a lost message its next poll is early enough, and it does not lose its turn.
	 */
	long claim() {
		return this.poll + this.poll / 2;
	}

}
