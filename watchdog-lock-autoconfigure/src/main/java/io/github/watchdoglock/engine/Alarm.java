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
 * What the watchdog looks at when its time has come: an entry of the {@link TimerWheel},
 * which alone touches the fields. It may ring though it was cancelled or put off a moment
 * ago: the state decides what is to be done.
 */
abstract class Alarm {

	/*
	 * Extended by what is looked at, rather than pointing to it: a held lock would be
	 * heavier by an object.
	 */
	static final long UNSET = Long.MIN_VALUE;

	long tick = UNSET;

	/** Its index in its bucket. */
	int place;

	/* First pass of a turn: what is over is declared over before anything is sent. */
	void expire(long now) {
	}

	/* Second pass: what is to be renewed joins the others. */
	abstract void proceed(long now, RenewalBatch renewals);

}
