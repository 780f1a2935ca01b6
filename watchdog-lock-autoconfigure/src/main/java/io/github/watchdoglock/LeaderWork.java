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
 * The work that an instance does while it leads a role.
 */
@FunctionalInterface
public interface LeaderWork {

	/**
	 * Do the work of the leader until interrupted. Called once for each term, on a
	 * separate thread. That thread is interrupted when the term ends, for whatever
	 * reason. This instance does not lead again before this method has returned, so one
	 * process never runs two terms of a role.
	 * <p>
	 * A method that returns without having been interrupted, or throws an exception,
	 * resigns the term: another candidate goes first. This instance is a candidate again
	 * a second later; after each consecutive exception this pause doubles, up to a
	 * minute.
	 * @param term the term, to be checked before each step that only a leader may do
	 * @throws Exception if the work fails; logged, unless the term had ended before
	 */
	void lead(LeaderTerm term) throws Exception;

}
