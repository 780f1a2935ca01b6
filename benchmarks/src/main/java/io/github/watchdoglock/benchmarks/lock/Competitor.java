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

package io.github.watchdoglock.benchmarks.lock;

/**
 * A lock between instances, as used by one instance of a service. Thread-safe.
 */
@FunctionalInterface
public interface Competitor {

	/**
	 * Acquire a lock, and wait for it if this kind of lock can wait.
	 * @param key the key
	 * @return the held lock
	 * @throws InterruptedException if the thread is interrupted while it waits
	 * @throws IllegalStateException if the lock is held and this kind cannot wait
	 */
	Held lock(String key) throws InterruptedException;

	/**
	 * Return how many observations of locks have started and not ended.
	 * @return the number; zero if they are not counted
	 */
	default long unendedObservations() {
		return 0;
	}

	/**
	 * A lock that its instance renews for as long as it is held.
	 */
	interface Renewed extends Competitor {

		/**
		 * Ask Redis whether a lock is held.
		 * @param key the key
		 * @return whether it is held
		 */
		boolean isTaken(String key);

	}

	/**
	 * A lock with modes that several callers can hold together: readers, and permits.
	 */
	interface Kinds extends Competitor {

		/**
		 * Acquire a lock to read, together with other readers.
		 * @param key the key
		 * @return the held lock
		 * @throws InterruptedException if the thread is interrupted while it waits
		 */
		Held read(String key) throws InterruptedException;

		/**
		 * Acquire a lock to write, alone.
		 * @param key the key
		 * @return the held lock
		 * @throws InterruptedException if the thread is interrupted while it waits
		 */
		Held write(String key) throws InterruptedException;

		/**
		 * Acquire one of several permits.
		 * @param key the key
		 * @param permits the number of permits
		 * @return the held permit
		 * @throws InterruptedException if the thread is interrupted while it waits
		 */
		Held permit(String key, int permits) throws InterruptedException;

	}

	/**
	 * A lock that is held by the thread that acquired it.
	 */
	@FunctionalInterface
	interface Held {

		/** The token of locks that provide none. */
		long NO_TOKEN = 0;

		/**
		 * Release the lock.
		 */
		void unlock();

		/**
		 * Return the fencing token.
		 * @return the token, or {@link #NO_TOKEN}
		 */
		default long token() {
			return NO_TOKEN;
		}

	}

}
