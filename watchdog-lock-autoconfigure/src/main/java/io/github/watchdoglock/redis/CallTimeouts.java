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
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Ends calls that have no reply in time. While there are such calls, a thread looks at
 * all of them in each tick, so a timeout is late by a tick at most. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class CallTimeouts implements Runnable, AutoCloseable {

	private static final int TICK_MILLIS = 10;

	/* This thread also ends waits of callers that keep all processors busy. */
	private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1,
			new DefaultThreadFactory("watchdog-lock-redis-timeouts", true, Thread.MAX_PRIORITY),
			new ThreadPoolExecutor.DiscardPolicy());

	private final Queue<ScriptCall<?>> calls = new ConcurrentLinkedQueue<>();

	/** Whether the next tick is scheduled. */
	private final AtomicBoolean ticking = new AtomicBoolean();

	/* Otherwise the first command would have to wait until the thread has started. */
	void start() {
		this.thread.prestartCoreThread();
	}

	/* End a call if it is not done at its deadline. */
	void add(ScriptCall<?> call) {
		this.calls.add(call);
		tick();
	}

	private void tick() {
		if (!this.ticking.get() && this.ticking.compareAndSet(false, true)) {
			this.thread.schedule(this, TICK_MILLIS, TimeUnit.MILLISECONDS);
		}
		// Closed before or after the call was added: one of both sees it.
		if (this.thread.isShutdown()) {
			failAll();
		}
	}

	@Override
	public void run() {
		try {
			long now = System.nanoTime();
			this.calls.removeIf((call) -> call.isDone() || call.endIfOverdue(now));
		}
		finally {
			this.ticking.set(false);
			if (!this.calls.isEmpty()) {
				tick();
			}
		}
	}

	private void failAll() {
		for (ScriptCall<?> call = this.calls.poll(); call != null; call = this.calls.poll()) {
			call.fail(new IllegalStateException("closed"));
		}
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
		failAll();
	}

}
