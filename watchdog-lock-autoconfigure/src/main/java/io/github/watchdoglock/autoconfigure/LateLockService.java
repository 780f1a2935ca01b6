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

package io.github.watchdoglock.autoconfigure;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockState;
import org.jspecify.annotations.Nullable;

/**
 * A lock service that is looked up when it is used, and that is nothing else besides: no
 * {@link io.github.watchdoglock.LocalLocks}. Not final, since advice may be put around
 * it.
 */
class LateLockService implements LockService {

	private final Supplier<LockService> service;

	LateLockService(Supplier<LockService> service) {
		this.service = service;
	}

	@Override
	public LockHandle acquire(LockRequest request) throws InterruptedException {
		return this.service.get().acquire(request);
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		return this.service.get().tryAcquire(request);
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		return this.service.get().acquireAsync(request);
	}

	@Override
	public LockHandles acquireAll(Collection<LockRequest> requests) throws InterruptedException {
		return this.service.get().acquireAll(requests);
	}

	@Override
	public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E {
		return this.service.get().execute(request, callback);
	}

	@Override
	public Optional<LockState> find(LockKey key) {
		return this.service.get().find(key);
	}

	@Override
	public boolean forceRelease(LockKey key) {
		return this.service.get().forceRelease(key);
	}

	@Override
	public boolean forceRelease(LockKey key, long token) {
		return this.service.get().forceRelease(key, token);
	}

	@Override
	public Lock asLock(LockRequest request) {
		return this.service.get().asLock(request);
	}

}
