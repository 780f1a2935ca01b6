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

package io.github.watchdoglock.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.github.watchdoglock.time.Threads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Ends calls that have no reply in time. While there are such calls, a thread looks at
 * all of them in each tick, so a timeout is late by a tick at most. Calls are added
 * within tasks of keys, so adding one never waits for this thread, as it would for the
 * lock of an executor's queue. Thread-safe.
 */
final class CallTimeouts implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(CallTimeouts.class);

	private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);

	private final Queue<ScriptCall<?>> calls = new ConcurrentLinkedQueue<>();

	private final Thread thread = Threads.create("watchdog-lock-redis-timeouts", this::run);

	private final AtomicBoolean started = new AtomicBoolean();

	/** Whether the thread waits for a call. */
	private volatile boolean asleep;

	private volatile boolean closed;

	/* Otherwise the first command would have to wait until the thread has started. */
	void start() {
		if (!this.started.get() && this.started.compareAndSet(false, true)) {
			try {
				this.thread.start();
			}
			catch (OutOfMemoryError ex) {
				// No thread can be created now: the next call tries again.
				this.started.set(false);
				throw ex;
			}
		}
	}

	/* End a call if it is not done at its deadline. */
	void add(ScriptCall<?> call) {
		this.calls.add(call);
		start();
		if (this.asleep) {
			this.asleep = false;
			LockSupport.unpark(this.thread);
		}
		// Closed before or after the call was added: one of both sees it.
		if (this.closed) {
			failAll();
		}
	}

	// This thread also ends waits of callers that keep all processors busy.
	@SuppressWarnings("ThreadPriorityCheck")
	private void run() {
		Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
		while (!this.closed) {
			if (this.calls.isEmpty()) {
				sleep();
			}
			else {
				LockSupport.parkNanos(this, TICK);
				endOverdue();
			}
			// With an interrupt flag, it would not park.
			var unused = Thread.interrupted();
		}
	}

	private void sleep() {
		this.asleep = true;
		// A call that was added before has not woken the thread.
		if (this.calls.isEmpty() && !this.closed) {
			LockSupport.park(this);
		}
		this.asleep = false;
	}

	private void endOverdue() {
		try {
			long now = System.nanoTime();
			this.calls.removeIf((call) -> call.isDone() || call.endIfOverdue(now));
		}
		catch (Throwable ex) {
			logger.error("The end of a call without a response failed; the next tick tries again", ex);
		}
	}

	private void failAll() {
		for (ScriptCall<?> call = this.calls.poll(); call != null; call = this.calls.poll()) {
			call.fail(new IllegalStateException("closed"));
		}
	}

	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
		failAll();
	}

}
