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
 * A lock between instances, as one instance of a service has it. Thread-safe.
 */
@FunctionalInterface
public interface Competitor {

	/**
	 * Take a lock, and wait for it where this kind of lock can wait.
	 * @param key which one
	 * @return what is held
	 * @throws InterruptedException if the thread is interrupted while it waits
	 * @throws IllegalStateException if the lock is taken and this kind can't wait
	 */
	Held lock(String key) throws InterruptedException;

	/**
	 * A lock that lasts for as long as it is held, since its instance renews it.
	 */
	interface Renewed extends Competitor {

		/**
		 * Ask Redis whether anybody has a lock.
		 * @param key which one
		 * @return whether it is taken
		 */
		boolean isTaken(String key);

	}

	/**
	 * A lock that several may have.
	 */
	interface Kinds extends Competitor {

		/**
		 * Take a lock to read, beside others who read.
		 * @param key which one
		 * @return what is held
		 * @throws InterruptedException if the thread is interrupted while it waits
		 */
		Held read(String key) throws InterruptedException;

		/**
		 * Take a lock to write, alone.
		 * @param key which one
		 * @return what is held
		 * @throws InterruptedException if the thread is interrupted while it waits
		 */
		Held write(String key) throws InterruptedException;

		/**
		 * Take one of several permits.
		 * @param key whose
		 * @param permits how many there are
		 * @return what is held
		 * @throws InterruptedException if the thread is interrupted while it waits
		 */
		Held permit(String key, int permits) throws InterruptedException;

	}

	/**
	 * A lock that is held, by the thread that took it.
	 */
	@FunctionalInterface
	interface Held {

		/** Of locks that give none. */
		long NO_TOKEN = 0;

		/**
		 * Give the lock back.
		 */
		void unlock();

		/**
		 * The fencing token.
		 * @return the token, or {@link #NO_TOKEN}
		 */
		default long token() {
			return NO_TOKEN;
		}

	}

}
