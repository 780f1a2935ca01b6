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
 * which two runs of the same tasks can differ, but for the clock. Thread-safe.
 */
public interface Threads {

	/**
	 * Have the calling thread wait until it is unparked or interrupted, or the time is
	 * over; or for no reason.
	 * @param blocker what it waits for
	 * @param nanos how long at most, in nanoseconds; {@link Long#MAX_VALUE} without end
	 */
	void park(Object blocker, long nanos);

	/**
	 * What waiting threads count by, whatever clock leases count by.
	 * @return nanoseconds from some moment
	 */
	long elapsed();

	/**
	 * End the wait of a thread, or its next one.
	 * @param thread the thread
	 */
	void unpark(Thread thread);

	/**
	 * Interrupt a thread; blocks where that closes a channel, and may throw then.
	 * @param thread the thread
	 */
	void interrupt(Thread thread);

	/**
	 * Whether a thread was interrupted.
	 * @param thread the thread
	 * @return its flag
	 */
	boolean isInterrupted(Thread thread);

	/**
	 * Begin a daemon thread, which has nothing of the one that begins it.
	 * @param name its name
	 * @param work what it does
	 * @return the thread
	 * @throws OutOfMemoryError if there can't be one more
	 */
	Thread start(String name, Runnable work);

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
		return new ThreadPool(SystemThreads.INSTANCE, name, warning, busy);
	}

	/**
	 * Run the tasks of a key, now or soon.
	 * @param tasks runs them; must not be run by two threads at once, nor twice
	 */
	void proceed(Runnable tasks);

	/**
	 * A number by chance.
	 * @return at least zero and less than one
	 */
	double random();

	/**
	 * Those of this JVM.
	 * @return the threads
	 */
	static Threads system() {
		return SystemThreads.INSTANCE;
	}

	/**
	 * Threads of the JVM, with nothing between them and who asks.
	 */
	enum SystemThreads implements Threads {

		/** There is one JVM. */
		INSTANCE;

		@Override
		public void park(Object blocker, long nanos) {
			LockSupport.parkNanos(blocker, nanos);
		}

		@Override
		public long elapsed() {
			return System.nanoTime();
		}

		@Override
		public void unpark(Thread thread) {
			LockSupport.unpark(thread);
		}

		@Override
		public void interrupt(Thread thread) {
			thread.interrupt();
		}

		@Override
		public boolean isInterrupted(Thread thread) {
			return thread.isInterrupted();
		}

		@Override
		public Thread start(String name, Runnable work) {
			Thread thread = create(name, work);
			thread.start();
			return thread;
		}

		/* Inherits nothing of the thread that calls it. */
		@SuppressWarnings("ThreadPriorityCheck")
		Thread create(String name, Runnable work) {
			Thread thread = new Thread(null, work, name, 0, false);
			thread.setDaemon(true);
			thread.setPriority(Thread.NORM_PRIORITY);
			thread.setContextClassLoader(Threads.class.getClassLoader());
			return thread;
		}

		@Override
		public void proceed(Runnable tasks) {
			tasks.run();
		}

		@Override
		public double random() {
			return ThreadLocalRandom.current().nextDouble();
		}

	}

}
