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

package io.github.watchdoglock.engine;

/**
 * What the watchdog calls when an {@link Alarm} rings. An alarm may ring though it was
 * cancelled or put off a moment ago: the state decides what is to be done.
 */
interface Timed {

	/**
	 * First pass of a turn: what is over is declared over before anything is sent.
	 * @param now the time
	 */
	default void expire(long now) {
	}

	/**
	 * Second pass of a turn.
	 * @param now the time
	 * @param renewals what is to be renewed in this turn
	 */
	void proceed(long now, RenewalBatch renewals);

}
