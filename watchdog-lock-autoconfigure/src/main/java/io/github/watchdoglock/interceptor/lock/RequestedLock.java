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

package io.github.watchdoglock.interceptor.lock;

import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.contention.Contention;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a call needs.
 *
 * @param request the request; its {@code onLoss} is set, and is not
 * {@link OnLoss#DEFAULT}
 * @param contention what happens when the lock cannot be acquired in time
 * @param roles the terms of this instance, if it is a role: it is held as long as one
 * lasts
 * @param release when it is released inside a transaction; {@link LockRelease#DEFAULT}:
 * when the call returns, although no one has decided that
 */
public record RequestedLock(LockRequest request, Contention contention, RoleTerms roles, LockRelease release) {

	/**
	 * The order in which all callers of all instances acquire their locks.
	 */
	public static final Comparator<RequestedLock> ORDER = Comparator.comparing(RequestedLock::key);

	/**
	 * Create a wanted lock that is not a role, and ends with its call.
	 * @param request the request
	 * @param contention what happens when it cannot be acquired in time
	 */
	public RequestedLock(LockRequest request, Contention contention) {
		this(request, contention, RoleTerms.NONE, LockRelease.AT_RETURN);
	}

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	public LockKey key() {
		return this.request.key();
	}

	/**
	 * Return whether it is one of several permits.
	 * @return whether several callers may hold the lock through permits
	 */
	public boolean hasPermits() {
		Integer permits = this.request.permits();
		return permits != null && permits > 1;
	}

	/**
	 * Return whether other readers may hold it at the same time.
	 * @return whether it is for reading
	 */
	public boolean isForReading() {
		return this.request.mode() == LockMode.READ;
	}

	OnLoss onLoss() {
		return Objects.requireNonNull(this.request.onLoss(), "'onLoss' must be completed");
	}

	/**
	 * Acquire the lock on the calling thread.
	 * @param service acquires the lock
	 * @param waited the part of the wait time that has passed with other locks
	 * @return the lock
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	public LockHandle acquire(LockService service, Duration waited) throws InterruptedException {
		return key().isRole() ? enter(Thread.currentThread()) : service.acquire(requestAfter(waited));
	}

	/**
	 * Acquire the lock without a waiting thread.
	 * @param service acquires the lock
	 * @param waited the part of the wait time that has passed with other locks
	 * @return completed when the lock is held, or could not be acquired
	 */
	public CompletableFuture<LockHandle> acquireAsync(LockService service, Duration waited) {
		if (key().isRole()) {
			try {
				return CompletableFuture.completedFuture(enter(null));
			}
			catch (LockNotAcquiredException ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}
		return service.acquireAsync(requestAfter(waited));
	}

	private LockHandle enter(@Nullable Thread thread) {
		LockHandle handle = this.roles.enter(Objects.requireNonNull(key().id()), onLoss(), thread);
		if (handle == null) {
			throw new LockNotAcquiredException(key(), Duration.ZERO, "", Duration.ZERO);
		}
		return handle;
	}

	private LockRequest requestAfter(Duration waited) {
		Duration wait = this.request.waitTime();
		if (wait == null || wait.isNegative() || wait.isZero() || waited.isZero()) {
			return this.request;
		}
		Duration left = wait.minus(waited);
		return this.request.withWaitTime(left.isNegative() ? Duration.ZERO : left);
	}

}
