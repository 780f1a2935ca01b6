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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockState;
import org.jspecify.annotations.Nullable;

/**
 * A lock service that records requests and behaves as configured.
 */
public class FakeLockService implements LockService {

	/**
	 * The events, in order.
	 */
	public final List<String> events;

	/**
	 * The requests, in order.
	 */
	public final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	/**
	 * Whether another caller holds every lock.
	 */
	public volatile boolean busy;

	/**
	 * The locks that another caller holds.
	 */
	public final Set<LockKey> taken = ConcurrentHashMap.newKeySet();

	/**
	 * Acquired and closed locks, in order, each with its key.
	 */
	public final List<String> trail = new CopyOnWriteArrayList<>();

	/**
	 * How long acquiring waits.
	 */
	public volatile Duration delay = Duration.ZERO;

	/**
	 * The number of requests before acquiring fails or is interrupted.
	 */
	public volatile int failFrom;

	/**
	 * The exception of acquiring, null for none.
	 */
	public volatile @Nullable RuntimeException failure;

	/**
	 * The error of acquiring, null for none.
	 */
	public volatile @Nullable Error error;

	/**
	 * Whether waiting is interrupted.
	 */
	public volatile boolean interrupted;

	/**
	 * The reason why locks are lost when they are closed, null for no loss.
	 */
	public volatile LockLoss.@Nullable Reason lossAtClose;

	/** Whether asynchronous callers get no answer until the test completes it. */
	public volatile boolean silent;

	/**
	 * The answers to asynchronous callers, in order.
	 */
	public final List<CompletableFuture<LockHandle>> answers = new CopyOnWriteArrayList<>();

	/**
	 * Completes when locks that are released asynchronously are free; null for at once.
	 */
	public volatile @Nullable CompletableFuture<Void> closing;

	private final List<Handle> handles = new CopyOnWriteArrayList<>();

	private final AtomicLong tokens = new AtomicLong();

	/* Never opened, so acquiring waits in vain. */
	private final CountDownLatch hint = new CountDownLatch(1);

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
		var unused = this.hint.await(this.delay.toNanos(), TimeUnit.NANOSECONDS);
		boolean fails = this.requests.size() > this.failFrom;
		if (this.interrupted && fails) {
			throw new InterruptedException();
		}
		RuntimeException failure = this.failure;
		if (failure != null && fails) {
			throw failure;
		}
		Error error = this.error;
		if (error != null && fails) {
			throw error;
		}
		if (this.busy || this.taken.contains(request.key())) {
			return Optional.empty();
		}
		return Optional.of(grant(request));
	}

	@Override
	public <T, E extends Exception> Optional<T> tryExecute(LockRequest request, LockCallback<T, E> callback) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		this.requests.add(request);
		CompletableFuture<LockHandle> answer = new CompletableFuture<>();
		this.answers.add(answer);
		RuntimeException failure = this.failure;
		if (failure != null) {
			answer.completeExceptionally(failure);
		}
		else if (this.busy || this.taken.contains(request.key())) {
			answer.completeExceptionally(new LockNotAcquiredException(request.key(), Duration.ZERO, null, null));
		}
		else if (!this.silent) {
			answer.complete(grant(request));
		}
		return answer;
	}

	/**
	 * Grant a lock.
	 * @param request the request
	 * @return the lock
	 */
	public LockHandle grant(LockRequest request) {
		this.events.add("lock");
		this.trail.add("lock " + request.key());
		Handle handle = new Handle(request.key(), this.tokens.incrementAndGet());
		this.handles.add(handle);
		return handle;
	}

	/**
	 * Lose all locks of a key.
	 * @param key the key
	 */
	public void lose(LockKey key) {
		this.handles.stream().filter((handle) -> handle.key.equals(key)).forEach(Handle::lose);
	}

	@Override
	public LockHandles acquireAll(Collection<LockRequest> requests) {
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
	public boolean forceRelease(LockKey key, long token) {
		return false;
	}

	@Override
	public Lock asLock(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	private final class Handle implements LockHandle {

		private final LockKey key;

		private final long token;

		private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();

		private volatile @Nullable LockLoss loss;

		private volatile boolean closed;

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
			return this.lost;
		}

		private void lose() {
			LockLoss lost = new LockLoss(this.key, this.token, LockLoss.Reason.GONE);
			this.loss = lost;
			this.lost.complete(lost);
		}

		@Override
		public Optional<LockLoss> loss() {
			return Optional.ofNullable(this.loss);
		}

		@Override
		public CompletableFuture<Void> extend(@Nullable Lease lease) {
			FakeLockService.this.trail.add("strengthen " + this.key);
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public LockHandle detach() {
			FakeLockService.this.trail.add("detach " + this.key);
			return this;
		}

		@Override
		public void close() {
			if (this.closed) {
				return;
			}
			this.closed = true;
			FakeLockService.this.events.add("unlock");
			FakeLockService.this.trail.add("unlock " + this.key);
			LockLoss.Reason reason = FakeLockService.this.lossAtClose;
			if (reason != null) {
				this.loss = new LockLoss(this.key, this.token, reason);
			}
		}

		@Override
		public CompletableFuture<Void> closeAsync() {
			close();
			CompletableFuture<Void> closing = FakeLockService.this.closing;
			return (closing != null) ? closing : CompletableFuture.completedFuture(null);
		}

	}

}
