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

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Ends calls that nobody has answered in time. Almost all are answered long before, so
 * they are looked through now and then while there are any, instead of an alarm set and
 * cancelled for each, under a lock that all callers share. Thread-safe.
 */
final class TimeOuts implements AutoCloseable {

	/* So much longer may a call last, of margins that are ten times as long and more. */
	private static final long INTERVAL_MILLIS = 10;

	private static final long IDLE_SECONDS = 10;

	/*
	 * The JDK's own for futures runs what users make depend on theirs, which may block.
	 */
	private final ScheduledThreadPoolExecutor thread = thread();

	/* Those that are answered leave with the next look. */
	private final Queue<ScriptCall> calls = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean looking = new AtomicBoolean();

	private volatile boolean closed;

	private static ScheduledThreadPoolExecutor thread() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("watchdog-lock-redis-time-outs-");
		threads.setDaemon(true);
		// It ends waits of callers that keep all processors busy, too.
		threads.setThreadPriority(Thread.MAX_PRIORITY);
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, threads);
		executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	void watch(ScriptCall call) {
		this.calls.add(call);
		if (this.closed) {
			end();
		}
		else if (!this.looking.get()) {
			begin();
		}
	}

	private void begin() {
		if (!this.looking.compareAndSet(false, true)) {
			return;
		}
		boolean begun = false;
		try {
			var unused = this.thread.schedule(this::look, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
			begun = true;
		}
		catch (RejectedExecutionException ex) {
			// Closed at the same moment.
			end();
		}
		finally {
			// The look may have ended by now, so this is not to say that it goes on.
			if (!begun) {
				this.looking.set(false);
			}
		}
	}

	private void look() {
		try {
			long now = System.nanoTime();
			for (Iterator<ScriptCall> calls = this.calls.iterator(); calls.hasNext();) {
				ScriptCall call = calls.next();
				boolean overdue = call.isOverdue(now);
				if (overdue || call.answer().isDone()) {
					calls.remove();
				}
				if (overdue) {
					call.timeOut();
				}
			}
		}
		finally {
			this.looking.set(false);
			if (!this.calls.isEmpty()) {
				begin();
			}
		}
	}

	/* Nobody waits for an answer that comes after the end. */
	private void end() {
		for (ScriptCall call = this.calls.poll(); call != null; call = this.calls.poll()) {
			call.answer().completeExceptionally(new IllegalStateException("closed"));
		}
	}

	/**
	 * End the calls that are under way, and those that come later at once.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.thread.shutdownNow();
		end();
	}

}
