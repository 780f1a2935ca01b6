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
import java.util.Collection;
import java.util.List;

import io.github.watchdoglock.LockSnapshot.Mode;

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
		return new LockStateValue(key, holder, token, remaining, waiting, 1, Mode.EXCLUSIVE, List.of());
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
	 * @return their number, 1 of an exclusive lock, and of those of an instance who read
	 * right after one of them has written
	 */
	int holders();

	/**
	 * What others may have of it at the same time.
	 * @return the mode; {@link Mode#EXCLUSIVE} also of who writes, and of those of its
	 * instance who read right after it, which is the same to the store
	 */
	Mode mode();

	/**
	 * By how many permits those have asked who hold it.
	 * @return the number, or all of them from the least to the greatest where callers go
	 * by different ones; none where it is not held by permits
	 */
	List<Integer> permits();

	/**
	 * This state of a lock that is held in another way.
	 * @param mode how
	 * @return a new state, without permits
	 */
	LockState withMode(Mode mode);

	/**
	 * This state of one of some permits.
	 * @param permits by how many those have asked who hold them
	 * @return a new state, whose mode is {@link Mode#PERMIT}
	 */
	LockState withPermits(Collection<Integer> permits);

	/**
	 * This state of one of several.
	 * @param holders how many hold the lock together, at least 1
	 * @return a new state
	 * @throws IllegalArgumentException if they are fewer than 1
	 */
	LockState withHolders(int holders);

}
