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

/**
 * Has one instance lead a role, out of all that stand for it; a bean. Thread-safe.
 * <p>
 * A role stands beside locks: its name is no lock's. Instances stand for it by the
 * property {@code watchdog-lock.leaders.<role>}, by
 * {@link io.github.watchdoglock.annotation.LeaderOnly}, or in code; from the start of the
 * application until it stops, in the order in which they came, whatever happens to Redis.
 * <p>
 * Not promised: that somebody leads at all times, nor that nobody leads elsewhere because
 * a term lasted a moment ago. See {@link LeaderTerm}.
 */
public interface LeaderElection {

	/**
	 * Stand for a role, with work to be done while leading. Before the application has
	 * started, from its start on. Where this instance stands for the role already, by
	 * what has no work of this kind, the work joins, at once if it leads.
	 * @param role the role, not blank
	 * @param work the work
	 * @return the part in the election
	 * @throws LockConfigurationException if this instance has such work for the role
	 * @throws LockKeyException if the role is null or blank
	 */
	Leadership stand(String role, LeaderWork work);

	/**
	 * This instance's part in the election of a role; does not stand for it.
	 * @param role the role, not blank
	 * @return the part in the election, always the same; where nobody has this instance
	 * stand, it does not lead, and may be listened to
	 * @throws LockKeyException if the role is null or blank
	 */
	Leadership of(String role);

}
