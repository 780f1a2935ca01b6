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

import java.text.MessageFormat;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.time.Threads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The notifications of one listener, which one thread at a time delivers in order.
 * Notifications that exceed a limit are counted and dropped; the limit for losses is ten
 * times as high. Adding one never parks a thread.
 */
final class ListenerQueue {

	private static final Log logger = LogFactory.getLog(ListenerQueue.class);

	/*
	 * The notifications of a very busy instance within one second; a few megabytes at
	 * most.
	 */
	private static final int CAPACITY = 10_000;

	/* Ten times the locks of a very busy instance. */
	private static final int LOSS_CAPACITY = 100_000;

	/* The minimum time between two warnings of the same kind. */
	private static final long WARNING_INTERVAL = TimeUnit.MINUTES.toNanos(1);

	private final LockListener listener;

	/** The listener, if it selects its notifications. */
	private final @Nullable SelectiveListener selective;

	private final Threads threads;

	private final Executor executor;

	private final Queue<Consumer<LockListener>> notifications = new ConcurrentLinkedQueue<>();

	/** The number of notifications, including the one that is being delivered. */
	private final AtomicInteger size = new AtomicInteger();

	/** Whether there are notifications that no task of the executor will deliver. */
	private final AtomicBoolean stalled = new AtomicBoolean();

	/**
	 * The number of notifications that were dropped since the last warning about them.
	 */
	private final AtomicLong dropped = new AtomicLong();

	/** The earliest time of the next warning that the listener cannot keep up. */
	private final AtomicLong nextOverloadWarning;

	/** The earliest time of the next warning that the listener missed notifications. */
	private final AtomicLong nextMissedWarning;

	/* The executor calls the listener, which may occupy its threads. */
	ListenerQueue(LockListener listener, Threads threads, Executor executor) {
		this.listener = listener;
		this.selective = (listener instanceof SelectiveListener selecting) ? selecting : null;
		this.threads = threads;
		this.executor = executor;
		this.nextOverloadWarning = new AtomicLong(threads.elapsed());
		this.nextMissedWarning = new AtomicLong(threads.elapsed());
	}

	void add(Consumer<LockListener> notification) {
		add(notification, CAPACITY);
	}

	void addRoutine(Consumer<LockListener> notification) {
		if (receivesRoutine()) {
			add(notification, CAPACITY);
		}
	}

	boolean receivesRoutine() {
		return this.selective == null || this.selective.receivesRoutine();
	}

	void addSelective(Consumer<SelectiveListener> notification) {
		SelectiveListener selecting = this.selective;
		if (selecting != null && selecting.receivesRepetitions()) {
			add((listener) -> notification.accept(selecting), CAPACITY);
		}
	}

	void addLoss(Consumer<LockListener> notification) {
		add(notification, LOSS_CAPACITY);
	}

	private void add(Consumer<LockListener> notification, int capacity) {
		if (this.size.get() > capacity) {
			drop(capacity);
			return;
		}
		// Add before counting, so that the delivering thread finds as many as were
		// counted.
		this.notifications.add(notification);
		if (this.size.getAndIncrement() == 0) {
			begin();
		}
		else if (this.stalled.get()) {
			proceed();
		}
	}

	/* Deliver notifications that could not be handed over to the executor before. */
	void proceed() {
		if (this.stalled.compareAndSet(true, false)) {
			begin();
		}
	}

	private void begin() {
		try {
			this.executor.execute(this::deliver);
		}
		catch (OutOfMemoryError ex) {
			this.stalled.set(true);
		}
	}

	private void drop(int capacity) {
		this.dropped.incrementAndGet();
		String message = (capacity == LOSS_CAPACITY)
				? "The lock listener {0} does not return. {1} notifications are waiting, and further ones are dropped,"
						+ " including losses of locks"
				: "The lock listener {0} cannot keep up. {1} notifications are waiting, and further ones are dropped,"
						+ " except losses of locks";
		if (isDue(this.nextOverloadWarning)) {
			// Not on this thread, because a log may block.
			this.executor.execute(() -> warn(message, capacity));
		}
	}

	private void deliver() {
		do {
			dispatch(Objects.requireNonNull(this.notifications.poll()), this.listener);
			// An interrupt flag that the listener has set must not reach its next call.
			var unused = Thread.interrupted();
		}
		while (this.size.decrementAndGet() > 0);
		if (this.dropped.get() > 0 && isDue(this.nextMissedWarning)) {
			warn("The lock listener {0} missed {1} notifications, and receives them again", this.dropped.getAndSet(0));
		}
	}

	/* Whether a warning is due; if so, the next one is due in a minute. */
	private boolean isDue(AtomicLong at) {
		long now = this.threads.elapsed();
		long due = at.get();
		return now - due >= 0 && at.compareAndSet(due, now + WARNING_INTERVAL);
	}

	private void warn(String message, long number) {
		logger.warn(MessageFormat.format(message, this.listener.getClass().getName(), number));
	}

	static <T> void dispatch(Consumer<? super T> notification, T listener) {
		try {
			notification.accept(listener);
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	/* Throw nothing, even if the failure cannot be logged. */
	private static void failed(Throwable failure) {
		try {
			logger.warn("A lock listener failed; the lock is not affected", failure);
		}
		catch (Throwable ex) {
			// The log has failed, so the failure cannot be reported.
		}
	}

}
