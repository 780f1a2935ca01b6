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

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.watchdoglock.LeaderListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The notifications of one listener, which a thread delivers in order. The thread exists
 * while there are notifications. Adding one neither blocks nor throws. Thread-safe.
 */
final class ListenerDispatcher {

	private static final Log logger = LogFactory.getLog(ListenerDispatcher.class);

	/* A listener that misses some has not returned for this many notifications. */
	private static final int CAPACITY = 10_000;

	/** The listener, as a part of each term whose end it is being notified of. */
	final TermPart part;

	private final LeaderListener listener;

	private final ElectionContext context;

	private final SerialTasks notifications;

	/** The number of dropped notifications since the listener returned last. */
	private final AtomicInteger dropped = new AtomicInteger();

	ListenerDispatcher(LeaderListener listener, ElectionContext context) {
		this.listener = listener;
		this.context = context;
		this.part = new TermPart("its listener " + listener.getClass().getName(), null, context);
		this.notifications = new SerialTasks((calls) -> context.start("watchdog-lock-leader-listener", calls),
				(failure) -> warn(" failed; the term is not affected", failure));
	}

	/**
	 * Add a notification.
	 * @param notification calls the listener
	 * @param done runs when the listener has returned, or misses the notification; must
	 * not block
	 */
	void add(Consumer<LeaderListener> notification, Runnable done) {
		if (this.notifications.size() < CAPACITY) {
			this.notifications.execute(() -> call(notification, done));
			return;
		}
		if (this.dropped.getAndIncrement() == 0) {
			warn(" does not return. " + CAPACITY + " notifications are waiting, and further ones are dropped,"
					+ " including ends of terms", null);
		}
		done.run();
	}

	private void call(Consumer<LeaderListener> notification, Runnable done) {
		if (this.notifications.size() == 1 && this.dropped.get() > 0) {
			warn(" missed " + this.dropped.getAndSet(0) + " notifications, and receives them again", null);
		}
		this.part.enter();
		try {
			Thread.currentThread().setContextClassLoader(this.context.contextClassLoader());
			notification.accept(this.listener);
		}
		finally {
			this.part.leave();
			// An interrupt by the listener must not reach its next call.
			var unused = Thread.interrupted();
			done.run();
		}
	}

	private void warn(String text, @Nullable Throwable thrown) {
		this.context.log(logger::warn, "The leader listener " + this.listener.getClass().getName() + text, thrown);
	}

}
