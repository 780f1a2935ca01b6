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
import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A hold or a waiting caller of this instance at one moment. Immutable; snapshots with
 * the same values are equal.
 */
public interface LockSnapshot {

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * Return whether the lock is held or waited for.
	 * @return the status
	 */
	Status status();

	/**
	 * Return the name of the thread that acquired the lock or waits for it.
	 * @return the name; null for an asynchronous caller
	 */
	@Nullable String thread();

	/**
	 * Return when the lock was acquired, or when the wait began, by the wall clock.
	 * @return the moment
	 */
	Instant since();

	/**
	 * Return the time that has elapsed since then, by the monotonic clock.
	 * @return the time
	 */
	Duration elapsed();

	/**
	 * Return the fencing token of the hold.
	 * @return the token; zero while waiting
	 */
	long fencingToken();

	/**
	 * Return how long the lock stays held if it is not renewed again.
	 * @return the remaining time; zero while waiting
	 */
	Duration remaining();

	/**
	 * Return the requested lease; for a hold, the strongest lease that its callers
	 * requested.
	 * @return the lease
	 */
	Lease lease();

	/**
	 * Return how often the lease was renewed, including its earlier holders of this
	 * instance.
	 * @return the number; zero while waiting
	 */
	long renewals();

	/**
	 * Return whether renewals fail at the moment.
	 * @return whether they fail
	 */
	boolean atRisk();

	/**
	 * Return how many callers of this instance wait for the same key.
	 * @return the number
	 */
	int waiting();

	/**
	 * Return the mode, which decides whether other callers may hold the lock at the same
	 * time.
	 * @return the mode
	 */
	Mode mode();

	/**
	 * Return whether a hold is fenced, see {@link LockRequest#withFenced(boolean)}.
	 * @return whether it is; false while waiting
	 */
	boolean fenced();

	/**
	 * The mode in which a caller requests or holds a lock.
	 */
	enum Mode {

		/**
		 * Alone: {@link LockMode#WRITE}.
		 */
		EXCLUSIVE,

		/**
		 * Together with other readers: {@link LockMode#READ}.
		 */
		READ,

		/**
		 * One permit of a semaphore.
		 */
		PERMIT;

		/**
		 * Return the mode as a tag value.
		 * @return the name in lower case
		 */
		public String tag() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * The state of a caller.
	 */
	enum Status {

		/**
		 * It holds the lock.
		 */
		HELD,

		/**
		 * It waits for the lock.
		 */
		WAITING

	}

}
