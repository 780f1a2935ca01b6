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

package io.github.watchdoglock.leader;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a role's terms. Immutable.
 *
 * @param lease how long a term lasts without a renewal by its leader
 * @param retry how long to pause after the store could not be asked
 * @param grace how long the work may continue after its term before it is logged as
 * overdue, and how long a shutdown waits for listeners
 * @param workTimeout how long the key of a resigned term is kept for work that does not
 * end; then its lease is not renewed any more
 */
public record RoleSettings(Duration lease, Duration retry, Duration grace, Duration workTimeout) {

	/**
	 * Derive the settings from the lease and the poll interval.
	 * @param lease how long a term lasts without a renewal by its leader
	 * @param pollInterval the longest interval at which a waiting instance requests a
	 * lock; null for a second
	 * @param workTimeout how long the key of a resigned term is kept for its work
	 * @return the settings
	 */
	public static RoleSettings of(Duration lease, @Nullable Duration pollInterval, Duration workTimeout) {
		Duration sixth = lease.dividedBy(6);
		Duration poll = (pollInterval != null) ? pollInterval : Duration.ofSeconds(1);
		Duration least = (sixth.compareTo(poll) < 0) ? sixth : poll;
		return new RoleSettings(lease, least.dividedBy(2), sixth, workTimeout);
	}

}
