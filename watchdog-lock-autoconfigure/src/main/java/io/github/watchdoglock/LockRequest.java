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

package io.github.watchdoglock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A request to a {@link LockService}. Immutable; requests with the same values are equal.
 * For an option that is not set, the property {@code watchdog-lock.locks.<name>.*} of the
 * lock's name applies, and if that is not set, the property for all locks.
 * <p>
 * For example: <pre>{@code
 * LockRequest request = LockRequest.of("stock", sku)
 *     .withWaitTime(Duration.ofSeconds(2))
 *     .withLease(Lease.fixed(Duration.ofSeconds(5)))
 *     .withOnLoss(OnLoss.FAIL);
 * }</pre>
 *
 * @since 0.1.0
 */
public sealed interface LockRequest permits LockRequestValue {

	/**
	 * Return a request for the lock that has a name and no id.
	 * @param name the name, not blank
	 * @return the request
	 * @throws LockKeyException if the name is null or blank
	 */
	static LockRequest of(String name) {
		return of(LockKey.of(name));
	}

	/**
	 * Return a request for a lock that has a name and an id.
	 * @param name the name, not blank
	 * @param id the id, not blank; null for the lock without an id
	 * @return the request
	 * @throws LockKeyException if the name is null or blank, or the id is blank
	 */
	static LockRequest of(String name, @Nullable String id) {
		return of(LockKey.of(name, id));
	}

	/**
	 * Return a request for a key.
	 * @param key the key
	 * @return the request
	 */
	static LockRequest of(LockKey key) {
		return new LockRequestValue(key, null, null, null, null, null, false, null, LockMode.WRITE, null);
	}

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * Return how long to wait for the lock.
	 * @return zero tries once, negative waits indefinitely, null is the property
	 * {@code watchdog-lock.wait-time}, and zero for {@link LockService#tryAcquire}
	 */
	@Nullable Duration waitTime();

	/**
	 * Return the lease of the lock.
	 * @return the lease; null is the property {@code watchdog-lock.lease-time}, renewed
	 */
	@Nullable Lease lease();

	/**
	 * Return how long the lock stays locked at least, even if it is closed earlier,
	 * unless the instance dies.
	 * @return the minimum hold time; null is no minimum
	 */
	@Nullable Duration minHoldTime();

	/**
	 * Return the time after which the lock is lost, even if its holder still works.
	 * @return positive; null is the property {@code watchdog-lock.max-hold-time}
	 */
	@Nullable Duration maxHoldTime();

	/**
	 * Return what happens to the work when the lock is lost.
	 * @return the policy; null is the property {@code watchdog-lock.on-loss}
	 */
	@Nullable OnLoss onLoss();

	/**
	 * Return whether the lock outlives the transaction in which it is acquired.
	 * @return whether it does, see {@link #withReleaseAfterTransaction()}
	 */
	boolean releaseAfterTransaction();

	/**
	 * Return how many callers may hold the lock at once, across all instances.
	 * @return from 1 to 64; 1 and 0 are an exclusive lock; null is the property
	 * {@code watchdog-lock.locks.<name>.permits}, or 0 if that is not set
	 */
	@Nullable Integer permits();

	/**
	 * Return whether the request is for reading or for writing.
	 * @return {@link LockMode#WRITE}, which is the exclusive lock, if no mode is set
	 */
	LockMode mode();

	/**
	 * Return whether transactions under the lock are fenced, see
	 * {@link #withFenced(boolean)}.
	 * @return null is the property {@code watchdog-lock.locks.<name>.fenced}, then
	 * {@code watchdog-lock.fenced}
	 */
	@Nullable Boolean fenced();

	/**
	 * Return this request for another lock.
	 * @param key the lock
	 * @return a new request
	 */
	LockRequest withKey(LockKey key);

	/**
	 * Return this request with a wait time.
	 * @param waitTime zero tries once, negative waits indefinitely
	 * @return a new request
	 */
	LockRequest withWaitTime(Duration waitTime);

	/**
	 * Return this request with a lease. In a re-entry, the stronger lease applies: this
	 * one, or the one that the thread has. See {@link LockService}.
	 * @param lease the lease
	 * @return a new request
	 * @throws IllegalArgumentException if the lease is fixed, and shorter than the
	 * minimum hold time of this request
	 */
	LockRequest withLease(Lease lease);

	/**
	 * Return this request with a minimum hold time: if the lock is closed earlier, no
	 * caller of any instance acquires it until then. The caller that closes it is not
	 * delayed. In a re-entry, the longer minimum applies; the minimum of a re-entry
	 * begins with the re-entry.
	 * @param minHoldTime the time from acquiring on, not negative; not longer than a
	 * lease that is not renewed, because such a lease ends by itself
	 * @return a new request
	 * @throws IllegalArgumentException if it is negative, or longer than the fixed lease
	 * of this request
	 */
	LockRequest withMinHoldTime(Duration minHoldTime);

	/**
	 * Return this request with a maximum hold time: a lock that is still held then is
	 * lost, and its key is free when the lease has expired. The maximum of a re-entry
	 * begins with the re-entry, and applies to the lock until the handle of the re-entry
	 * is closed. The earliest maximum applies.
	 * @param maxHoldTime the time from acquiring on, positive
	 * @return a new request
	 * @throws IllegalArgumentException if it is not positive
	 */
	LockRequest withMaxHoldTime(Duration maxHoldTime);

	/**
	 * Return this request with a policy for work whose lock is lost.
	 * @param onLoss the policy
	 * @return a new request
	 */
	LockRequest withOnLoss(OnLoss onLoss);

	/**
	 * Return this request with a lock that outlives the transaction in which it is
	 * acquired. If the lock is closed within the transaction, it is not released before
	 * the transaction has been committed or rolled back, so the next holder reads the
	 * data that were written under the lock. Until then, the lock is renewed and its
	 * thread can re-enter it. If it is lost, the transaction is not committed, unless
	 * {@link #withOnLoss(OnLoss)} is {@link OnLoss#REPORT}; the thread is not interrupted
	 * after the lock was closed. While the transaction keeps locks, the thread waits for
	 * another one no longer than the property {@code watchdog-lock.wait-time}. The lock
	 * is released after all code that waits for the completion of the transaction. If the
	 * lock is closed later than that, it is released when it is closed.
	 * <p>
	 * If the thread is in no transaction when it acquires the lock, the lock is released
	 * when it is closed, as without this option. This also applies to reactive
	 * transactions, which do not belong to a thread, and to transaction managers without
	 * synchronization. Not for {@link LockService#acquireAsync(LockRequest)}, whose locks
	 * belong to no thread.
	 * @return a new request
	 */
	LockRequest withReleaseAfterTransaction();

	/**
	 * Return this request for one permit of a semaphore: it is granted while fewer
	 * permits than this number are held, across all instances. Each request uses its own
	 * number, so that no request fails because the number is changed in one instance
	 * after another. Each hold has one permit; a thread that has a permit and requests
	 * the lock again re-enters it.
	 * @param permits from 1, which is an exclusive lock, to 64; 0 is an exclusive lock
	 * too. A key cannot be used for several permits and as an exclusive lock at the same
	 * time
	 * @return a new request
	 * @throws IllegalArgumentException if it is less than 0 or more than 64, or if this
	 * request is for reading
	 */
	LockRequest withPermits(int permits);

	/**
	 * Return this request for reading, together with other readers, or for writing,
	 * alone.
	 * @param mode the mode
	 * @return a new request
	 * @throws IllegalArgumentException if it is for reading, and this request is for a
	 * permit
	 */
	LockRequest withMode(LockMode mode);

	/**
	 * Return this request with or without a fence in the application's database. When a
	 * fenced lock is acquired, every fenced transaction of an earlier holder has ended,
	 * and none will commit later. Acquiring it may wait for such a transaction, within
	 * the wait time. A transaction of a holder that was overtaken is rolled back with a
	 * {@link LockLostException}.
	 * <p>
	 * The lock must be acquired before the transaction begins. Only transactions of the
	 * thread that holds it are fenced, and only those of the {@code DataSource} that has
	 * the fence's table. Not for {@link LockService#acquireAsync(LockRequest)}.
	 * @param fenced whether to fence
	 * @return a new request
	 * @throws IllegalArgumentException if this request is fenced and for a permit, for
	 * reading, or for a lock that outlives its transaction
	 */
	LockRequest withFenced(boolean fenced);

}
