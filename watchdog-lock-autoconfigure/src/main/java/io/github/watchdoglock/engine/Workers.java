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

package io.github.watchdoglock.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a pool, which of them wait for a task, and how one is run. Allocates
 * nothing. Guarded by the lock of the pool, but for {@link #run(Runnable)}.
 */
final class Workers {

	/* Two seconds' worth; what fails for longer always fails. */
	static final int MOST_TRIES = 100;

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

	private final Threads threads;

	private final Logger logger;

	private @Nullable Worker first;

	private int size;

	/** Those that wait for a task, the last one first. */
	private @Nullable Worker idle;

	Workers(Threads threads, Logger logger) {
		this.threads = threads;
		this.logger = logger;
	}

	int size() {
		return this.size;
	}

	void add(Worker worker) {
		worker.next = this.first;
		if (worker.next != null) {
			worker.next.previous = worker;
		}
		this.first = worker;
		worker.there = true;
		this.size++;
	}

	/* Unless it has gone before. */
	void remove(Worker worker) {
		if (worker.idle) {
			leaveIdle(worker);
		}
		if (!worker.there) {
			return;
		}
		worker.there = false;
		if (worker.previous != null) {
			worker.previous.next = worker.next;
		}
		else {
			this.first = worker.next;
		}
		if (worker.next != null) {
			worker.next.previous = worker.previous;
		}
		this.size--;
	}

	/* Whether all wait for something, in the midst of a task. */
	boolean allWait() {
		for (Worker worker = this.first; worker != null; worker = worker.next) {
			Thread thread = worker.thread;
			if (thread == null || !this.threads.waits(thread)) {
				return false;
			}
		}
		return true;
	}

	boolean anyIdle() {
		return this.idle != null;
	}

	void beIdle(Worker worker) {
		worker.idle = true;
		worker.below = this.idle;
		this.idle = worker;
	}

	void leaveIdle(Worker worker) {
		worker.idle = false;
		if (this.idle == worker) {
			this.idle = worker.below;
			return;
		}
		Worker above = this.idle;
		while (above != null && above.below != worker) {
			above = above.below;
		}
		if (above != null) {
			above.below = worker.below;
		}
	}

	/* The one that has waited for the shortest time is to be woken. */
	@Nullable Worker call() {
		Worker called = this.idle;
		if (called != null) {
			this.idle = called.below;
			called.idle = false;
		}
		return called;
	}

	/* All that wait are to be woken, the first one and those below it. */
	@Nullable Worker callAll() {
		Worker called = this.idle;
		this.idle = null;
		for (Worker worker = called; worker != null; worker = worker.below) {
			worker.idle = false;
		}
		return called;
	}

	/*
	 * What users' code throws, futures catch. What lacks memory, stack or a class is done
	 * again: somebody waits for it.
	 */
	void run(Runnable task) {
		for (int tries = 1; true; tries++) {
			try {
				task.run();
				return;
			}
			catch (Throwable ex) {
				if (tries == MOST_TRIES || !(ex instanceof VirtualMachineError || ex instanceof LinkageError)) {
					log(ex);
					return;
				}
			}
			// Left by a user's code, it would have this spin.
			var unused = Thread.interrupted();
			this.threads.park(this, PAUSE);
		}
	}

	/* Not even what fails while it is logged ends a thread. */
	private void log(Throwable failure) {
		try {
			this.logger.log(Level.ERROR, "What follows the completion of a lock's future failed; the others go on",
					failure);
		}
		catch (Throwable ex) {
			// The other tasks are those of other callers.
		}
	}

	/**
	 * A thread.
	 */
	abstract static class Worker implements Runnable {

		/** Written by itself, and by who begins it. */
		volatile @Nullable Thread thread;

		private @Nullable Worker previous;

		private @Nullable Worker next;

		/** The one that has waited for longer. */
		@Nullable Worker below;

		private boolean there;

		/** Whether it waits, and nobody has called it; written under the lock. */
		volatile boolean idle;

	}

}
