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

package io.github.watchdoglock.time;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Where the engine's threads come from, how they wait, and what is left to chance: all by
 * which two runs of the same tasks can differ, but for the clock. The methods are those
 * of the JVM; simulations override all of them. Thread-safe.
 */
public interface Threads {

	/**
	 * Have the calling thread wait until it is unparked or interrupted, or the time is
	 * over; or for no reason.
	 * @param blocker what it waits for
	 * @param nanos how long at most, in nanoseconds; {@link Long#MAX_VALUE} without end
	 */
	default void park(Object blocker, long nanos) {
		LockSupport.parkNanos(blocker, nanos);
	}

	/**
	 * What waiting threads count by, whatever clock leases count by.
	 * @return nanoseconds from some moment
	 */
	default long elapsed() {
		return System.nanoTime();
	}

	/**
	 * End the wait of a thread, or its next one.
	 * @param thread the thread
	 */
	default void unpark(Thread thread) {
		LockSupport.unpark(thread);
	}

	/**
	 * Interrupt a thread; blocks where that closes a channel, and may throw then.
	 * @param thread the thread
	 */
	default void interrupt(Thread thread) {
		thread.interrupt();
	}

	/**
	 * Whether a thread was interrupted.
	 * @param thread the thread
	 * @return its flag
	 */
	default boolean isInterrupted(Thread thread) {
		return thread.isInterrupted();
	}

	/**
	 * Begin a daemon thread, which has nothing of the one that begins it.
	 * @param name its name
	 * @param work what it does
	 * @return the thread
	 * @throws OutOfMemoryError if there can't be one more
	 */
	default Thread start(String name, Runnable work) {
		Thread thread = create(name, work);
		thread.start();
		return thread;
	}

	/**
	 * Create a daemon thread, which has nothing of the one that creates it.
	 * @param name its name
	 * @param work what it does
	 * @return the thread
	 */
	@SuppressWarnings("ThreadPriorityCheck")
	static Thread create(String name, Runnable work) {
		Thread thread = new Thread(null, work, name, 0, false);
		thread.setDaemon(true);
		thread.setPriority(Thread.NORM_PRIORITY);
		thread.setContextClassLoader(Threads.class.getClassLoader());
		return thread;
	}

	/**
	 * Create a pool of daemon threads.
	 * @param name the name of its threads
	 * @param warning a message for users, logged once when all of the usual number of
	 * threads wait: with the number as {0}, and the number of threads then as {1}
	 * @param busy run when tasks wait for a thread, so that {@link Pool#look()} is called
	 * in a while; must neither block nor throw
	 * @return the pool
	 */
	default Pool pool(String name, String warning, Runnable busy) {
		return new ThreadPool(name, warning, busy);
	}

	/**
	 * Run the tasks of a key, now or soon.
	 * @param tasks runs them; must not be run by two threads at once, nor twice
	 */
	default void proceed(Runnable tasks) {
		tasks.run();
	}

	/**
	 * A number by chance.
	 * @return at least zero and less than one
	 */
	default double random() {
		return ThreadLocalRandom.current().nextDouble();
	}

	/**
	 * Those of this JVM.
	 * @return the threads
	 */
	static Threads system() {
		return new Threads() {
		};
	}

}
