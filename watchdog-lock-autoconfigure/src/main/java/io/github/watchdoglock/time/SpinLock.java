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
 * A lock for moments in which nothing waits. There is no queue: whoever finds it taken
 * tries again, and gets it when it is free. Where each in a queue is a virtual thread,
 * the next one runs only after all others have run, and the watchdog is the last of them.
 * The more threads try, the more seldom each of them does, but for those whose priority
 * is above the normal one. Thread-safe; not reentrant.
 */
public final class SpinLock {

	/* Some microseconds: whoever has it for longer has lost the processor. */
	private static final int SPINS = 200;

	/*
	 * 10,000 threads that looked each millisecond left no processor to the one that has
	 * it.
	 */
	private static final long NAP_BETWEEN_TWO = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long LONGEST_NAP_OF_ONE = TimeUnit.MILLISECONDS.toNanos(1);

	private static final AtomicReferenceFieldUpdater<SpinLock, @Nullable Thread> OWNER = AtomicReferenceFieldUpdater
		.newUpdater(SpinLock.class, Thread.class, "owner");

	private static final AtomicIntegerFieldUpdater<SpinLock> NAPPING = AtomicIntegerFieldUpdater
		.newUpdater(SpinLock.class, "napping");

	private volatile @Nullable Thread owner;

	private volatile int napping;

	/**
	 * Take it.
	 * @throws IllegalStateException if the calling thread has it
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
		int spins = 0;
		long nap = NAP_BETWEEN_TWO;
		do {
			if (spins < SPINS) {
				spins++;
				Thread.onSpinWait();
			}
			else if (thread.getPriority() > Thread.NORM_PRIORITY) {
				LockSupport.parkNanos(this, NAP_BETWEEN_TWO);
			}
			else {
				nap(nap);
				nap = Math.min(2 * nap, LONGEST_NAP_OF_ONE);
			}
		}
		while (this.owner != null || !OWNER.compareAndSet(this, null, thread));
	}

	/* Nothing is counted once it is taken: what fails then would leave it taken. */
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
	 * Give it back.
	 * @throws IllegalMonitorStateException if the calling thread does not have it
	 */
	public void unlock() {
		if (this.owner != Thread.currentThread()) {
			throw new IllegalMonitorStateException("This thread does not have the lock");
		}
		this.owner = null;
	}

}
