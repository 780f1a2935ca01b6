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

package io.github.watchdoglock.disabled;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.settings.KeyRules;
import org.jspecify.annotations.Nullable;

/**
 * A lock service without mutual exclusion: every request succeeds at once. It sends no
 * commands to a store, its locks are never lost, and it knows only the locks that the
 * current thread has open.
 */
public class UnguardedLockService implements LockService {

	private final ThreadLocal<List<UnguardedHandle>> open = ThreadLocal.withInitial(CopyOnWriteArrayList::new);

	private final AtomicLong tokens;

	/**
	 * Create a service.
	 * @param wallClock the start of the fencing tokens, so that they are greater than the
	 * tokens that were granted while locks were enabled
	 */
	public UnguardedLockService(InstantSource wallClock) {
		this.tokens = new AtomicLong(TimeUnit.MILLISECONDS.toMicros(wallClock.millis()));
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		List<UnguardedHandle> mine = this.open.get();
		long token = mine.stream()
			.filter((handle) -> handle.key().equals(request.key()))
			.findFirst()
			.map(LockHandle::fencingToken)
			.orElseGet(this.tokens::incrementAndGet);
		UnguardedHandle handle = new UnguardedHandle(request.key(), token, mine::remove, new AtomicBoolean());
		mine.add(handle);
		return handle;
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return Optional.of(acquire(request));
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return CompletableFuture
			.completedFuture(new UnguardedHandle(request.key(), this.tokens.incrementAndGet(), (handle) -> {
			}, new AtomicBoolean()));
	}

	@Override
	public LockHandles acquireAll(Collection<LockRequest> requests) {
		return LockHandles.of(KeyRules.inOrder(requests).stream().map(this::acquire).toList());
	}

	@Override
	public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E {
		try (LockHandle handle = acquire(request)) {
			return callback.run(handle);
		}
	}

	@Override
	public <T, E extends Exception> Optional<T> tryExecute(LockRequest request, LockCallback<T, E> callback) throws E {
		return Optional.of(execute(request, callback));
	}

	@Override
	public Optional<LockState> find(LockKey key) {
		return Optional.empty();
	}

	@Override
	public boolean forceRelease(LockKey key) {
		return false;
	}

	@Override
	public boolean forceRelease(LockKey key, long token) {
		return false;
	}

	@Override
	public Lock asLock(LockRequest request) {
		return new UnguardedLock(request.key());
	}

	/**
	 * Return the locks of this instance: the locks that the current thread has open.
	 * @return a new object
	 */
	public LocalLocks localLocks() {
		return new LocalLocks() {

			@Override
			public List<LockSnapshot> list() {
				return List.of();
			}

			@Override
			public List<LockHandle> current() {
				return List.copyOf(UnguardedLockService.this.open.get());
			}

			@Override
			public void ensureHeld() {
			}

			@Override
			public void ensureHeld(LockKey key) {
			}

		};
	}

}
