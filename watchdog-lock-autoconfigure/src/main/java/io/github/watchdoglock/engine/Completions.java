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
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * Completes users' futures, on a few daemon threads that exist while there is something
 * to complete. Never an executor of the application's: one that throws, blocks or lets
 * the caller run would stop an I/O thread or the watchdog, and one whose threads wait for
 * these very futures would never come to complete them. Where these threads wait for
 * others of the futures there are more of them, for as long as that lasts.
 */
final class Completions implements Executor {

	private static final Logger logger = System.getLogger(Completions.class.getName());

	private static final String NAME = "watchdog-lock-completions";

	/*
	 * What depends on the futures is short; what blocks belongs on the user's executor.
	 */
	static final int USUAL_THREADS = 8;

	/* So long all threads may wait before there are more, or one may not be had. */
	private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(20);

	/* Threads that run for so long may wait too, for what the JVM does not know. */
	private static final int MANY_LOOKS = 50;

	/* The watchdog has other things to do than to start threads. */
	private static final int MOST_AT_ONCE = 64;

	/* More frames than there are between a lock and its end. */
	private static final int ROOM = 64;

	/* Two seconds' worth; what fails for longer always fails. */
	private static final int MOST_TRIES = 100;

	private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

	private final Threads threads;

	private final TimerWheel.Alarm alarm = new TimerWheel.Alarm() {

		@Override
		public void proceed(long now) {
			look();
		}

	};

	private @Nullable Watchdog watchdog;

	private final ReentrantLock lock = new ReentrantLock();

	/* The rest is guarded by the lock. */
	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private @Nullable Worker workers;

	private int size;

	/** Those that wait for a task, the last one first. */
	private @Nullable Worker idle;

	/** Whether somebody will look in a while whether tasks wait. */
	private boolean awaited;

	/** Whether a task was begun since somebody looked, and how often none was. */
	private boolean begun;

	private int looks;

	private boolean grown;

	private boolean closed;

	Completions(Threads threads) {
		this.threads = threads;
	}

	/* From now on its wheel tells when to look for tasks that wait. */
	void lookedAfterBy(Watchdog watchdog) {
		this.watchdog = watchdog;
	}

	/*
	 * The threads end with what there is to complete; what comes later is completed too.
	 */
	void close() {
		Worker waiting;
		this.lock.lock();
		try {
			this.closed = true;
			waiting = this.idle;
			this.idle = null;
			for (Worker worker = waiting; worker != null; worker = worker.below) {
				worker.idle = false;
			}
		}
		finally {
			this.lock.unlock();
		}
		for (Worker worker = waiting; worker != null; worker = worker.below) {
			unpark(worker);
		}
	}

	/*
	 * Throws where there is no memory to remember the task, which then is the caller's as
	 * before; never for want of a thread.
	 */
	@Override
	public void execute(Runnable task) {
		Worker called;
		boolean forsaken = false;
		ensureRoom(ROOM);
		this.lock.lock();
		try {
			// First who looks for it: nothing that fails later loses it.
			if (this.idle == null) {
				await();
			}
			this.tasks.add(task);
			called = this.idle;
			if (called != null) {
				this.idle = called.below;
				called.idle = false;
			}
			else if (this.size < USUAL_THREADS) {
				// Without a thread, and a watchdog that would have one soon.
				forsaken = !tryToStart() && this.size == 0 && !isLookedAfter() && this.tasks.remove(task);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (called != null) {
			unpark(called);
		}
		else if (forsaken) {
			boolean interrupted = Thread.interrupted();
			run(task);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private boolean isLookedAfter() {
		return this.watchdog == null || this.watchdog.isThere();
	}

	/*
	 * Guard against a stack that overflows in what gives the lock back: nobody would ever
	 * have it again. Here it overflows before anything has happened.
	 */
	private static int ensureRoom(int frames) {
		return (frames == 0) ? 0 : 1 + ensureRoom(frames - 1);
	}

	private void unpark(Worker worker) {
		Thread thread = worker.thread;
		if (thread != null) {
			this.threads.unpark(thread);
		}
	}

	/* Have the watchdog look in a while, unless it will. */
	private void await() {
		if (!this.awaited) {
			if (this.watchdog != null) {
				this.watchdog.setIn(this.alarm, PATIENCE);
			}
			this.awaited = true;
			this.begun = false;
		}
	}

	/* Have more threads where none begins a task. */
	private void look() {
		this.lock.lock();
		try {
			this.awaited = false;
			if (this.tasks.isEmpty()) {
				this.looks = 0;
				return;
			}
			this.looks = this.begun ? 0 : this.looks + 1;
			this.begun = false;
			int more = USUAL_THREADS - this.size;
			if (more <= 0 && ((this.looks > 0 && allWait()) || this.looks >= MANY_LOOKS)) {
				more = Math.min(this.size / 2, MOST_AT_ONCE);
				this.looks = 0;
			}
			more = Math.min(more, this.tasks.size());
			while (more > 0 && tryToStart()) {
				more--;
			}
			await();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean allWait() {
		for (Worker worker = this.workers; worker != null; worker = worker.next) {
			Thread thread = worker.thread;
			if (thread == null || !this.threads.waits(thread)) {
				return false;
			}
		}
		return true;
	}

	/* Counted when it is there: nothing comes between. */
	private boolean tryToStart() {
		try {
			Worker worker = new Worker();
			worker.thread = this.threads.start(NAME, worker);
			worker.next = this.workers;
			if (worker.next != null) {
				worker.next.previous = worker;
			}
			this.workers = worker;
			this.size++;
			return true;
		}
		catch (Throwable ex) {
			// Somebody will look, and try again.
			return false;
		}
	}

	private void forget(Worker worker) {
		worker.gone = true;
		if (worker.previous != null) {
			worker.previous.next = worker.next;
		}
		else {
			this.workers = worker.next;
		}
		if (worker.next != null) {
			worker.next.previous = worker.previous;
		}
		this.size--;
	}

	/* The next task; null where a thread is to end. */
	private @Nullable Runnable next(Worker worker) {
		boolean patient = true;
		while (true) {
			this.lock.lock();
			try {
				Runnable task = this.tasks.poll();
				if (task != null) {
					this.begun = true;
					return task;
				}
				if (worker.idle) {
					// Nobody has called it in all the time.
					leaveIdle(worker);
					patient = false;
				}
				if (!patient || this.closed || this.size > USUAL_THREADS) {
					forget(worker);
					return null;
				}
				worker.idle = true;
				worker.below = this.idle;
				this.idle = worker;
			}
			finally {
				this.lock.unlock();
			}
			rest(worker);
		}
	}

	private void rest(Worker worker) {
		long end = this.threads.elapsed() + IDLE;
		long left = IDLE;
		while (worker.idle && left > 0) {
			// Left by a user's code, it would have this spin.
			var unused = Thread.interrupted();
			this.threads.park(this, left);
			left = end - this.threads.elapsed();
		}
	}

	private void leaveIdle(Worker worker) {
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

	/* Once: whose work it is waits again. */
	private void warnIfGrown() {
		int now;
		this.lock.lock();
		try {
			if (this.grown || this.size <= USUAL_THREADS) {
				return;
			}
			this.grown = true;
			now = this.size;
		}
		finally {
			this.lock.unlock();
		}
		logger.log(Level.WARNING,
				"All {0} threads that complete the futures of locks wait in what the application does when one is"
						+ " complete; there are {1} now, and will be more while others wait too. What waits belongs on"
						+ " an executor of the application''s own: use thenApplyAsync, whenCompleteAsync and the like"
						+ " with one",
				USUAL_THREADS, now);
	}

	/*
	 * What users' code throws, futures catch. What is short of memory or stack is done
	 * again: somebody waits for it.
	 */
	private void run(Runnable task) {
		for (int tries = 1; true; tries++) {
			try {
				task.run();
				return;
			}
			catch (Throwable ex) {
				if (!(ex instanceof VirtualMachineError) || tries == MOST_TRIES) {
					log(ex);
					return;
				}
			}
			// Left by a user's code, it would have this spin.
			var unused = Thread.interrupted();
			this.threads.park(this, PATIENCE);
		}
	}

	/* Not even what fails while it is logged ends a thread. */
	private static void log(Throwable failure) {
		try {
			logger.log(Level.ERROR, "What follows the completion of a lock's future failed; the others go on", failure);
		}
		catch (Throwable ex) {
			// The other tasks are those of other callers.
		}
	}

	/* Whatever has ended its thread. */
	private void left(Worker worker) {
		this.lock.lock();
		try {
			if (worker.idle) {
				leaveIdle(worker);
			}
			if (!worker.gone) {
				forget(worker);
			}
			if (!this.tasks.isEmpty()) {
				await();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A thread that runs tasks.
	 */
	private final class Worker implements Runnable {

		/** Written when it is begun, by whom; read under the lock. */
		private @Nullable Thread thread;

		private @Nullable Worker previous;

		private @Nullable Worker next;

		/** The one that has waited for longer. */
		private @Nullable Worker below;

		private boolean gone;

		/** Whether it waits, and nobody has called it; written under the lock. */
		private volatile boolean idle;

		@Override
		public void run() {
			try {
				Completions.this.run(Completions.this::warnIfGrown);
				Runnable task = next(this);
				while (task != null) {
					// Nobody else has it: what fails before it begins is begun again.
					for (int left = MOST_TRIES; left > 0; left--) {
						try {
							Completions.this.run(task);
							left = 0;
						}
						catch (VirtualMachineError ex) {
							// Some memory may be there next time.
						}
					}
					// What a user's code has left is not for the next one.
					var unused = Thread.interrupted();
					task = next(this);
				}
			}
			finally {
				left(this);
			}
		}

	}

}
