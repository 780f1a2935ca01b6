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
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What is asked of a {@link LockService}. Immutable; what is not set comes from the
 * properties.
 *
 * @param key the lock
 * @param waitTime how long to wait for it: zero tries once, negative waits without end,
 * null is the property {@code watchdog-lock.wait-time}
 * @param lease how long it lasts; null is the property {@code watchdog-lock.lease-time},
 * renewed
 */
public record LockRequest(LockKey key, @Nullable Duration waitTime, @Nullable Lease lease) {

	public LockRequest {
		Objects.requireNonNull(key, "'key' must not be null");
	}

	/**
	 * A request for the lock that has a name and no id.
	 * @param name the name, not blank
	 * @return the request
	 * @throws LockKeyException if the name is null or blank
	 */
	public static LockRequest of(String name) {
		return of(LockKey.of(name));
	}

	/**
	 * A request for one of the locks of a name.
	 * @param name the name, not blank
	 * @param id the id, not blank; null for the lock without an id
	 * @return the request
	 * @throws LockKeyException if the name is null or blank, or the id blank
	 */
	public static LockRequest of(String name, @Nullable String id) {
		return of(LockKey.of(name, id));
	}

	/**
	 * A request for a key.
	 * @param key the key
	 * @return the request
	 */
	public static LockRequest of(LockKey key) {
		return new LockRequest(key, null, null);
	}

	/**
	 * This request with a time to wait.
	 * @param waitTime zero tries once, negative waits without end
	 * @return a new request
	 */
	public LockRequest withWaitTime(Duration waitTime) {
		return new LockRequest(this.key, Objects.requireNonNull(waitTime, "'waitTime' must not be null"), this.lease);
	}

	/**
	 * This request with a lease.
	 * @param lease the lease
	 * @return a new request
	 */
	public LockRequest withLease(Lease lease) {
		return new LockRequest(this.key, this.waitTime, Objects.requireNonNull(lease, "'lease' must not be null"));
	}

}
