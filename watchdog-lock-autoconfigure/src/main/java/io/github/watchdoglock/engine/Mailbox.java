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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Serial execution of the tasks of one key. Tasks run one after the other, in the order
 * in which they were enqueued, on whichever thread finds the mailbox idle. No thread
 * waits for another one.
 * <p>
 * It is idle, or a thread runs it, or it is stalled: its thread has failed, and the
 * watchdog continues it. One word ({@code head}) says whether it is idle, running without
 * further tasks, or which task was enqueued last, in a list (a stack as Treiber's, 1986,
 * which the running thread takes as a whole and reverses). So an uncontended task costs
 * three atomic operations.
 * <p>
 * A thread that has run its share of tasks passes the rest to a pool. Threads of waiters
 * are woken between tasks, in the order of their outcomes. Thread-safe.
 */
final class Mailbox implements Runnable {

	/* The number of tasks in a row on a caller's thread or a pool thread. */
	static final int MAX_TASKS = 256;

	/* The same on the watchdog's thread or an I/O thread, which have other work. */
	static final int MAX_BRIEF_TASKS = 16;

	private static final Task IDLE = new Marker();

	private static final Task RUNNING = new Marker();

	private static final AtomicReferenceFieldUpdater<Mailbox, Task> HEAD = AtomicReferenceFieldUpdater
		.newUpdater(Mailbox.class, Task.class, "head");

	private static final AtomicReferenceFieldUpdater<Mailbox, @Nullable Waiter> UNNOTIFIED = AtomicReferenceFieldUpdater
		.newUpdater(Mailbox.class, Waiter.class, "unnotified");

	private static final AtomicIntegerFieldUpdater<Mailbox> WAKING = AtomicIntegerFieldUpdater.newUpdater(Mailbox.class,
			"waking");

	/**
	 * Threads that run tasks and were interrupted before, so that their flag is hidden.
	 */
	private static final Set<Thread> HIDDEN = ConcurrentHashMap.newKeySet();

	private final Owner owner;

	/*
	 * A marker, or the task that was enqueued last, in a list that ends with the first
	 * one.
	 */
	private volatile Task head = IDLE;

	/** Whether the owner's processDue() has to be called before the next task. */
	private volatile boolean checkRequested;

	/**
	 * Whether it is marked as running but no thread runs it: the watchdog continues it.
	 */
	private volatile boolean stalled;

	/** Waiters that have an outcome and must be unparked, the last one first. */
	private volatile @Nullable Waiter unnotified;

	/** 1 while a thread unparks these waiters. Other threads only add waiters. */
	private volatile int waking;

	/* The following fields belong to the thread that runs the tasks. */
	private @Nullable Task pending;

	/** The running task; it remains here if not even its failure could be handled. */
	private @Nullable Task current;

	/** The failure because of which its thread has not ended that task. */
	private volatile @Nullable Throwable stallCause;

	/** Waiters with an outcome, whose threads continue when no task runs. */
	private @Nullable Waiter woken;

	/** Whether the running thread is the watchdog, or an I/O thread. */
	private boolean borrowed;

	Mailbox(Owner owner) {
		this.owner = owner;
	}

	/*
	 * Run a task now, or after the tasks that are enqueued. A task must not be enqueued
	 * twice at the same time.
	 */
	void execute(Task task) {
		enqueue(task, false);
	}

	/* The same on the watchdog's thread, or an I/O thread. */
	void executeBriefly(Task task) {
		enqueue(task, true);
	}

	/* Cause a call of the owner's processDue(). Allocates nothing. */
	void requestCheck() {
		this.checkRequested = true;
		enqueue(null, true);
	}

	/* Without a task, an idle mailbox begins to run. */
	private void enqueue(@Nullable Task task, boolean borrowed) {
		Task before;
		do {
			before = this.head;
			if (task != null) {
				task.next = (before == IDLE || before == RUNNING) ? null : before;
			}
			else if (before != IDLE) {
				return;
			}
		}
		while (!HEAD.compareAndSet(this, before, (task != null) ? task : RUNNING));
		if (before == IDLE) {
			this.borrowed = borrowed;
			try {
				this.owner.threads().proceed(this);
			}
			catch (Throwable ex) {
				stall(ex);
			}
		}
	}

	/*
	 * Called by the watchdog: continue after a failure, or cause a call of the owner's
	 * processDue().
	 */
	void resume() {
		if (this.stalled) {
			this.stalled = false;
			this.borrowed = true;
			try {
				run();
			}
			catch (Throwable ex) {
				stall(ex);
			}
		}
		else {
			requestCheck();
		}
	}

	private void stall(Throwable cause) {
		this.stallCause = cause;
		this.checkRequested = true;
		this.stalled = true;
		this.owner.callWatchdog();
	}

	/** Run the enqueued tasks. Tasks do not see the interrupt flag of their thread. */
	@Override
	public void run() {
		Thread thread = Thread.currentThread();
		boolean interrupted = thread.isInterrupted();
		if (interrupted) {
			HIDDEN.add(thread);
			interrupted = Thread.interrupted();
		}
		try {
			try {
				drain();
			}
			catch (Throwable ex) {
				stall(ex);
			}
			// Another thread may run tasks by now.
			try {
				wake();
			}
			catch (Throwable ex) {
				wakeAll();
			}
		}
		finally {
			if (interrupted) {
				thread.interrupt();
				HIDDEN.remove(thread);
			}
		}
	}

	/* Called by any thread: whether the flag of a thread is set, but hidden. */
	static boolean hidesInterrupt(Thread thread) {
		return HIDDEN.contains(thread);
	}

	private void drain() {
		int left = this.borrowed ? MAX_BRIEF_TASKS : MAX_TASKS;
		Task interrupted = this.current;
		if (interrupted != null) {
			this.owner.failed(interrupted, new IllegalStateException("A task has not ended", this.stallCause));
			this.current = null;
		}
		while (true) {
			if (this.checkRequested) {
				this.checkRequested = false;
				this.owner.processDue();
			}
			if (this.pending == null && this.head != RUNNING) {
				// Reverse the list, which begins with the last task. No call may fail
				// between removing the list and keeping it as pending.
				Task last = HEAD.getAndSet(this, RUNNING);
				Task first = null;
				while (last != null) {
					Task before = last.next;
					last.next = first;
					first = last;
					last = before;
				}
				this.pending = first;
			}
			Task task = this.pending;
			if (task == null) {
				this.owner.onIdle();
				handOver();
				// The first fails if a task has come. A check that was requested before
				// found the mailbox running: take the mailbox back for the check. If that
				// fails, another thread has it, and checks.
				if (HEAD.compareAndSet(this, RUNNING, IDLE)
						&& (!this.checkRequested || !HEAD.compareAndSet(this, IDLE, RUNNING))) {
					return;
				}
			}
			else if (left == 0) {
				this.borrowed = false;
				this.owner.settle();
				this.owner.continueElsewhere(this);
				return;
			}
			else {
				left--;
				handOver();
				wake();
				this.current = task;
				this.pending = task.next;
				task.next = null;
				try {
					task.run();
				}
				catch (Throwable ex) {
					this.owner.failed(task, ex);
				}
				this.current = null;
			}
		}
	}

	/*
	 * Called within a task: let a waiter's thread continue after the task. If the thread
	 * was woken within the task that granted it the lock, it would meet the thread that
	 * still runs the mailbox.
	 */
	void wakeAfterwards(Waiter waiter) {
		waiter.nextWoken = this.woken;
		this.woken = waiter;
	}

	/* From now on, another thread may wake these waiters. */
	private void handOver() {
		Waiter last = this.woken;
		if (last == null) {
			return;
		}
		Waiter first = last;
		while (first.nextWoken != null) {
			first = first.nextWoken;
		}
		@Nullable Waiter before;
		do {
			before = this.unnotified;
			first.nextWoken = before;
		}
		while (!UNNOTIFIED.compareAndSet(this, before, last));
		this.woken = null;
	}

	/*
	 * Called by any thread: wake waiters, unless another thread is doing so. A woken
	 * thread may preempt the waking thread, release the lock and wait again. It then
	 * leaves the next waiter to the waking thread. If it woke that waiter itself, two
	 * threads would be ready on one processor, and the kernel would move one to another
	 * processor, which takes several times as long.
	 *
	 * A thread adds waiters before it reads 'waking'; the waking thread clears 'waking'
	 * before it reads the list again. So one of the two sees the other's change.
	 */
	private void wake() {
		for (int i = 0; i < MAX_BRIEF_TASKS; i++) {
			if (this.unnotified == null || this.waking != 0 || !WAKING.compareAndSet(this, 0, 1)) {
				return;
			}
			try {
				wakeAll();
			}
			finally {
				this.waking = 0;
			}
		}
		// Other threads wake later waiters, since 'waking' is cleared.
		wakeAll();
	}

	/*
	 * Let threads continue, in the order in which their outcomes were decided. This is
	 * one method, because no call may fail before all waiters have their outcome.
	 */
	private void wakeAll() {
		Threads threads = this.owner.threads();
		Thread current = Thread.currentThread();
		@Nullable Waiter waiter = UNNOTIFIED.getAndSet(this, null);
		Waiter first = null;
		while (waiter != null) {
			Waiter before = waiter.nextWoken;
			waiter.nextWoken = first;
			first = waiter;
			waiter = before;
		}
		while (first != null) {
			Waiter next = first.nextWoken;
			first.nextWoken = null;
			Thread thread = first.thread;
			first.outcome = first.decided;
			if (thread != null && thread != current) {
				try {
					threads.unpark(thread);
				}
				catch (Throwable ex) {
					// A virtual thread cannot be scheduled: it looks for its outcome when
					// its park ends. The mailbox may belong to another thread by now.
				}
			}
			first = next;
		}
	}

	/**
	 * A task of a key. It is an element of a list while it is enqueued.
	 */
	abstract static class Task {

		private @Nullable Task next;

		abstract void run();

		/*
		 * It has failed, and the state of its key ends: fail everything that waits for
		 * it.
		 */
		void abort(Throwable cause) {
		}

	}

	private static final class Marker extends Task {

		@Override
		void run() {
			throw new IllegalStateException("A marker is not a task");
		}

	}

	/**
	 * The owner of a mailbox and its tasks. Methods are called by the thread that runs
	 * the tasks, unless they say otherwise.
	 */
	interface Owner {

		/* Called by any thread. */
		Threads threads();

		/* A task has failed. */
		void failed(Mailbox.Task task, Throwable cause);

		/*
		 * Some tasks have run, and others follow. If this throws, the watchdog continues.
		 */
		void settle();

		/* Do what is due, and complete what a failure has interrupted. */
		void processDue();

		/* No task is left. */
		void onIdle();

		/* Run the remaining tasks on another thread; throws if there is none. */
		void continueElsewhere(Runnable rest);

		/* Let the watchdog continue. Never throws. Called by any thread. */
		void callWatchdog();

	}

}
