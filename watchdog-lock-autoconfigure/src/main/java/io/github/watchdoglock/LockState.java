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

package io.github.watchdoglock;

import java.time.Duration;

/**
 * What the store says of a lock that somebody holds; of several, the one whose lease ends
 * first. Immutable; states that say the same are equal.
 */
public sealed interface LockState permits LockStateValue {

	/**
	 * A state, as for a {@link LockService} of one's own in a test.
	 * @param key the lock
	 * @param holder label of the holder
	 * @param token the first fencing token of the lease
	 * @param remaining how long the lease lasts unless it is renewed
	 * @param waiting how many instances wait
	 * @return the state
	 */
	static LockState of(LockKey key, String holder, long token, Duration remaining, int waiting) {
		return new LockStateValue(key, holder, token, remaining, waiting, 1);
	}

	/**
	 * The lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * Label of the holder: instance name, host and thread.
	 * @return the label
	 */
	String holder();

	/**
	 * The first fencing token of the lease; the one in use may be greater.
	 * @return the token
	 */
	long token();

	/**
	 * How long the lease lasts unless it is renewed.
	 * @return what is left
	 */
	Duration remaining();

	/**
	 * How many instances wait in the store's queue.
	 * @return their number
	 */
	int waiting();

	/**
	 * How many hold it together: instances that read, or permits.
	 * @return their number, 1 of an exclusive lock
	 */
	int holders();

	/**
	 * This state of one of several.
	 * @param holders how many hold the lock together, at least 1
	 * @return a new state
	 * @throws IllegalArgumentException if they are fewer than 1
	 */
	LockState withHolders(int holders);

}
