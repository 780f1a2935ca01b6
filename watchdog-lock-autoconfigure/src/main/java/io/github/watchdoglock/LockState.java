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
import java.util.List;

import io.github.watchdoglock.LockSnapshot.Mode;

/**
 * The state of a held lock in Redis. If several callers hold it, this is the state of the
 * holder whose lease ends first. Immutable; states with the same values are equal.
 */
public interface LockState {

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * Return the label of the holder: instance name, host and thread.
	 * @return the label
	 */
	String holder();

	/**
	 * Return the first fencing token of the lease. After a hand-off within the instance,
	 * the token of the present hold is greater; only that instance knows it.
	 * @return the token
	 */
	long token();

	/**
	 * Return how long the lease lasts unless it is renewed.
	 * @return the remaining time
	 */
	Duration remaining();

	/**
	 * Return how many instances wait in the queue of Redis.
	 * @return the number
	 */
	int waiting();

	/**
	 * Return how many hold the lock together: instances that read, or permits.
	 * @return the number; 1 for an exclusive lock, and for readers of one instance that
	 * read right after a writer of that instance
	 */
	int holders();

	/**
	 * Return the mode, which decides whether other callers may hold the lock at the same
	 * time.
	 * @return the mode; {@link Mode#EXCLUSIVE} also for a writer, and for readers of its
	 * instance that read right after it, because Redis does not distinguish them
	 */
	Mode mode();

	/**
	 * Return the numbers of permits that the holders' requests have used.
	 * @return one number, or all different numbers in ascending order if the requests use
	 * different ones; empty if the lock is not held with permits
	 */
	List<Integer> permits();

}
