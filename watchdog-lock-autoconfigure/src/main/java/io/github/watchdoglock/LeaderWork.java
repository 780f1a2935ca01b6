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
 * What an instance does while it leads a role.
 *
 * @see LeaderElection#stand(String, LeaderWork)
 */
@FunctionalInterface
public interface LeaderWork {

	/**
	 * Do the leader's work, until interrupted: on a thread of its own, once for each
	 * term. It is interrupted when the term ends, for whatever reason; this instance does
	 * not lead again before it has come back, so that one process never runs two terms of
	 * a role.
	 * <p>
	 * To return without being asked to gives the term up, and so does an exception:
	 * another candidate goes first. This instance stands again a second later, and after
	 * exceptions in a row twice as late each time, up to a minute.
	 * @param term the term, to be asked before each step that only a leader may do
	 * @throws Exception what went wrong; logged, unless the term was over before
	 */
	void lead(LeaderTerm term) throws Exception;

}
