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
 * What is asked of a {@link LockService}. Immutable; requests that say the same are
 * equal. What is not set comes from the properties {@code watchdog-lock.locks.<name>.*}
 * of the lock's name where there are such, else from those for all locks.
 */
public sealed interface LockRequest permits LockRequestValue {

	/**
	 * A request for the lock that has a name and no id.
	 * @param name the name, not blank
	 * @return the request
	 * @throws LockKeyException if the name is null or blank
	 */
	static LockRequest of(String name) {
		return of(LockKey.of(name));
	}

	/**
	 * A request for one of the locks of a name.
	 * @param name the name, not blank
	 * @param id the id, not blank; null for the lock without an id
	 * @return the request
	 * @throws LockKeyException if the name is null or blank, or the id blank
	 */
	static LockRequest of(String name, @Nullable String id) {
		return of(LockKey.of(name, id));
	}

	/**
	 * A request for a key.
	 * @param key the key
	 * @return the request
	 */
	static LockRequest of(LockKey key) {
		return new LockRequestValue(key, null, null, null, null, null, false, null, null, null);
	}

	/**
	 * The lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * How long to wait for it.
	 * @return zero tries once, negative waits without end, null is the property
	 * {@code watchdog-lock.wait-time}
	 */
	@Nullable Duration waitTime();

	/**
	 * How long it lasts.
	 * @return null is the property {@code watchdog-lock.lease-time}, renewed
	 */
	@Nullable Lease lease();

	/**
	 * How long the lock stays taken at least, even if it is closed before, unless the
	 * instance dies.
	 * @return null is no minimum
	 */
	@Nullable Duration minHoldTime();

	/**
	 * When it is given up though its holder still works.
	 * @return positive; null is the property {@code watchdog-lock.max-hold-time}
	 */
	@Nullable Duration maxHoldTime();

	/**
	 * What happens to the work when the lock is lost.
	 * @return null is the property {@code watchdog-lock.on-loss}
	 */
	@Nullable OnLoss onLoss();

	/**
	 * Whether it outlives the transaction around it.
	 * @return whether it does, see {@link #withReleaseAfterTransaction()}
	 */
	boolean releaseAfterTransaction();

	/**
	 * How many may have it at once, over all instances.
	 * @return from 1 to 64; 1 and 0 are an exclusive lock; null is the property
	 * {@code watchdog-lock.locks.<name>.permits}, and 0 where there is none, or where
	 * {@link #mode()} is {@link LockMode#WRITE}
	 */
	@Nullable Integer permits();

	/**
	 * Whether it is for reading or for writing.
	 * @return null where nothing was said: an exclusive lock, as {@link LockMode#WRITE}
	 * is one, which {@link LockSnapshot.Mode} tells apart; so a request that says to
	 * write is not equal to one that says nothing
	 */
	@Nullable LockMode mode();

	/**
	 * Whether transactions under the lock are fenced, see {@link #withFenced(boolean)}.
	 * @return null is the property {@code watchdog-lock.locks.<name>.fenced}, then
	 * {@code watchdog-lock.fenced}
	 */
	@Nullable Boolean fenced();

	/**
	 * This request for another lock.
	 * @param key the lock
	 * @return a new request
	 */
	LockRequest withKey(LockKey key);

	/**
	 * This request with a time to wait.
	 * @param waitTime zero tries once, negative waits without end
	 * @return a new request
	 */
	LockRequest withWaitTime(Duration waitTime);

	/**
	 * This request with a lease. In a re-entry the stronger counts, of this and of what
	 * the thread has: see {@link LockService}.
	 * @param lease the lease
	 * @return a new request
	 * @throws IllegalArgumentException if it is fixed, and shorter than the minimum of
	 * this request
	 */
	LockRequest withLease(Lease lease);

	/**
	 * This request with a minimum: if the lock is closed before, nobody gets it until
	 * then, here or elsewhere. The caller that closes it is not delayed. With a re-entry
	 * the longer minimum applies: that of a re-entry begins with it.
	 * @param minHoldTime the time from acquiring on, not negative; not longer than a
	 * lease that is not renewed, which ends by itself
	 * @return a new request
	 * @throws IllegalArgumentException if it is negative, or longer than the fixed lease
	 * of this request
	 */
	LockRequest withMinHoldTime(Duration minHoldTime);

	/**
	 * This request with a maximum: who still holds the lock then has lost it, and the key
	 * is free when its lease is over. The maximum of a re-entry begins with it and
	 * applies to the lock until its handle is closed; the earliest one applies.
	 * @param maxHoldTime the time from acquiring on, positive
	 * @return a new request
	 * @throws IllegalArgumentException if it is not positive
	 */
	LockRequest withMaxHoldTime(Duration maxHoldTime);

	/**
	 * This request with a rule for the work whose lock is lost.
	 * @param onLoss the rule
	 * @return a new request
	 */
	LockRequest withOnLoss(OnLoss onLoss);

	/**
	 * This request with a lock that outlives the transaction in which it is acquired.
	 * Closed within it, the lock is not released before the transaction is complete,
	 * committed or rolled back, so that who gets it next reads what was written under it.
	 * Until then it is renewed, its thread re-enters it, and its loss means what
	 * {@link #withOnLoss(OnLoss)} says: unless that is {@link OnLoss#REPORT}, the
	 * transaction is not committed. It is released after all that waits for the
	 * completion; a lock that is closed later than that is released then.
	 * <p>
	 * A thread that is in no transaction when it acquires the lock has it until it is
	 * closed, as ever. Reactive transactions are none of a thread's, and neither are
	 * those of managers without synchronization. Not for
	 * {@link LockService#acquireAsync(LockRequest)}, whose locks belong to no thread.
	 * @return a new request
	 */
	LockRequest withReleaseAfterTransaction();

	/**
	 * This request for one of some permits: it is granted while fewer than this number
	 * are held, over all instances. Each request goes by its own number, so that a
	 * rolling change of it refuses nobody. A permit is had by a hold; a thread that has
	 * one and asks again re-enters it.
	 * @param permits from 1, which is an exclusive lock, to 64; 0 is an exclusive lock
	 * too. Nobody can have a key for several permits and as a lock
	 * @return a new request
	 * @throws IllegalArgumentException if it is less than 0 or more than 64, or if this
	 * request is for reading
	 */
	LockRequest withPermits(int permits);

	/**
	 * This request for reading, with others who read, or for writing, alone.
	 * @param mode the mode
	 * @return a new request
	 * @throws IllegalArgumentException if it is for reading, and this request is for a
	 * permit
	 */
	LockRequest withMode(LockMode mode);

	/**
	 * This request with or without a fence in the application's database. When a fenced
	 * lock is acquired, every fenced transaction of an earlier holder has ended, and none
	 * will commit later. Acquiring it may wait for such a transaction, within the wait
	 * time. A transaction of a holder that was overtaken is rolled back with a
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
