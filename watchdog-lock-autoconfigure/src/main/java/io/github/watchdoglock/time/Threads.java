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

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of the engine: how they are created, how they wait, and random numbers.
 * Apart from the clock, all differences between two runs of the same tasks come from
 * here. The default methods are those of the JVM; simulations override those whose
 * results can differ. Thread-safe.
 */
public interface Threads {

	/**
	 * Park the calling thread until it is unparked or interrupted, or until the time has
	 * elapsed. It may also return for no reason.
	 * @param blocker the object for which the thread waits
	 * @param nanos the maximum time, in nanoseconds; {@link Long#MAX_VALUE} to wait
	 * indefinitely
	 */
	default void park(Object blocker, long nanos) {
		LockSupport.parkNanos(blocker, nanos);
	}

	/**
	 * Return the time by which waiting threads measure their timeouts, independent of the
	 * clock of leases.
	 * @return nanoseconds since an arbitrary moment
	 */
	default long elapsed() {
		return System.nanoTime();
	}

	/**
	 * Unpark a thread: end its wait, or its next wait.
	 * @param thread the thread
	 */
	default void unpark(Thread thread) {
		LockSupport.unpark(thread);
	}

	/**
	 * Interrupt a thread. This may block, and may throw, if the interrupt closes a
	 * channel.
	 * @param thread the thread
	 */
	default void interrupt(Thread thread) {
		thread.interrupt();
	}

	/**
	 * Return whether a thread was interrupted.
	 * @param thread the thread
	 * @return its interrupt flag
	 */
	default boolean isInterrupted(Thread thread) {
		return thread.isInterrupted();
	}

	/**
	 * Start a daemon thread that inherits nothing from the thread that starts it.
	 * @param name its name
	 * @param work its task
	 * @return the thread
	 * @throws OutOfMemoryError if no more threads can be created
	 */
	default Thread start(String name, Runnable work) {
		Thread thread = create(name, work);
		thread.start();
		return thread;
	}

	/**
	 * Create a daemon thread that inherits nothing from the thread that creates it.
	 * @param name its name
	 * @param work its task
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
	 * @param warning a message for users, which is logged once when all of the usual
	 * number of threads wait: {0} is that number, and {1} the new number of threads
	 * @param busy is run when tasks wait for a thread, and must cause
	 * {@link Pool#check()} to be called shortly after; must neither block nor throw
	 * @return the pool
	 */
	default Pool pool(String name, String warning, Runnable busy) {
		return new ThreadPool(name, warning, busy);
	}

	/**
	 * Run the tasks of a key, now or soon.
	 * @param tasks runs the tasks; must not be run by two threads at the same time, nor
	 * twice
	 */
	default void proceed(Runnable tasks) {
		tasks.run();
	}

	/**
	 * Return a random number.
	 * @return at least zero and less than one
	 */
	default double random() {
		return ThreadLocalRandom.current().nextDouble();
	}

	/**
	 * Return a number that is as good as random, and always the same for a seed.
	 * @param seed the seed
	 * @return at least zero and less than one
	 */
	default double random(long seed) {
		return new SplittableRandom(seed).nextDouble();
	}

	/**
	 * Return a number that no other process will get, not even a copy of this one that is
	 * made before this call. Takes microseconds.
	 * @return any number
	 */
	default long unpredictable() {
		// A copy has the bytes that the JDK has read ahead from the operating system:
		// usually fewer than these, but not if others have read many just before.
		byte[] bytes = new byte[512];
		new SecureRandom().nextBytes(bytes);
		return ByteBuffer.wrap(bytes).getLong(bytes.length - Long.BYTES) ^ System.nanoTime();
	}

	/**
	 * Return the threads of this JVM.
	 * @return the threads
	 */
	static Threads system() {
		return new Threads() {
		};
	}

}
