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
	 * The role.
	 * @return its name
	 */
	String role();

	/**
	 * Whether this instance leads the role at the moment, as
	 * {@link LeaderTerm#isLeading()} says. Asks nobody and costs nanoseconds.
	 * @return whether it leads
	 */
	boolean isLeader();

	/**
	 * The term in which this instance leads.
	 * @return the term, empty where it does not lead
	 */
	Optional<LeaderTerm> term();

	/**
	 * Give the term up, if there is one, and stay a candidate: the last one of those who
	 * wait. From now on {@link #isLeader()} is false, and the work is interrupted; when
	 * it has ended the next candidate leads. Does not wait for that.
	 */
	void resign();

	/**
	 * Tell a listener about this role from now on; at once that it leads, if it does.
	 * @param listener the listener
	 * @return to be run to tell it no more
	 */
	Runnable addListener(LeaderListener listener);

	/**
	 * Give the term up, and be no candidate any more until somebody stands for the role
	 * again. Does not wait for the end of the work, without which nobody else leads
	 * before the lease is over. Does nothing where this instance does not stand.
	 */
	@Override
	void close();

}
