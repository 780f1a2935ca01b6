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

import io.github.watchdoglock.time.Threads;

/**
 * Elections all of whose threads and delays come from elsewhere.
 */
public final class SimulatedElections {

	private SimulatedElections() {
	}

	/**
	 * Create them; they stand for nothing before they are started.
	 * @param locks by which leaders are elected
	 * @param settings what counts for each role
	 * @param threads where threads come from
	 * @param delays does things later
	 * @return the elections
	 */
	public static LeaderElections of(RoleLocks locks, RoleSettings settings, Threads threads, Delays delays) {
		return new LeaderElections(locks, (role) -> settings, threads, delays);
	}

}
