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
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A hold or a wait of this instance at one moment. Immutable.
 *
 * @param key the lock
 * @param status whether it is held or waited for
 * @param thread name of the thread that acquired it or waits; null for an asynchronous
 * caller
 * @param since when it was acquired, or when the wait began, by the wall clock
 * @param elapsed how long ago that was, by the monotonic clock
 * @param fencingToken the hold's token; zero while waiting
 * @param remaining how long it stays held unless renewed; zero while waiting
 * @param lease what was asked for
 * @param renewals how often its lease was renewed, also under holders of this instance
 * who handed it on; zero while waiting
 * @param atRisk whether renewing it fails at the moment
 * @param waiting how many callers of this instance wait for the same key
 */
public record LockSnapshot(LockKey key, Status status, @Nullable String thread, Instant since, Duration elapsed,
		long fencingToken, Duration remaining, Lease lease, long renewals, boolean atRisk, int waiting) {

	/**
	 * What a caller is to a lock.
	 */
	public enum Status {

		/**
		 * It holds the lock.
		 */
		HELD,

		/**
		 * It waits for the lock.
		 */
		WAITING

	}

}
