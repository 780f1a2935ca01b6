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
 * A term: the time during which an instance leads a role. Thread-safe. A term that has
 * ended does not change any more.
 * <p>
 * Not promised: that an action that was begun while {@link #isLeading()} was true has
 * taken effect before the next term begins. Pass {@link #number()} to systems that must
 * reject changes by a leader of a former term.
 */
public interface LeaderTerm {

	/**
	 * Return the name of the role.
	 * @return the name
	 */
	String role();

	/**
	 * Return a number that grows with each term of the role, across all instances: the
	 * fencing token. A store that rejects writes with a number smaller than the greatest
	 * one that it has seen is safe from leaders of former terms.
	 * @return the number, positive
	 */
	long number();

	/**
	 * Return whether the term lasts, by the clock of this process. This is false from a
	 * margin ({@code watchdog-lock.stop-margin}) before the moment when another instance
	 * might lead, and as soon as the term is resigned. It is never true again. Sends no
	 * command, and takes nanoseconds.
	 * @return whether the term lasts
	 */
	boolean isLeading();

	/**
	 * Check that the term lasts, as {@link #isLeading()} does.
	 * @throws LockLostException if it has ended
	 */
	void ensureLeading();

	/**
	 * Return how long the term lasts if it is not renewed again.
	 * @return the remaining time, zero if the term has ended
	 */
	Duration remaining();

}
