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
 * Hears of the locks by which leaders are elected, of which no listener of locks does.
 * Called inline, on whichever thread something happens: must neither block nor throw.
 */
public interface RoleObserver {

	/**
	 * Nobody cares.
	 */
	RoleObserver NONE = new RoleObserver() {
	};

	/**
	 * Renewing began to fail: the lock is lost unless that changes in time.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 * @param remaining the time left until then
	 * @param cause what went wrong
	 */
	default void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
	}

	/**
	 * Renewing works again after {@link #atRisk}.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 */
	default void recovered(LockKey key, long token) {
	}

	/**
	 * The store could not be told that a hold has ended; that is repeated.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 * @param cause what went wrong
	 */
	default void releaseFailed(LockKey key, long token, Throwable cause) {
	}

	/**
	 * Another instance asks the holder to give the lock back.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 */
	default void asked(LockKey key, long token) {
	}

}
