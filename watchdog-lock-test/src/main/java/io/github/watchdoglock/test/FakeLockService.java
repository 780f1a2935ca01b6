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

package io.github.watchdoglock.test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A lock service for tests of classes that receive a lock service, without Spring and
 * without a Redis. Its locks are real ones inside the JVM, and {@link #locks()} plays the
 * other instances. Thread-safe.
 * <p>
 * The defaults are those of an application, except for the wait time: a request that does
 * not set it tries once, so that a test of a held lock takes no time. The locks of two
 * services are independent. Close the service when its test has ended, for example with
 * JUnit's {@code @AutoClose}. Not promised: anything about Redis.
 * <p>
 * For example: <pre>{@code try (FakeLockService service = new FakeLockService()) {
 *     service.locks().holdElsewhere(LockKey.of("stock", "phone"));
 *     assertThat(service.tryAcquire(LockRequest.of("stock", "phone"))).isEmpty();
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class FakeLockService implements LockService, AutoCloseable {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration POLL = Duration.ofSeconds(1);

	private final LockEngine engine;

	private final TestLocks locks;

	/**
	 * Create a service without any held locks.
	 */
	public FakeLockService() {
		InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		AcquiredLocks acquired = new AcquiredLocks();
		EngineSettings settings = new EngineSettings(() -> "tested", LEASE, Duration.ZERO, POLL, LeaseLimits.defaults(),
				null, null, OnLoss.REPORT, true);
		this.engine = new LockEngine(settings, store, store, store, acquired);
		this.locks = new TestLocks(store, acquired, Set::of,
				() -> AcquisitionGuard.rejecting("a FakeLockService has no database"));
	}

	/**
	 * Return the controls of everything outside of the service: other instances, losses,
	 * and the record of acquired locks.
	 * @return always the same object
	 */
	public TestLocks locks() {
		return this.locks;
	}

	/**
	 * Return the locks that are held through this service, for code that needs them.
	 * @return always the same object
	 */
	public LocalLocks localLocks() {
		return this.engine.localLocks();
	}

	@Override
	public LockHandle acquire(LockRequest request) throws InterruptedException {
		return this.engine.acquire(request);
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		return this.engine.tryAcquire(request);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return this.engine.acquireAsync(request);
	}

	@Override
	public LockHandles acquireAll(Collection<LockRequest> requests) throws InterruptedException {
		return this.engine.acquireAll(requests);
	}

	@Override
	public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E {
		return this.engine.execute(request, callback);
	}

	@Override
	public <T, E extends Exception> Optional<T> tryExecute(LockRequest request, LockCallback<T, E> callback) throws E {
		return this.engine.tryExecute(request, callback);
	}

	@Override
	public Optional<LockState> find(LockKey key) {
		return this.engine.find(key);
	}

	@Override
	public boolean forceRelease(LockKey key) {
		return this.engine.forceRelease(key);
	}

	@Override
	public boolean forceRelease(LockKey key, long token) {
		return this.engine.forceRelease(key, token);
	}

	@Override
	public Lock asLock(LockRequest request) {
		return this.engine.asLock(request);
	}

	/**
	 * Close the service: held locks are lost, and requests fail because the service is
	 * closed.
	 */
	@Override
	public void close() {
		this.locks.close();
		this.engine.close();
	}

}
