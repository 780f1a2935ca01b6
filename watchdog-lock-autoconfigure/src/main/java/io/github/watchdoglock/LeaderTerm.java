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
 * The time from an instance's becoming leader of a role to the end of that. Thread-safe;
 * stays what it was when it is over.
 * <p>
 * Not promised: that what was begun while {@link #isLeading()} was true has arrived
 * before the next term begins. Give {@link #number()} to what must not be changed by a
 * leader of a former term.
 */
public interface LeaderTerm {

	/**
	 * The role.
	 * @return its name
	 */
	String role();

	/**
	 * A number that grows with each term of the role, over all instances: the fencing
	 * token. A store that refuses writes with a smaller number than it has seen is safe
	 * from leaders of former terms.
	 * @return the number, positive
	 */
	long number();

	/**
	 * Whether the term lasts, by this process' clock: false from the moment that somebody
	 * else might lead less a margin ({@code watchdog-lock.stop-margin}), and as soon as
	 * it is given up. Never true again. Asks nobody and costs nanoseconds.
	 * @return whether it lasts
	 */
	boolean isLeading();

	/**
	 * Check that the term lasts, as {@link #isLeading()} does.
	 * @throws LockLostException if it is over
	 */
	void ensureLeading();

	/**
	 * How long the term lasts if it is not renewed once more.
	 * @return what is left, zero if it is over
	 */
	Duration remaining();

}
