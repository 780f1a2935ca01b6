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
 * What an instance holds, keeps and waits for. Immutable.
 *
 * @param instance application name and host
 * @param held what is held, the oldest first
 * @param waiting who waits, the oldest first
 * @param idle what is kept for the next caller though nobody holds it, the oldest first
 * @param heldCount how much is held, whether listed or not
 * @param waitingCount how many callers wait, whether listed or not
 * @param idleCount how much is kept, whether listed or not
 * @param state what the store says of the key that was asked for, whichever instance
 * holds it; null where none was, or where it is free
 */
public record LocksDescriptor(String instance, List<HeldDescriptor> held, List<WaitingDescriptor> waiting,
		List<IdleDescriptor> idle, int heldCount, int waitingCount, int idleCount,
		@Nullable StateDescriptor state) implements OperationResponseBody {

	/**
	 * A hold.
	 *
	 * @param name name of the lock
	 * @param key its id, hidden where values are; null where it has none
	 * @param token the fencing token
	 * @param thread name of the thread that acquired it; null where it belongs to none
	 * @param since when it was acquired
	 * @param heldFor how long ago that was
	 * @param remaining how long it stays held unless renewed
	 * @param renewals how often it was renewed
	 * @param lease the lease that was asked for
	 * @param renewed whether the watchdog renews it
	 * @param atRisk whether renewing it fails at the moment
	 * @param waiting how many callers of this instance wait for the same key
	 * @param mode how it was asked for: exclusive, read, write, permit
	 * @param fenced whether transactions under it are fenced
	 * @param stack what the thread does at the moment, where that was asked for
	 */
	public record HeldDescriptor(String name, @Nullable String key, long token, @Nullable String thread, Instant since,
			Duration heldFor, Duration remaining, long renewals, Duration lease, boolean renewed, boolean atRisk,
			int waiting, String mode, boolean fenced, @Nullable List<String> stack) {

	}

	/**
	 * A caller that waits.
	 *
	 * @param name name of the lock
	 * @param key its id, hidden where values are; null where it has none
	 * @param thread name of the thread that waits; null for an asynchronous caller
	 * @param since when the wait began
	 * @param mode how it is asked for: exclusive, read, write, permit
	 */
	public record WaitingDescriptor(String name, @Nullable String key, @Nullable String thread, Instant since,
			String mode) {

	}

	/**
	 * A lock that is kept for its next caller though nobody holds it.
	 *
	 * @param name name of the lock
	 * @param key its id, hidden where values are; null where it has none
	 * @param token the fencing token of its last hold
	 * @param since when that was closed
	 * @param idleFor how long ago that was
	 * @param remaining how long it stays with this instance unless renewed
	 */
	public record IdleDescriptor(String name, @Nullable String key, long token, Instant since, Duration idleFor,
			Duration remaining) {
	}

	/**
	 * What the store says of a lock that somebody holds; of several, the one whose lease
	 * ends first.
	 *
	 * @param holder label of the holder: application name, host and thread
	 * @param token the first fencing token of the lease
	 * @param remaining how long the lease lasts unless it is renewed
	 * @param waiting how many instances wait
	 * @param mode how it is held: exclusive, also by who writes, read, permit
	 * @param holders all who read or have permits, in the order in which their leases
	 * end; null where it is exclusive
	 */
	public record StateDescriptor(String holder, long token, Duration remaining, int waiting, String mode,
			@Nullable List<HolderDescriptor> holders) {

	}

	/**
	 * One of those who hold a lock together.
	 *
	 * @param holder label of the holder: application name, host and thread
	 * @param token the first fencing token of its lease
	 * @param remaining how long that lasts unless it is renewed
	 * @param permits by how many permits it has asked; null of who reads
	 */
	public record HolderDescriptor(String holder, long token, Duration remaining, @Nullable Integer permits) {

	}

}
