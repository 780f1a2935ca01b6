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
import java.util.function.Predicate;

import io.github.watchdoglock.redis.connection.BackgroundLog;
import io.github.watchdoglock.time.Threads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Ends calls that have no reply in time. While there are such calls, a thread looks at
 * all of them in each tick, so a timeout is late by a tick at most. Calls are added
 * within tasks of keys: once the thread has started, adding one never waits for it, as it
 * would for the lock of an executor's queue. Thread-safe.
 */
final class CallTimeouts implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(CallTimeouts.class);

	private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);

	private final Queue<ScriptCall<?>> calls = new ConcurrentLinkedQueue<>();

	private final Predicate<ScriptCall<?>> over = this::isOver;

	private final Thread thread = Threads.create("watchdog-lock-redis-timeouts", this::run);

	private final AtomicBoolean started = new AtomicBoolean();

	/** Whether the thread waits for a call; written by that thread only. */
	private volatile boolean asleep;

	private volatile boolean closed;

	/* Otherwise the first command would have to wait until the thread has started. */
	void start() {
		if (!this.started.get() && this.started.compareAndSet(false, true)) {
			try {
				this.thread.start();
			}
			catch (Throwable ex) {
				// No thread can be created now: the next call tries again.
				this.started.set(false);
				throw ex;
			}
		}
	}

	/* End a call if it is not done at its deadline. */
	void add(ScriptCall<?> call) {
		this.calls.add(call);
		if (!this.closed) {
			start();
			if (this.asleep) {
				LockSupport.unpark(this.thread);
			}
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
				this.calls.removeIf(this.over);
			}
			// With an interrupt flag, it would not park.
			var unused = Thread.interrupted();
		}
	}

	private void sleep() {
		this.asleep = true;
		// A call that was added before has not woken the thread.
		if (this.calls.isEmpty()) {
			LockSupport.park(this);
		}
		this.asleep = false;
	}

	/* Never throws, because the thread and the calls behind this one have to go on. */
	private boolean isOver(ScriptCall<?> call) {
		try {
			return call.isDone() || call.endIfOverdue(System.nanoTime());
		}
		catch (Throwable ex) {
			BackgroundLog.log(() -> logger.error("A call could not be ended: the next tick tries again", ex));
			return false;
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
