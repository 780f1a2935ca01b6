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

import java.util.Optional;

/**
 * An instance's part in the election of one role. Thread-safe.
 */
public interface Leadership extends AutoCloseable {

	/**
	 * Return the name of the role.
	 * @return the name
	 */
	String role();

	/**
	 * Return whether this instance leads the role at the moment, as
	 * {@link LeaderTerm#isLeading()} does. Sends no command, and takes nanoseconds.
	 * @return whether it leads
	 */
	boolean isLeader();

	/**
	 * Return the term in which this instance leads.
	 * @return the term, empty if it does not lead
	 */
	Optional<LeaderTerm> term();

	/**
	 * Resign the term, if there is one, and stay a candidate, behind all candidates that
	 * wait. From now on {@link #isLeader()} is false, and the work is interrupted. The
	 * next candidate leads when the work has ended. Does not wait for that.
	 */
	void resign();

	/**
	 * Notify a listener about this role from now on; if this instance leads, the listener
	 * is notified about that at once.
	 * @param listener the listener
	 * @return a task that removes the listener
	 */
	Runnable addListener(LeaderListener listener);

	/**
	 * Resign the term, and be no candidate until {@link LeaderElection#join} is called
	 * for the role again. Does not wait for the end of the work: before that end, another
	 * instance leads only when the lease has expired. Does nothing if this instance is
	 * not a candidate.
	 */
	@Override
	void close();

}
