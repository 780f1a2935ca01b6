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

import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The connection of a {@link Connector}, or why there is none. Thread-safe. Nobody waits
 * for it, but what comes before the first attempt has ended is kept until then, in its
 * order.
 *
 * @param <C> the kind of connection
 */
final class ConnectionSlot<C> {

	private final ReentrantLock lock = new ReentrantLock();

	/* Guarded by lock, as the fields below are for writing. */
	private final Queue<Use<C>> waiting = new ArrayDeque<>();

	private volatile @Nullable C connection;

	/* Null until the first attempt has ended. */
	private volatile @Nullable Throwable failure;

	/* What was said to be broken while it was not in use. */
	private @Nullable C broken;

	@Nullable C connection() {
		return this.connection;
	}

	/* Nobody knows yet whether there is a connection to be had. */
	boolean isUndecided() {
		return this.connection == null && this.failure == null;
	}

	void use(Consumer<C> action, Consumer<Throwable> otherwise) {
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

	/* Under the lock, so that nothing sent later overtakes what has waited. */
	void fill(C opened) throws SocketException {
		this.lock.lock();
		try {
			ensureIntact(opened);
			for (Use<C> use = this.waiting.poll(); use != null; use = this.waiting.poll()) {
				use.action().accept(opened);
			}
			// What was sent may have been refused at once.
			ensureIntact(opened);
			this.broken = null;
			this.connection = opened;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void ensureIntact(C opened) throws SocketException {
		if (this.broken == opened) {
			throw new SocketException("the connection was lost");
		}
	}

	/* Take a connection out; false if it is not in use. */
	boolean take(C suspect, Throwable reason) {
		this.lock.lock();
		try {
			if (this.connection != suspect) {
				this.broken = suspect;
				return false;
			}
			this.connection = null;
			this.failure = reason;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	void fail(Throwable reason) {
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

	private record Use<C>(Consumer<C> action, Consumer<Throwable> otherwise) {

	}

}
