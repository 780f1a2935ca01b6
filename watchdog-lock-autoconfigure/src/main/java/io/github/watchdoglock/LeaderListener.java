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
 * A listener for the terms of an instance. Beans of this type are notified about all
 * roles; a listener that is added to a {@link Leadership} is notified about that role.
 * <p>
 * Called on a thread of the library, one call at a time for each listener, in order.
 * Exceptions are logged and otherwise ignored. The end of a term is reported at least a
 * margin ({@code watchdog-lock.stop-margin}) before another instance can lead, or, if the
 * process was paused, when it continues. A listener that has not returned from an earlier
 * call is notified late. A resigned term is kept until its listeners have returned, as it
 * is kept for its work, and this instance does not lead again before that.
 */
public interface LeaderListener {

	/**
	 * Called when this instance becomes the leader.
	 * @param term the term
	 */
	default void granted(LeaderTerm term) {
	}

	/**
	 * Called when renewals begin to fail: the term ends unless one succeeds in time.
	 * @param term the term
	 * @param remaining the time left until then
	 * @param cause the failure
	 */
	default void atRisk(LeaderTerm term, Duration remaining, Throwable cause) {
	}

	/**
	 * Called when renewals succeed again after {@link #atRisk}.
	 * @param term the term
	 */
	default void recovered(LeaderTerm term) {
	}

	/**
	 * Called when the term has ended. Its work may still be running.
	 * @param term the term
	 * @param reason why it ended; {@link LockLoss.Reason#RESIGNED} if the term was
	 * resigned, also because its work threw an exception
	 */
	default void revoked(LeaderTerm term, LockLoss.Reason reason) {
	}

}
