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

/**
 * Hears of an instance's terms. Beans of this type hear of all roles; one that is added
 * to a {@link Leadership} hears of that role.
 * <p>
 * Called on a thread of the library, one call at a time for each listener, in order.
 * Exceptions are logged and otherwise ignored. The end of a term is told at least a
 * margin ({@code watchdog-lock.stop-margin}) before somebody else can lead, or, where the
 * process stood still, when it runs again; a listener that is not done with what it was
 * told before hears it late. A term that is given up is kept until its listeners have
 * come back, as it is for its work, and this instance does not lead again before.
 */
public interface LeaderListener {

	/**
	 * This instance leads.
	 * @param term the term
	 */
	default void granted(LeaderTerm term) {
	}

	/**
	 * Renewing began to fail: the term ends unless that changes in time.
	 * @param term the term
	 * @param remaining the time left until then
	 * @param cause what went wrong
	 */
	default void atRisk(LeaderTerm term, Duration remaining, Throwable cause) {
	}

	/**
	 * Renewing works again after {@link #atRisk}.
	 * @param term the term
	 */
	default void recovered(LeaderTerm term) {
	}

	/**
	 * The term is over, its work perhaps not yet.
	 * @param term the term
	 * @param reason why; {@link LockLoss.Reason#RESIGNED} where it was given up, be it
	 * for an exception of its work
	 */
	default void revoked(LeaderTerm term, LockLoss.Reason reason) {
	}

}
