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

package io.github.watchdoglock.leader;

import java.time.Duration;

/**
 * How long an instance does not stand after a term that it gave up. Not thread-safe.
 */
final class Pauses {

	static final Duration SHORTEST = Duration.ofSeconds(1);

	static final Duration LONGEST = Duration.ofMinutes(1);

	private int failures;

	/* Work that has led for so long is well. */
	Duration afterFailure(Duration led) {
		if (led.compareTo(LONGEST) > 0) {
			this.failures = 0;
		}
		Duration pause = SHORTEST.multipliedBy(1L << Math.min(this.failures, 6));
		this.failures++;
		return (pause.compareTo(LONGEST) < 0) ? pause : LONGEST;
	}

	Duration afterReturn() {
		this.failures = 0;
		return SHORTEST;
	}

	/* After an end that was no failure of the work. */
	Duration none() {
		this.failures = 0;
		return Duration.ZERO;
	}

}
