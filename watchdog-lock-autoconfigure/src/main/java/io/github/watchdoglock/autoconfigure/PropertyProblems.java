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

package io.github.watchdoglock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.settings.LeaseLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * The problems of properties, which are collected so that all are reported together.
 */
final class PropertyProblems {

	/* A century: beyond it, arithmetic on nanoseconds would overflow. */
	private static final Duration MAXIMUM = Duration.ofDays(36_500);

	private static final Duration MINIMUM = Duration.ofMillis(1);

	private static final Duration WITHOUT_END = Duration.ofMillis(-1);

	private final List<String> problems = new ArrayList<>();

	private final List<String> actions = new ArrayList<>();

	void require(boolean condition, String property, Object value, String problem, String action) {
		if (!condition) {
			this.problems.add("watchdog-lock." + property + " is '" + value + "': " + problem);
			this.actions.add("watchdog-lock." + property + ": " + action);
		}
	}

	void requirePositive(String property, @Nullable Duration value) {
		if (value != null) {
			require(value.compareTo(MINIMUM) >= 0, property, print(value), "it is less than 1ms",
					"set a duration such as 500ms");
			requireBounded(property, value, "set a shorter one");
		}
	}

	void requireNotNegative(String property, @Nullable Duration value, String values) {
		if (value != null) {
			require(!value.isNegative(), property, print(value), "it is negative", "set a duration such as " + values);
			requireBounded(property, value, "set a shorter one");
		}
	}

	private void requireBounded(String property, Duration value, String action) {
		require(value.compareTo(MAXIMUM) <= 0, property, print(value),
				"it is longer than " + MAXIMUM.toDays() + " days", action);
	}

	/* Zero tries once; of the negative values, only -1 has a meaning. */
	void requireWait(String property, @Nullable Duration value) {
		requireWithoutEnd(property, value, "10s, 0s to try once, or -1 to wait indefinitely");
	}

	void requireCommitCheck(String property, @Nullable Duration value) {
		requireWithoutEnd(property, value, "1s, 0s to ask Redis before each commit, or -1 never to ask");
	}

	private void requireWithoutEnd(String property, @Nullable Duration value, String values) {
		if (value != null) {
			require(!value.isNegative() || value.equals(WITHOUT_END), property, print(value),
					"the only negative value allowed is -1", "set a duration such as " + values);
			requireBounded(property, value, "set a shorter one, or -1");
		}
	}

	void requireLinger(String property, @Nullable Duration value) {
		requireNotNegative(property, value, "1s, or 0s to return a released lock to Redis at once");
	}

	void requireFromZero(String property, @Nullable Integer value, int most, String zero, String action) {
		if (value != null) {
			require(value >= 0 && value <= most, property, value, "it is not from 0 (" + zero + ") to " + most, action);
		}
	}

	void requireAllowed(String property, Duration leaseTime, boolean renewed, LeaseLimits limits) {
		try {
			limits.check(new Lease(leaseTime, renewed));
		}
		catch (IllegalArgumentException ex) {
			require(false, property, print(leaseTime), "" + ex.getMessage(),
					"set a lease such as 30s, or change the property that limits it");
		}
	}

	void throwIfAny() {
		if (!this.problems.isEmpty()) {
			throw new LockConfigurationException("The configuration of locks is not valid:" + lines(this.problems),
					"Correct these properties:" + lines(this.actions));
		}
	}

	static String print(Duration duration) {
		return duration.isZero() ? "0s" : DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
	}

	private static String lines(List<String> lines) {
		return "\n\n    - " + String.join("\n    - ", lines);
	}

}
