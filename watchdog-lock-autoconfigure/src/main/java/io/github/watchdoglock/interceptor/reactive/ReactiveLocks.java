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
				add(wanted, new SharedHandle(handle));
				had.complete(Optional.empty());
			}
		});
		if (isClosed()) {
			asked.cancel(true);
		}
		return had;
	}

	private static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

	void add(WantedLock wanted, SharedHandle handle) {
		this.lock.lock();
		try {
			if (!this.closed) {
				this.held = this.held.and(wanted, handle.handle());
				this.shared.add(handle);
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		var unused = handle.leave();
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
	 * never exceptionally; at once when it was called before.
	 */
	CompletableFuture<Void> close() {
		CompletableFuture<LockHandle> pending;
		List<SharedHandle> leaving;
		this.lock.lock();
		try {
			this.closed = true;
			pending = this.asked;
			leaving = List.copyOf(this.shared);
			this.shared.clear();
		}
		finally {
			this.lock.unlock();
		}
		if (pending != null) {
			pending.cancel(true);
		}
		CompletableFuture<?>[] left = new CompletableFuture<?>[leaving.size()];
		for (int i = left.length - 1; i >= 0; i--) {
			left[i] = leaving.get(i).leave();
		}
		return CompletableFuture.allOf(left);
	}

}
