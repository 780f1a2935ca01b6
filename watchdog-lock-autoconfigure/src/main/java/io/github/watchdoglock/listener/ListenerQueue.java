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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The notifications of one listener, which a thread of its own delivers in order. The
 * thread exists while there are any. Notifications that exceed a limit are counted and
 * dropped; the limit for losses is ten times as high. Adding one never parks a thread.
 */
final class ListenerQueue {

	private static final Logger logger = System.getLogger(ListenerQueue.class.getName());

	private static final String NAME = "watchdog-lock-listener";

	/* A second's worth of a very busy instance; a few megabytes at most. */
	private static final int CAPACITY = 10_000;

	/* All locks of a very busy instance, ten times over. */
	private static final int MOST_LOSSES = 100_000;

	private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

	/* Between two warnings of the same kind. */
	private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

	private final LockListener listener;

	/** The same listener, if it selects its notifications. */
	private final @Nullable SelectiveListener selective;

	private final Threads threads;

	private final Runnable wanted;

	private final Queue<Consumer<LockListener>> news = new ConcurrentLinkedQueue<>();

	/* The queue would count its elements each time. */
	private final AtomicInteger size = new AtomicInteger();

	/** Since the last warning that the listener missed some. */
	private final AtomicLong dropped = new AtomicLong();

	/** When a warning may follow that the listener cannot keep up. */
	private final AtomicLong beginsAt;

	/** When a warning may follow that it missed some. */
	private final AtomicLong endsAt;

	/** Whether there is a thread, or one is being started. */
	private final AtomicBoolean running = new AtomicBoolean();

	/** The thread, while it waits for notifications. */
	private volatile @Nullable Thread idle;

	private volatile boolean closed;

	/*
	 * Create for a listener. If a thread cannot be started, 'wanted' is run, and has to
	 * cause a later call of proceed().
	 */
	ListenerQueue(LockListener listener, Threads threads, Runnable wanted) {
		this.wanted = wanted;
		this.listener = listener;
		this.selective = (listener instanceof SelectiveListener selecting) ? selecting : null;
		this.threads = threads;
		this.beginsAt = new AtomicLong(threads.elapsed());
		this.endsAt = new AtomicLong(threads.elapsed());
	}

	void add(Consumer<LockListener> news) {
		add(news, CAPACITY);
	}

	void addRoutine(Consumer<LockListener> news) {
		if (this.selective == null || this.selective.hearsRoutine()) {
			add(news, CAPACITY);
		}
	}

	void addRepetition(Consumer<LockListener> news) {
		if (this.selective != null && this.selective.hearsRepetitions()) {
			add(news, CAPACITY);
		}
	}

	void addLoss(Consumer<LockListener> news) {
		add(news, MOST_LOSSES);
	}

	private void add(Consumer<LockListener> news, int capacity) {
		if (this.size.get() >= capacity) {
			drop(capacity);
			return;
		}
		this.size.incrementAndGet();
		this.news.add(news);
		proceed();
	}

	private void drop(int capacity) {
		this.dropped.incrementAndGet();
		String message = (capacity == MOST_LOSSES)
				? "The lock listener {0} does not return and misses even losses of locks: {1} notifications are waiting"
				: "The lock listener {0} cannot keep up: while {1} notifications are waiting for it, others are"
						+ " dropped, except losses";
		// On another thread, since the listener's is busy, and a log may block.
		if (isDue(this.beginsAt) && !start(() -> warn(message, capacity))) {
			this.beginsAt.set(this.threads.elapsed());
		}
	}

	/* Wake the thread, or start one if there is a notification and no thread. */
	void proceed() {
		if (!this.news.isEmpty() && this.running.compareAndSet(false, true)) {
			if (!start(this::run)) {
				this.running.set(false);
				wantThread();
			}
		}
		else {
			wake();
		}
	}

	/* Throws nothing: the notification is queued, and would be queued again. */
	private void wantThread() {
		for (int i = 0; i < 2; i++) {
			try {
				this.wanted.run();
				return;
			}
			catch (Throwable ex) {
				// An error on the way: once more, or else with the next notification.
			}
		}
	}

	private boolean start(Runnable work) {
		try {
			this.threads.start(NAME, work);
			return true;
		}
		catch (Throwable ex) {
			return false;
		}
	}

	private void wake() {
		Thread thread = this.idle;
		if (thread != null) {
			this.threads.unpark(thread);
		}
	}

	/* Its thread ends after the last notification, also if there are more later. */
	void close() {
		this.closed = true;
		wake();
	}

	private void run() {
		try {
			for (Consumer<LockListener> next = next(); next != null; next = next()) {
				tell(next, this.listener);
				// An interrupt by the listener must not reach its next call.
				var unused = Thread.interrupted();
			}
		}
		finally {
			this.running.set(false);
			// Guard against a race with a thread that saw this one running.
			proceed();
		}
	}

	private @Nullable Consumer<LockListener> next() {
		long end = this.threads.elapsed() + IDLE;
		while (true) {
			Consumer<LockListener> next = this.news.poll();
			if (next != null) {
				this.size.decrementAndGet();
				return next;
			}
			boolean missed = this.dropped.get() > 0;
			if (missed && (isDue(this.endsAt) || this.closed)) {
				warn("The lock listener {0} missed {1} notifications, and receives them again",
						this.dropped.getAndSet(0));
				continue;
			}
			long wait = (missed ? this.endsAt.get() : end) - this.threads.elapsed();
			if (this.closed || wait <= 0) {
				return null;
			}
			this.idle = Thread.currentThread();
			// Guard against a race with a thread that adds one or closes.
			if (this.news.isEmpty() && !this.closed) {
				// An interrupted thread would not park.
				var unused = Thread.interrupted();
				this.threads.park(this, wait);
			}
			this.idle = null;
		}
	}

	/* Whether a warning is due; if so, the next one is due in a minute. */
	private boolean isDue(AtomicLong at) {
		long now = this.threads.elapsed();
		long due = at.get();
		return now - due >= 0 && at.compareAndSet(due, now + QUIET);
	}

	private void warn(String message, long number) {
		logger.log(Level.WARNING, message, this.listener.getClass().getName(), number);
	}

	/* Throw nothing, even if the failure cannot be logged. */
	static <T> void tell(Consumer<? super T> news, T listener) {
		try {
			news.accept(listener);
		}
		catch (Throwable ex) {
			try {
				logger.log(Level.WARNING, "A lock listener failed; the lock is not affected", ex);
			}
			catch (Throwable again) {
				// No one is left to be notified.
			}
		}
	}

}
