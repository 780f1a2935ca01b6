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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The locks that an instance holds, keeps idle and waits for. Immutable.
 *
 * @param instance application name and host
 * @param held the held locks, the oldest first
 * @param waiting the waiting callers, the oldest first
 * @param idle the idle locks, which are kept for the next caller without a holder, the
 * oldest first
 * @param heldCount how many locks are held, whether listed or not
 * @param waitingCount how many callers wait, whether listed or not
 * @param idleCount how many locks are idle, whether listed or not
 * @param state the state of the requested key in the store, regardless of the instance
 * that holds it; null if no key was requested, or if it is free
 */
public record LocksDescriptor(String instance, List<HeldDescriptor> held, List<WaitingDescriptor> waiting,
		List<IdleDescriptor> idle, int heldCount, int waitingCount, int idleCount,
		@Nullable StateDescriptor state) implements OperationResponseBody {

	/**
	 * A hold.
	 *
	 * @param name name of the lock
	 * @param key its id, sanitized if values are not shown; null if it has none
	 * @param token the fencing token
	 * @param thread name of the thread that acquired it; null if it belongs to no thread
	 * @param since when it was acquired
	 * @param heldFor the time since then
	 * @param remaining how long it stays held unless it is renewed
	 * @param renewals how often it was renewed
	 * @param lease the requested lease
	 * @param renewed whether the watchdog renews it
	 * @param atRisk whether renewals fail at the moment
	 * @param waiting how many callers of this instance wait for the same key
	 * @param mode how it was requested: exclusive, read, write, permit
	 * @param fenced whether transactions under it are fenced
	 * @param stack the present stack of the thread, if it was requested
	 */
	public record HeldDescriptor(String name, @Nullable String key, long token, @Nullable String thread, Instant since,
			Duration heldFor, Duration remaining, long renewals, Duration lease, boolean renewed, boolean atRisk,
			int waiting, String mode, boolean fenced, @Nullable List<String> stack) {

	}

	/**
	 * A waiting caller.
	 *
	 * @param name name of the lock
	 * @param key its id, sanitized if values are not shown; null if it has none
	 * @param thread name of the thread that waits; null for an asynchronous caller
	 * @param since when the wait began
	 * @param mode how it is requested: exclusive, read, write, permit
	 */
	public record WaitingDescriptor(String name, @Nullable String key, @Nullable String thread, Instant since,
			String mode) {

	}

	/**
	 * An idle lock, which is kept for its next caller without a holder.
	 *
	 * @param name name of the lock
	 * @param key its id, sanitized if values are not shown; null if it has none
	 * @param token the fencing token of its last hold
	 * @param since when that hold was closed
	 * @param idleFor the time since then
	 * @param remaining how long it stays with this instance unless it is renewed
	 */
	public record IdleDescriptor(String name, @Nullable String key, long token, Instant since, Duration idleFor,
			Duration remaining) {
	}

	/**
	 * The state of a held lock in the store. If several callers hold it, this is the
	 * state of the holder whose lease ends first.
	 *
	 * @param holder label of the holder: application name, host and thread
	 * @param token the first fencing token of the lease
	 * @param remaining how long the lease lasts unless it is renewed
	 * @param waiting how many instances wait
	 * @param mode how it is held: exclusive (also by a writer), read, permit
	 * @param holders all readers or holders of permits, in the order in which their
	 * leases end; null if it is exclusive
	 */
	public record StateDescriptor(String holder, long token, Duration remaining, int waiting, String mode,
			@Nullable List<HolderDescriptor> holders) {

	}

	/**
	 * One of several holders of a lock.
	 *
	 * @param holder label of the holder: application name, host and thread
	 * @param token the first fencing token of its lease
	 * @param remaining how long the lease lasts unless it is renewed
	 * @param permits the number of permits that its request has used; null for a reader
	 */
	public record HolderDescriptor(String holder, long token, Duration remaining, @Nullable Integer permits) {

	}

}
