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

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection on one thread, from its first use on, and opens it again after
 * failures. Thread-safe.
 *
 * @param <C> the kind of connection
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Connector<C extends AutoCloseable> implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Connector.class);

	private final Callable<C> opening;

	private final Runnable opened;

	private final ScheduledExecutorService thread;

	private final ConnectionSlot<C> slot = new ConnectionSlot<>();

	private final ConnectionBackOff backOff;

	private final AtomicBoolean begun = new AtomicBoolean();

	/* The next attempt to open it, while that is not under way; the thread's own. */
	private @Nullable Future<?> next;

	/* That attempt is not to wait; the thread's own. */
	private boolean hurried;

	private volatile boolean closed;

	/**
	 * Create a connector.
	 * @param backOff delays attempts and logs failures
	 * @param opening opens one; runs on the thread, which closes it too, and may block
	 * @param opened runs on the thread each time that a connection is in use
	 * @param thread opens and closes connections
	 */
	Connector(ConnectionBackOff backOff, Callable<C> opening, Runnable opened, ScheduledExecutorService thread) {
		this.backOff = backOff;
		this.opening = opening;
		this.opened = opened;
		this.thread = thread;
	}

	/**
	 * Open the connection, unless that was begun before.
	 * @return whether it was not
	 */
	boolean begin() {
		if (this.begun.get() || !this.begun.compareAndSet(false, true)) {
			return false;
		}
		later(this::open, 0);
		return true;
	}

	boolean isBegun() {
		return this.begun.get();
	}

	/* The first attempt to open it has not ended. */
	boolean isFirst() {
		return this.slot.isUndecided();
	}

	/**
	 * Use the connection, now or when the first attempt to open one has ended.
	 * @param action what to do with it; must not block
	 * @param otherwise hears why there is none
	 */
	void use(Consumer<C> action, Consumer<Throwable> otherwise) {
		C current = this.slot.connection();
		if (current != null) {
			action.accept(current);
			return;
		}
		begin();
		this.slot.use(action, otherwise);
	}

	/* Nothing happens where there is none at this moment. */
	void useIfAny(Consumer<C> action) {
		C current = this.slot.connection();
		if (current != null) {
			action.accept(current);
		}
	}

	/**
	 * Close the connection, if there is one, and open another one.
	 * @param reason why
	 */
	void reopen(Throwable reason) {
		C current = this.slot.connection();
		if (current != null) {
			reopen(current, reason);
		}
	}

	/**
	 * Close a connection and open another one.
	 * @param suspect the connection; nothing happens if it is not in use any more
	 * @param reason why
	 */
	void reopen(C suspect, Throwable reason) {
		if (this.closed || !this.slot.take(suspect, reason)) {
			return;
		}
		later(() -> {
			close(suspect);
			openLater(this.backOff.delayAfterLoss());
			this.backOff.report(reason);
		}, 0);
	}

	/**
	 * Open a connection at once, unless there is none to be had, or what there is will
	 * do.
	 * @param willDo whether a connection may stay
	 * @param reason why others may not
	 */
	void hurry(Predicate<C> willDo, Throwable reason) {
		if (!this.closed && this.begun.get()) {
			later(() -> {
				C current = this.slot.connection();
				if (current != null && !willDo.test(current) && this.slot.take(current, reason)) {
					close(current);
					open();
				}
				else if (current == null) {
					hurryNext();
				}
			}, 0);
		}
	}

	private void hurryNext() {
		Future<?> next = this.next;
		if (next != null && next.cancel(false)) {
			open();
		}
		else {
			// Guard against a loss whose turn on the thread comes later.
			this.hurried = true;
		}
	}

	private void openLater(long delay) {
		this.next = later(this::open, this.hurried ? 0 : delay);
		this.hurried = false;
	}

	private @Nullable Future<?> later(Runnable task, long delay) {
		try {
			return this.thread.schedule(task, delay, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Closed, so no connection is opened any more", ex);
			return null;
		}
	}

	/* What fails in closing a broken connection is no reason to go without one. */
	private void close(C suspect) {
		try {
			suspect.close();
		}
		catch (Exception | Error ex) {
			logger.debug("A broken connection to Redis could not be closed", ex);
		}
	}

	/* Whatever comes of telling that, the connection stays. */
	private void open() {
		if (tryToOpen()) {
			this.opened.run();
		}
	}

	private boolean tryToOpen() {
		this.next = null;
		this.hurried = false;
		if (this.closed) {
			return false;
		}
		long begun = System.nanoTime();
		try {
			C opened = this.opening.call();
			fill(opened);
			this.backOff.end();
			return true;
		}
		catch (Throwable ex) {
			// Errors too, or nothing would ever connect again. Asked before anybody hears
			// of
			// it, who may close this: the log says why, too.
			boolean wanted = !this.closed;
			try {
				this.slot.fail(ex);
			}
			finally {
				if (wanted) {
					openLater(this.backOff.nextDelay(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)));
					this.backOff.report(ex);
				}
			}
			return false;
		}
	}

	private void fill(C opened) throws Exception {
		try {
			this.slot.fill(opened);
		}
		catch (Throwable ex) {
			close(opened);
			throw ex;
		}
	}

	/**
	 * Refuse what comes from now on. The connection itself is closed by its owner.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.slot.fail(new IllegalStateException("closed"));
	}

}
