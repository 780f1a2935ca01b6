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
 * Elections whose threads and delays are provided from outside.
 */
public final class SimulatedElections {

	private SimulatedElections() {
	}

	/**
	 * Create elections; they have no candidates until they are started.
	 * @param locks the locks of the roles
	 * @param settings the settings of each role
	 * @param threads the source of threads
	 * @param delays runs tasks later
	 * @return the elections
	 */
	public static LeaderElections of(RoleLocks locks, RoleSettings settings, Threads threads, Delays delays) {
		return new LeaderElections(locks, (role) -> settings, threads, delays);
	}

}
