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
import java.util.LinkedList;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.time.SpinLock;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * Completes users' futures, on a few daemon threads that exist while there is something
 * to complete. Never an executor of the application's: one that throws, blocks or lets
 * the caller run would stop an I/O thread or the watchdog, and one whose threads wait for
 * these very futures would never come to complete them. Where these threads wait for
 * others of the futures there are more of them, for as long as that lasts. What the
 * engine itself leaves to be done has others, so that it never waits behind what users
 * do.
 */
final class Completions implements Executor {

	private static final Logger logger = System.getLogger(Completions.class.getName());

	/*
	 * What depends on the futures is short; what blocks belongs on the user's executor.
	 */
	static final int USUAL_THREADS = 8;

	/* So long all threads may wait before there are more, or one may not be had. */
	private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(20);

	/*
	 * Threads that run for so long may wait too, for what the JVM does not know: it calls
	 * one runnable that reads from a socket.
	 */
	private static final int FEW_LOOKS = 3;

	private static final int MOST_AT_ONCE = 64;

	/* More frames than there are between a lock and its end. */
	private static final int ROOM = 64;

	private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

	private final Threads threads;

	private final String name;

	/* For users, once there are more threads than usual. */
	private final String warning;

	private final TimerWheel.Alarm alarm = new TimerWheel.Alarm() {

		@Override
		public void proceed(long now) {
			look();
		}

	};

	private @Nullable Watchdog watchdog;

	/* Who has it begins no thread, and calls nobody. */
	private final SpinLock lock = SpinLock.innermost();

	/* The rest is guarded by the lock. */
	/* Not an ArrayDeque: out of memory, that has what it could not take. */
	@SuppressWarnings("JdkObsolete")
	private final Queue<Runnable> tasks = new LinkedList<>();

	private final Workers workers;

	/** As many threads as there are to be, begun one by the other. */
	private int target;

	/** Whether somebody will look in a while whether tasks wait. */
	private boolean awaited;

	/** Whether a task was begun since somebody looked, and how often none was. */
	private boolean begun;

	private int looks;

	/** How often somebody has looked. */
	private long turn;

	private boolean grown;

	private boolean closed;

	Completions(Threads threads) {
		this(threads, "watchdog-lock-completions",
				"All {0} threads that complete the futures of locks wait in what the application does when one is"
						+ " complete; there are {1} now, and will be more while others wait too. What waits belongs on"
						+ " an executor of the application''s own: use thenApplyAsync, whenCompleteAsync and the like"
						+ " with one");
	}

	private Completions(Threads threads, String name, String warning) {
		this.threads = threads;
		this.name = name;
		this.warning = warning;
		this.workers = new Workers(threads, logger);
	}

	/* One for other tasks, which never wait behind those of this one. */
	Completions other(String name, String warning) {
		return new Completions(this.threads, name, warning);
	}

	/* From now on its wheel tells when to look for tasks that wait. */
	void lookedAfterBy(Watchdog watchdog) {
		this.watchdog = watchdog;
	}

	/*
	 * The threads end with what there is to complete; what comes later is completed too.
	 */
	void close() {
		Workers.@Nullable Worker waiting;
		this.lock.lock();
		try {
			this.closed = true;
			waiting = this.workers.callAll();
		}
		finally {
			this.lock.unlock();
		}
		for (Workers.Worker worker = waiting; worker != null; worker = worker.below) {
			unpark(worker);
		}
	}

	/*
	 * Throws where there is no memory to remember the task, which then is the caller's as
	 * before; never for want of a thread.
	 */
	@Override
	public void execute(Runnable task) {
		ensureRoom(ROOM);
		// First who looks for it: nothing that fails later loses it.
		while (!offer(task)) {
			await();
		}
	}

	/* Answers false where nobody would look for it: then it is not there. */
	private boolean offer(Runnable task) {
		Workers.@Nullable Worker called;
		this.lock.lock();
		try {
			if (!this.workers.anyIdle() && !this.awaited) {
				return false;
			}
			this.tasks.add(task);
			called = this.workers.call();
		}
		finally {
			this.lock.unlock();
		}
		try {
			call(called, task);
		}
		catch (Throwable ex) {
			// Who gets it may hand the task in again.
			if (isTakenBack(task)) {
				throw ex;
			}
		}
		return true;
	}

	private void call(Workers.@Nullable Worker called, Runnable task) {
		if (called != null) {
			unpark(called);
		}
		else {
			tryToStart(USUAL_THREADS);
			if (isForsaken(task)) {
				boolean interrupted = Thread.interrupted();
				this.workers.run(task);
				if (interrupted) {
					Thread.currentThread().interrupt();
				}
			}
		}
	}

	private boolean isTakenBack(Runnable task) {
		this.lock.lock();
		try {
			return this.tasks.remove(task);
		}
		finally {
			this.lock.unlock();
		}
	}

	/* Without a thread, and a watchdog that would have one soon; it is nobody's then. */
	private boolean isForsaken(Runnable task) {
		this.lock.lock();
		try {
			return this.workers.size() == 0 && !isLookedAfter() && this.tasks.remove(task);
		}
		finally {
			this.lock.unlock();
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

	private void unpark(Workers.Worker worker) {
		Thread thread = worker.thread;
		if (thread != null) {
			this.threads.unpark(thread);
		}
	}

	/* Have the watchdog look in a while, unless it will. */
	private void await() {
		boolean awaited = false;
		while (!awaited) {
			long seen;
			this.lock.lock();
			try {
				if (this.awaited) {
					return;
				}
				seen = this.turn;
			}
			finally {
				this.lock.unlock();
			}
			if (this.watchdog != null) {
				this.watchdog.setIn(this.alarm, PATIENCE);
			}
			this.lock.lock();
			try {
				// Guard against a look that has come by now.
				awaited = seen == this.turn;
				if (awaited && !this.awaited) {
					this.awaited = true;
					this.begun = false;
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/* Have more threads where none begins a task. */
	private void look() {
		this.lock.lock();
		try {
			this.awaited = false;
			this.turn++;
			this.target = 0;
			if (this.tasks.isEmpty()) {
				this.looks = 0;
				return;
			}
			this.looks = this.begun ? 0 : this.looks + 1;
			this.begun = false;
			this.target = this.workers.size() + Math.min(missing(), this.tasks.size());
		}
		finally {
			this.lock.unlock();
		}
		await();
		// The watchdog has other things to do than to start all of them.
		tryToStart();
	}

	/*
	 * Who only seems to run may compute as well: then more threads are of no use, and
	 * they come the more slowly the more there are.
	 */
	private int missing() {
		int more = USUAL_THREADS - this.workers.size();
		if (more > 0 || this.looks == 0) {
			return more;
		}
		if (this.workers.allWait()) {
			more = Math.min(this.workers.size() / 2, MOST_AT_ONCE);
		}
		else if (this.looks >= FEW_LOOKS) {
			more = USUAL_THREADS;
		}
		else {
			return 0;
		}
		this.looks = 0;
		return more;
	}

	private void tryToStart() {
		int target;
		this.lock.lock();
		try {
			target = this.target;
		}
		finally {
			this.lock.unlock();
		}
		tryToStart(target);
	}

	/*
	 * Begin a thread where there are fewer, and something to do. Not under the lock: it
	 * takes as long as the machine needs to run it.
	 */
	private void tryToStart(int most) {
		Worker worker = null;
		try {
			worker = new Worker();
			this.lock.lock();
			try {
				if (this.workers.size() >= most || this.tasks.isEmpty()) {
					return;
				}
				this.workers.add(worker);
			}
			finally {
				this.lock.unlock();
			}
			worker.thread = this.threads.start(this.name, worker);
		}
		catch (Throwable ex) {
			// Somebody will look, and try again; a claim that is not given back would
			// count as a thread.
			for (int left = 2; worker != null && left > 0; left--) {
				try {
					left(worker);
					left = 0;
				}
				catch (Throwable again) {
					// There may be room next time.
				}
			}
		}
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
					patient = false;
				}
				if (!patient || this.closed || this.workers.size() > USUAL_THREADS) {
					this.workers.remove(worker);
					return null;
				}
				this.workers.beIdle(worker);
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

	/* Once: whose work it is waits again. */
	private void warnIfGrown() {
		int now;
		this.lock.lock();
		try {
			if (this.grown || this.workers.size() <= USUAL_THREADS) {
				return;
			}
			this.grown = true;
			now = this.workers.size();
		}
		finally {
			this.lock.unlock();
		}
		logger.log(Level.WARNING, this.warning, USUAL_THREADS, now);
	}

	/* Whatever has ended its thread. */
	private void left(Worker worker) {
		boolean wanted;
		this.lock.lock();
		try {
			this.workers.remove(worker);
			wanted = !this.tasks.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
		if (wanted) {
			await();
		}
	}

	/**
	 * A thread that runs tasks.
	 */
	private final class Worker extends Workers.Worker {

		@Override
		public void run() {
			try {
				if (this.thread == null) {
					// Who has begun it does not know it yet.
					this.thread = Thread.currentThread();
				}
				tryToStart();
				Completions.this.workers.run(Completions.this::warnIfGrown);
				Runnable task = next(this);
				while (task != null) {
					// Nobody else has it: what fails before it begins is begun again.
					for (int left = Workers.MOST_TRIES; left > 0; left--) {
						try {
							Completions.this.workers.run(task);
							left = 0;
						}
						catch (VirtualMachineError | LinkageError ex) {
							// What it lacks may be there next time.
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
