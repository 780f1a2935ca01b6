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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one subscription, in the order in which they are acquired. Once closed, it
 * releases locks that are granted later. Thread-safe.
 */
final class ReactiveLocks {

	/* Guards against races of a cancel with a grant. */
	private final AtomicReference<State> state = new AtomicReference<>(new State(HeldLocks.NONE, List.of(), false));

	private volatile @Nullable CompletableFuture<LockHandle> request;

	/*
	 * Adds a lock when it is granted; otherwise the future is completed with the failure.
	 * The request is cancelled when this is closed before. The future itself never fails,
	 * because Reactor would report an error without a subscriber as dropped.
	 */
	CompletableFuture<Optional<Throwable>> expect(RequestedLock requested, CompletableFuture<LockHandle> request) {
		this.request = request;
		CompletableFuture<Optional<Throwable>> outcome = request.handle((handle, failure) -> {
			if (failure == null) {
				add(requested, new SharedHandle(requested, handle));
			}
			return Optional.ofNullable(cause(failure));
		});
		if (state().closed()) {
			request.cancel(true);
		}
		return outcome;
	}

	private static @Nullable Throwable cause(@Nullable Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/* If this is closed, the handle is left at once. */
	void add(RequestedLock requested, SharedHandle handle) {
		State before = this.state
			.getAndUpdate((current) -> current.closed() ? current : current.and(requested, handle));
		if (before.closed()) {
			var unused = handle.leave();
		}
	}

	private State state() {
		return Objects.requireNonNull(this.state.get());
	}

	HeldLocks held() {
		return state().held();
	}

	/* The locks that subscriptions within the work re-enter. */
	Map<LockKey, SharedHandle> within(Map<LockKey, SharedHandle> outer) {
		Map<LockKey, SharedHandle> all = new HashMap<>(outer);
		state().shared().forEach((handle) -> all.put(handle.handle().key(), handle));
		return all;
	}

	/*
	 * Releases all locks, the last one first, and accepts no more. Completed when they
	 * are released, never exceptionally; at once when it was called before.
	 */
	CompletableFuture<Void> close() {
		State last = this.state.getAndUpdate((current) -> new State(current.held(), List.of(), true));
		CompletableFuture<LockHandle> pending = this.request;
		if (pending != null) {
			pending.cancel(true);
		}
		return CompletableFuture
			.allOf(last.shared().stream().map(SharedHandle::leave).toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * The state of a subscription.
	 *
	 * @param held the locks, in the order in which they were acquired
	 * @param shared the handles to be released, the last one first; empty once closed
	 * @param closed whether no more locks are accepted
	 */
	private record State(HeldLocks held, List<SharedHandle> shared, boolean closed) {

		private State and(RequestedLock requested, SharedHandle handle) {
			return new State(this.held.and(requested, handle.handle()),
					Stream.concat(Stream.of(handle), this.shared.stream()).toList(), false);
		}

	}

}
