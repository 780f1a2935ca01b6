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

package io.github.watchdoglock.samples.flashsale.watch;

/**
 * Something out of the ordinary that happened on an instance.
 *
 * @param id a number that grows with each event
 * @param at the time, in ms since 1970
 * @param url the instance
 * @param kind what kind of event it is
 * @param lock the lock or role; empty if it concerns Redis
 * @param what what happened, as a sentence
 */
public record Event(long id, long at, String url, Kind kind, String lock, String what) {

	/**
	 * The kinds of events.
	 */
	public enum Kind {

		/**
		 * Redis was frozen.
		 */
		FROZEN,

		/**
		 * A demonstration makes a sale lose its lock.
		 */
		MISHAP,

		/**
		 * A lock is at risk, or a release failed.
		 */
		WARNING,

		/**
		 * A lock was lost.
		 */
		LOST,

		/**
		 * More was sold than was in stock.
		 */
		OVERSOLD,

		/**
		 * A lock was renewed or released in time, or an instance became the leader.
		 */
		GOOD

	}

}
