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

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection that one thread opens, and opens again after failures. Thread-safe; who
 * uses the connection never waits for it, with one exception: what comes while the first
 * attempt is under way is kept until that has ended, in its order.
 *
 * @param <C> the kind of connection
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Connector<C> implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Connector.class);

	private final ConnectionOpening<C> opening;

	private final ScheduledExecutorService thread;

	private final ReentrantLock lock = new ReentrantLock();

	/* Guarded by lock, as the fields below are for writing. */
	private final Queue<Use<C>> waiting = new ArrayDeque<>();

	private volatile @Nullable C connection;

	/* Null while the first attempt is under way. */
	private @Nullable Throwable failure;

	private volatile boolean closed;

	private final ConnectionTrouble trouble;

	Connector(String what, ConnectionOpening<C> opening, ScheduledExecutorService thread) {
		this.trouble = new ConnectionTrouble(what);
		this.opening = opening;
		this.thread = thread;
		thread.execute(this::open);
	}

	/**
	 * Use the connection, now or when the first attempt to open one has ended.
	 * @param action what to do with it; must not block
	 * @param otherwise hears why there is none
	 */
	void use(Consumer<C> action, Consumer<Throwable> otherwise) {
		C current = this.connection;
		if (current == null) {
			useOrWait(action, otherwise);
			return;
		}
		action.accept(current);
	}

	private void useOrWait(Consumer<C> action, Consumer<Throwable> otherwise) {
		C current;
		Throwable reason;
		this.lock.lock();
		try {
			current = this.connection;
			reason = this.failure;
			if (current == null && reason == null) {
				this.waiting.add(new Use<>(action, otherwise));
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (current != null) {
			action.accept(current);
		}
		else if (reason != null) {
			otherwise.accept(reason);
		}
	}

	/**
	 * Close a connection and open another one.
	 * @param suspect the connection; nothing happens if it is not in use any more
	 * @param reason why
	 */
	void reopen(C suspect, Throwable reason) {
		this.lock.lock();
		try {
			if (this.connection != suspect || this.closed) {
				return;
			}
			this.connection = null;
			this.failure = reason;
		}
		finally {
			this.lock.unlock();
		}
		this.thread.execute(() -> {
			this.trouble.report(reason);
			close(suspect);
			open();
		});
	}

	/* What fails in closing a broken connection is no reason to go without one. */
	private void close(C suspect) {
		try {
			this.opening.close(suspect);
		}
		catch (RuntimeException ex) {
			logger.debug("A broken connection to Redis could not be closed", ex);
		}
	}

	private void open() {
		if (this.closed) {
			return;
		}
		try {
			C opened = this.opening.open();
			publish(opened);
			this.trouble.end();
		}
		catch (Throwable ex) {
			// Errors too, or nothing would ever connect again.
			fail(ex);
			if (!this.closed) {
				this.trouble.report(ex);
				this.thread.schedule(this::open, this.trouble.nextDelay(), TimeUnit.MILLISECONDS);
			}
		}
	}

	/* Under the lock, so that nothing sent later overtakes what has waited. */
	private void publish(C opened) {
		this.lock.lock();
		try {
			for (Use<C> use = this.waiting.poll(); use != null; use = this.waiting.poll()) {
				use.action().accept(opened);
			}
			this.failure = null;
			this.connection = opened;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void fail(Throwable reason) {
		Queue<Use<C>> refused;
		this.lock.lock();
		try {
			this.connection = null;
			this.failure = reason;
			refused = new ArrayDeque<>(this.waiting);
			this.waiting.clear();
		}
		finally {
			this.lock.unlock();
		}
		refused.forEach((use) -> use.otherwise().accept(reason));
	}

	/**
	 * Refuse what comes from now on. The connection itself is closed by its owner.
	 */
	@Override
	public void close() {
		this.closed = true;
		fail(new IllegalStateException("closed"));
	}

	private record Use<C>(Consumer<C> action, Consumer<Throwable> otherwise) {

	}

}
