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

package io.github.watchdoglock.listener;

import java.time.Duration;

import io.github.watchdoglock.LockKey;

/**
 * An observer of the locks by which leaders are elected; listeners of locks are not
 * notified of these. Called inline, on the thread on which an event happens: must neither
 * block nor throw.
 */
public interface RoleObserver {

	/** An observer that ignores all events. */
	RoleObserver NONE = new RoleObserver() {
	};

	/**
	 * Receive that renewing has begun to fail: the lock will be lost unless a renewal
	 * succeeds in time.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 * @param remaining the time left until then
	 * @param cause why the renewal failed
	 */
	default void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
	}

	/**
	 * Receive that renewing works again after {@link #atRisk}.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 */
	default void recovered(LockKey key, long token) {
	}

	/**
	 * Receive that the release of a hold has failed; it is repeated.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 * @param cause why the release failed
	 */
	default void releaseFailed(LockKey key, long token, Throwable cause) {
	}

	/**
	 * Receive that another instance requests the holder to release the lock.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 */
	default void resignRequested(LockKey key, long token) {
	}

}
