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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.interceptor.lock.RequestedLock;

/**
 * A handle that the subscriptions of one reactive context share: each re-entry increments
 * the number of its users, and the last user releases the lock. Thread-safe.
 *
 * @param requested the requested lock
 * @param handle the handle to it
 * @param users the number of users
 */
record SharedHandle(RequestedLock requested, LockHandle handle, AtomicInteger users) {

	SharedHandle(RequestedLock requested, LockHandle handle) {
		this(requested, handle, new AtomicInteger(1));
	}

	/* A request of another kind is no re-entry: the store rejects it. */
	boolean isOfKind(RequestedLock other) {
		return this.requested.hasPermits() == other.hasPermits();
	}

	/* A reader may re-enter for reading only, a writer for both. */
	boolean allows(RequestedLock other) {
		return other.isForReading() || !this.requested.isForReading();
	}

	/* Adds a user, unless the last one has left. */
	boolean join() {
		return this.users.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/* Completed when the lock is released, or at once if others still use it. */
	CompletableFuture<Void> leave() {
		return (this.users.decrementAndGet() > 0) ? CompletableFuture.completedFuture(null) : this.handle.closeAsync();
	}

}
