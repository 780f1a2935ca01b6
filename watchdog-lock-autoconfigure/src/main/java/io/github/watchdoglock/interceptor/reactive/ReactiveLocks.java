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

package io.github.watchdoglock.interceptor.reactive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.interceptor.lock.WantedLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one subscription, in the order in which they are taken. Once closed it
 * gives back what still arrives. Thread-safe.
 */
final class ReactiveLocks {

	private final ReentrantLock lock = new ReentrantLock();

	/* All guarded by the lock. */
	private HeldLocks held = HeldLocks.NONE;

	private final List<SharedHandle> shared = new ArrayList<>();

	private @Nullable CompletableFuture<LockHandle> asked;

	private boolean closed;

	/*
	 * Have a lock when it is granted, or say why it is not; cancelled when this is closed
	 * before. Never fails: an error that comes when its subscriber has gone would be
	 * reported as dropped.
	 */
	CompletableFuture<Optional<Throwable>> expect(WantedLock wanted, CompletableFuture<LockHandle> asked) {
		this.lock.lock();
		try {
			this.asked = asked;
		}
		finally {
			this.lock.unlock();
		}
		CompletableFuture<Optional<Throwable>> had = new CompletableFuture<>();
		var unused = asked.whenComplete((handle, failure) -> {
			if (failure != null) {
				had.complete(Optional.of(cause(failure)));
			}
			else {
				had.complete(take(wanted, handle));
			}
		});
		if (isClosed()) {
			asked.cancel(true);
		}
		return had;
	}

	/* Answers what has failed, which nobody else hears of. */
	private Optional<Throwable> take(WantedLock wanted, LockHandle handle) {
		try {
			add(wanted, new SharedHandle(wanted, handle));
			return Optional.empty();
		}
		catch (Throwable ex) {
			var unused = handle.closeAsync();
			return Optional.of(ex);
		}
	}

	private static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

	/* Where it throws, the handle has been left. */
	void add(WantedLock wanted, SharedHandle handle) {
		boolean added = false;
		this.lock.lock();
		try {
			if (!this.closed) {
				HeldLocks held = this.held.and(wanted, handle.handle());
				this.shared.add(handle);
				this.held = held;
				added = true;
			}
		}
		finally {
			this.lock.unlock();
			if (!added) {
				var unused = handle.leave();
			}
		}
	}

	HeldLocks held() {
		this.lock.lock();
		try {
			return this.held;
		}
		finally {
			this.lock.unlock();
		}
	}

	/* With these, whoever subscribes within the work re-enters. */
	Map<LockKey, SharedHandle> within(Map<LockKey, SharedHandle> outer) {
		Map<LockKey, SharedHandle> all = new HashMap<>(outer);
		this.lock.lock();
		try {
			this.shared.forEach((handle) -> all.put(handle.handle().key(), handle));
		}
		finally {
			this.lock.unlock();
		}
		return all;
	}

	private boolean isClosed() {
		this.lock.lock();
		try {
			return this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

	/*
	 * Give all back, the last one first, and want no more. Complete when that is done,
	 * never exceptionally; at once when it was called before. An error at one of them
	 * keeps none of the others.
	 */
	CompletableFuture<Void> close() {
		CompletableFuture<LockHandle> pending;
		this.lock.lock();
		try {
			this.closed = true;
			pending = this.asked;
		}
		finally {
			this.lock.unlock();
		}
		if (pending != null) {
			pending.cancel(true);
		}
		SharedHandle last = takeLast();
		if (last == null) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<Void> left;
		try {
			left = last.leave();
		}
		catch (Throwable ex) {
			var unused = close();
			throw ex;
		}
		return CompletableFuture.allOf(left, close());
	}

	private @Nullable SharedHandle takeLast() {
		this.lock.lock();
		try {
			return this.shared.isEmpty() ? null : this.shared.remove(this.shared.size() - 1);
		}
		finally {
			this.lock.unlock();
		}
	}

}
