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

package io.github.watchdoglock.listener;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.watchdoglock.LockListener;

/**
 * Calls one listener on a thread of its own, which exists while there is something to
 * tell. News that it can't keep up with are counted and dropped, losses never.
 */
final class ListenerQueue {

	private static final Logger logger = System.getLogger(ListenerQueue.class.getName());

	/* A second's worth of a very busy instance; a few megabytes at most. */
	private static final int CAPACITY = 10_000;

	private final LockListener listener;

	private final ThreadPoolExecutor thread;

	private final AtomicLong dropped = new AtomicLong();

	ListenerQueue(LockListener listener) {
		this.listener = listener;
		this.thread = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), (task) -> {
			Thread thread = new Thread(task, "watchdog-lock-listener");
			thread.setDaemon(true);
			return thread;
		});
		this.thread.allowCoreThreadTimeOut(true);
	}

	boolean hearsRoutine() {
		return !(this.listener instanceof SelectiveListener selective) || selective.hearsRoutine();
	}

	boolean hearsRepetitions() {
		return this.listener instanceof SelectiveListener selective && selective.hearsRepetitions();
	}

	void add(Consumer<LockListener> news) {
		if (this.thread.getQueue().size() < CAPACITY) {
			addAlways(news);
		}
		else if (this.dropped.getAndIncrement() == 0) {
			logger.log(Level.WARNING,
					"{0} can not keep up with the locks of this instance: news are dropped, except losses",
					this.listener.getClass().getName());
		}
	}

	void addAlways(Consumer<LockListener> news) {
		this.thread.execute(() -> guarded(() -> tell(news)));
	}

	/* Its thread ends with what there is to tell; there may be more to tell later. */
	void close() {
		this.thread.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
	}

	static void guarded(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			logger.log(Level.WARNING, "A lock listener failed; the lock is not affected", ex);
		}
	}

	private void tell(Consumer<LockListener> news) {
		long missed = this.dropped.getAndSet(0);
		if (missed > 0) {
			logger.log(Level.WARNING, "{0} missed {1} news of locks", this.listener.getClass().getName(), missed);
		}
		news.accept(this.listener);
	}

}
