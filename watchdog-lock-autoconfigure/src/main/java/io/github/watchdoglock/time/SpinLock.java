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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A lock for short sections of code in which no thread waits. There is no queue: a thread
 * that finds the lock taken tries again until it is free. In a queue of virtual threads,
 * the next one would run only after all others have run, and the watchdog last. Of
 * several threads that try, those with a priority above the normal one try most often.
 * Thread-safe; not reentrant.
 */
public final class SpinLock {

	/* Some microseconds: an owner that needs longer has lost its processor. */
	private static final int SPINS = 200;

	/*
	 * 10,000 threads that looked each millisecond left no processor to the owner.
	 */
	private static final long NAP_BETWEEN_TWO = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long LONGEST_NAP_OF_ONE = TimeUnit.MILLISECONDS.toNanos(1);

	private static final AtomicReferenceFieldUpdater<SpinLock, @Nullable Thread> OWNER = AtomicReferenceFieldUpdater
		.newUpdater(SpinLock.class, Thread.class, "owner");

	private static final AtomicIntegerFieldUpdater<SpinLock> NAPPING = AtomicIntegerFieldUpdater
		.newUpdater(SpinLock.class, "napping");

	/*
	 * A virtual thread that parks, or yields, continues only after all others that are
	 * ready. If it owns the lock of a step, that lock is taken for as long.
	 */
	private final boolean innermost;

	private volatile @Nullable Thread owner;

	private volatile int napping;

	private SpinLock(boolean innermost) {
		this.innermost = innermost;
	}

	/**
	 * Create a lock whose waiting threads may park: their callers own no other lock.
	 * @return the lock
	 */
	public static SpinLock outermost() {
		return new SpinLock(false);
	}

	/**
	 * Create a lock that threads may take while they own an outermost one, and under
	 * which they take no other. Waiting threads never park.
	 * @return the lock
	 */
	public static SpinLock innermost() {
		return new SpinLock(true);
	}

	/**
	 * Acquire the lock.
	 * @throws IllegalStateException if the calling thread owns it
	 */
	public void lock() {
		Thread thread = Thread.currentThread();
		if (!OWNER.compareAndSet(this, null, thread)) {
			lockWhenFree(thread);
		}
	}

	private void lockWhenFree(Thread thread) {
		if (this.owner == thread) {
			throw new IllegalStateException("This thread has the lock already");
		}
		boolean interrupted = false;
		int spins = 0;
		long nap = NAP_BETWEEN_TWO;
		do {
			if (spins < SPINS || (this.innermost && isVirtual(thread))) {
				spins++;
				Thread.onSpinWait();
			}
			else if (this.innermost) {
				giveWay();
			}
			else {
				// An interrupted thread would not park. Yielding is no remedy: virtual
				// threads
				// that yield to each other let no other one run.
				interrupted |= Thread.interrupted();
				if (thread.getPriority() > Thread.NORM_PRIORITY) {
					LockSupport.parkNanos(this, NAP_BETWEEN_TWO);
				}
				else {
					nap(nap);
					nap = Math.min(2 * nap, LONGEST_NAP_OF_ONE);
				}
			}
		}
		while (this.owner != null || !OWNER.compareAndSet(this, null, thread));
		if (interrupted) {
			interruptAgain(thread);
		}
	}

	/* What fails here must not leave the lock taken. */
	private void interruptAgain(Thread thread) {
		try {
			thread.interrupt();
		}
		catch (Throwable ex) {
			this.owner = null;
			throw ex;
		}
	}

	/* Java 17 cannot ask, and has none. */
	private static boolean isVirtual(Thread thread) {
		Class<?> type = thread.getClass();
		return type != Thread.class && type.getPackage() == Thread.class.getPackage();
	}

	@SuppressWarnings("ThreadPriorityCheck")
	private static void giveWay() {
		Thread.yield();
	}

	/* Nothing is counted after the lock was acquired: an error would leave it taken. */
	private void nap(long nanos) {
		NAPPING.incrementAndGet(this);
		try {
			LockSupport.parkNanos(this, Math.max(nanos, this.napping * NAP_BETWEEN_TWO));
		}
		finally {
			NAPPING.decrementAndGet(this);
		}
	}

	/**
	 * Release the lock.
	 * @throws IllegalMonitorStateException if the calling thread does not own it
	 */
	public void unlock() {
		if (this.owner != Thread.currentThread()) {
			throw new IllegalMonitorStateException("This thread does not have the lock");
		}
		this.owner = null;
	}

}
