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

import java.text.MessageFormat;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A {@link ThreadPoolExecutor} whose core pool size grows while its tasks wait: with an
 * unbounded queue, it would never grow by itself. With a queue of another type, threads
 * started seconds late again: see {@code contributing/decisions}. Core threads do not
 * time out: with this queue and Java 17, a thread that waits with a timeout may spin.
 */
final class ThreadPool implements Pool {

	private static final Log logger = LogFactory.getLog(ThreadPool.class);

	/*
	 * Dependents of futures should be short; code that blocks belongs on an executor of
	 * the application.
	 */
	private static final int USUAL_THREADS = 8;

	/* The number of user callbacks that may wait for other futures at the same time. */
	private static final int MAX_THREADS = 1_024;

	private static final long IDLE_SECONDS = 10;

	private final ThreadPoolExecutor threads;

	private final String name;

	private final String warning;

	private final Runnable busy;

	/** Whether a check ({@link #check()}) was requested. */
	private final AtomicBoolean checkRequested = new AtomicBoolean();

	private final AtomicBoolean warned = new AtomicBoolean();

	/*
	 * The number of tasks that had been begun at the last check; used only by the thread
	 * that calls check().
	 */
	private long begun;

	// The core pool size grows instead of the maximum.
	@SuppressWarnings("ErroneousThreadPoolConstructorChecker")
	ThreadPool(String name, String warning, Runnable busy) {
		this.name = name;
		this.warning = warning;
		this.busy = busy;
		this.threads = new ThreadPoolExecutor(USUAL_THREADS, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedTransferQueue<>(), (work) -> Threads.create(name, work),
				(task, pool) -> Threads.create(name, task).start());
	}

	@Override
	public void execute(Runnable task) {
		Runnable guarded = () -> run(task);
		try {
			this.threads.execute(guarded);
		}
		catch (OutOfMemoryError ex) {
			// No thread can be created now: the watchdog tries again.
			this.threads.getQueue().add(guarded);
		}
		requestCheck();
	}

	private void requestCheck() {
		if (!this.threads.getQueue().isEmpty() && this.checkRequested.compareAndSet(false, true)) {
			try {
				this.busy.run();
			}
			catch (Throwable ex) {
				// The task is queued: the next task makes the request again.
				this.checkRequested.set(false);
			}
		}
	}

	/*
	 * A task that throws must not end its thread, because other tasks wait for that
	 * thread.
	 */
	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			logger.error("A task of the threads '" + this.name + "' failed; the others continue", ex);
		}
		// An interrupt flag that user code has left must not reach the next task.
		var unused = Thread.interrupted();
	}

	@Override
	public void check() {
		this.checkRequested.set(false);
		boolean waiting = !this.threads.getQueue().isEmpty();
		long begun = this.threads.getTaskCount() - this.threads.getQueue().size();
		try {
			resize(waiting, begun == this.begun);
		}
		catch (OutOfMemoryError ex) {
			// No thread can be created now: the next check tries again.
		}
		this.begun = begun;
		if (waiting) {
			requestCheck();
		}
	}

	private void resize(boolean waiting, boolean stuck) {
		int size = this.threads.getCorePoolSize();
		if (!waiting) {
			this.threads.setCorePoolSize(USUAL_THREADS);
		}
		else if (this.threads.getPoolSize() < size) {
			this.threads.prestartCoreThread();
		}
		else if (stuck && size < MAX_THREADS) {
			grow(Math.min(size + Math.max(size / 2, USUAL_THREADS), MAX_THREADS));
		}
	}

	private void grow(int size) {
		if (this.warned.compareAndSet(false, true)) {
			// Logged by a thread of the pool and not by the caller of look, because a log
			// may block.
			execute(() -> logger.warn(MessageFormat.format(this.warning, USUAL_THREADS, size)));
		}
		this.threads.setCorePoolSize(size);
	}

	@Override
	public void close() {
		this.threads.shutdown();
	}

}
