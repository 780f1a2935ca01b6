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

package io.github.watchdoglock.support;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockState;
import org.jspecify.annotations.Nullable;

/**
 * A lock service that records what is asked of it and does as it is told.
 */
public class FakeLockService implements LockService {

	/**
	 * What happened, in order.
	 */
	public final List<String> events;

	/**
	 * What was asked for, in order.
	 */
	public final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	/**
	 * Whether somebody else holds every lock.
	 */
	public volatile boolean busy;

	/**
	 * Whether waiting is interrupted.
	 */
	public volatile boolean interrupted;

	/**
	 * What closing throws, null for nothing.
	 */
	public volatile @Nullable RuntimeException closeFailure;

	private final AtomicLong tokens = new AtomicLong();

	public FakeLockService() {
		this(new CopyOnWriteArrayList<>());
	}

	public FakeLockService(List<String> events) {
		this.events = events;
	}

	@Override
	public LockHandle acquire(LockRequest request) throws InterruptedException {
		return tryAcquire(request)
			.orElseThrow(() -> new LockNotAcquiredException(request.key(), Duration.ZERO, null, null));
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		this.requests.add(request);
		if (this.interrupted) {
			throw new InterruptedException();
		}
		if (this.busy) {
			return Optional.empty();
		}
		this.events.add("lock");
		return Optional.of(new Handle(request.key(), this.tokens.incrementAndGet()));
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E {
		throw new UnsupportedOperationException();
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
	public Lock asLock(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	private final class Handle implements LockHandle {

		private final LockKey key;

		private final long token;

		Handle(LockKey key, long token) {
			this.key = key;
			this.token = token;
		}

		@Override
		public LockKey key() {
			return this.key;
		}

		@Override
		public long fencingToken() {
			return this.token;
		}

		@Override
		public boolean isHeld() {
			return true;
		}

		@Override
		public Duration remaining() {
			return Duration.ofSeconds(1);
		}

		@Override
		public CompletionStage<LockLoss> whenLost() {
			return new CompletableFuture<>();
		}

		@Override
		public LockHandle detach() {
			return this;
		}

		@Override
		public void close() {
			FakeLockService.this.events.add("unlock");
			RuntimeException failure = FakeLockService.this.closeFailure;
			if (failure != null) {
				throw failure;
			}
		}

		@Override
		public CompletableFuture<Void> closeAsync() {
			close();
			return CompletableFuture.completedFuture(null);
		}

	}

}
