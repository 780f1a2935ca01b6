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
 * The election of one leader for each role, among all instances that are candidates for
 * it. Available as a bean. Thread-safe.
 * <p>
 * A role is independent of locks: no lock has the key of a role, even if the names are
 * equal. The property {@code watchdog-lock.leaders.<role>}, the annotation
 * {@link io.github.watchdoglock.annotation.LeaderOnly} or a call of {@link #join} makes
 * an instance a candidate for a role. It is a candidate from the start of the application
 * until the application stops, whatever happens to Redis. Candidates lead in the order of
 * arrival.
 * <p>
 * Not promised: that an instance leads at all times, or that no other instance leads
 * because a term of this one lasted a moment ago. See {@link LeaderTerm}.
 * <p>
 * For example: <pre>{@code @Bean Leadership reports(LeaderElection election) {
 *     return election.join("reports", (term) -> {
 *         while (term.isLeading()) {
 *             report();
 *         }
 *     });
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface LeaderElection {

	/**
	 * Become a candidate for a role, with work to be done while leading. If the
	 * application has not started yet, the candidacy begins with its start. If this
	 * instance is already a candidate for the role, but without such work, the work is
	 * added, and begins at once if the instance leads.
	 * @param role the role, not blank
	 * @param work the work
	 * @return this instance's part in the election
	 * @throws LockConfigurationException if this instance already has such work for the
	 * role
	 * @throws LockKeyException if the role is null or blank
	 */
	Leadership join(String role, LeaderWork work);

	/**
	 * Return this instance's part in the election of a role, without becoming a
	 * candidate.
	 * @param role the role, not blank
	 * @return the part in the election, always the same object; if this instance is not a
	 * candidate, it does not lead, but listeners can be added
	 * @throws LockKeyException if the role is null or blank
	 */
	Leadership of(String role);

}
