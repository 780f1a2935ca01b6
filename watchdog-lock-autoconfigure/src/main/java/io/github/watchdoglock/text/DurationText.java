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

package io.github.watchdoglock.text;

import java.time.Duration;

/**
 * Durations, as people read them.
 */
public final class DurationText {

	private DurationText() {
	}

	/**
	 * Return a duration in milliseconds, or from one second on in seconds with one digit
	 * after the point.
	 * @param duration the duration
	 * @return for example {@code 250 ms}, {@code 4.2 s} or {@code 300 s}
	 */
	public static String of(Duration duration) {
		long millis = duration.toMillis();
		if (Math.abs(millis) < 1_000) {
			return millis + " ms";
		}
		long tenths = Math.round(millis / 100.0);
		return tenths / 10 + ((tenths % 10 != 0) ? "." + Math.abs(tenths % 10) : "") + " s";
	}

}
