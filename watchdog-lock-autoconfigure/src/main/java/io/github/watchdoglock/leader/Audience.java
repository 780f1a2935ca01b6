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

package io.github.watchdoglock.leader;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.watchdoglock.LeaderListener;
import org.jspecify.annotations.Nullable;

/**
 * The notifications of one listener, which a thread delivers in order. The thread exists
 * while there are any. Adding one neither blocks nor throws. Thread-safe.
 */
final class Audience {

	private static final Logger logger = System.getLogger(Audience.class.getName());

	private static final String THREAD = "watchdog-lock-leader-listener";

	/* A listener that misses some has not returned for as many terms. */
	private static final int CAPACITY = 10_000;

	private final LeaderListener listener;

	private final Surroundings around;

	private final SerialTasks notifications = new SerialTasks(this::start, (failure) -> {
	});

	/** Since the listener returned last. */
	private final AtomicInteger dropped = new AtomicInteger();

	/** While the listener is being notified. */
	private volatile @Nullable Thread thread;

	Audience(LeaderListener listener, Surroundings around) {
		this.listener = listener;
		this.around = around;
	}

	/**
	 * Add a notification.
	 * @param notification calls the listener
	 * @param done run when the listener has returned, or misses the notification; must
	 * not block
	 */
	void add(Consumer<LeaderListener> notification, Runnable done) {
		if (this.notifications.size() >= CAPACITY) {
			if (this.dropped.getAndIncrement() == 0) {
				warn(" does not return, and misses even the ends of terms: " + CAPACITY + " notifications are waiting",
						null);
			}
			done.run();
			return;
		}
		this.notifications.execute(() -> {
			try {
				call(notification);
			}
			finally {
				done.run();
			}
			if (this.notifications.size() == 1 && this.dropped.get() > 0) {
				warn(" missed " + this.dropped.getAndSet(0) + " notifications, and receives them again", null);
			}
		});
	}

	/* If no thread can be started, it is tried again. */
	private void start(Runnable calls) {
		try {
			this.around.threads().start(THREAD, calls);
		}
		catch (OutOfMemoryError ex) {
			this.around.delays().after(SystemDelays.AGAIN, () -> start(calls));
		}
	}

	private void call(Consumer<LeaderListener> notification) {
		this.thread = Thread.currentThread();
		try {
			Thread.currentThread().setContextClassLoader(this.around.classes());
			notification.accept(this.listener);
		}
		catch (Throwable ex) {
			warn(" failed; the term is not affected", ex);
		}
		finally {
			this.thread = null;
			// An interrupt by the listener must not reach its next call.
			var unused = Thread.interrupted();
		}
	}

	private void warn(String text, @Nullable Throwable thrown) {
		this.around.log(logger, Level.WARNING, () -> "The leader listener " + this.listener.getClass().getName() + text,
				thrown);
	}

	/* Whether a thread is notifying the listener at this moment. */
	boolean isOf(Thread thread) {
		return this.thread == thread;
	}

	List<String> stack() {
		return PartThread.stack(this.thread);
	}

	@Override
	public String toString() {
		return "its listener " + this.listener.getClass().getName();
	}

}
