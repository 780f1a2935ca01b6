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
 * How long a lock lasts in Redis without a sign of life from its holder, and whether the
 * watchdog gives one. Immutable.
 * <p>
 * A renewed lease bounds what a crash costs and says nothing about how long the work may
 * take. A fixed lease bounds the work: when it is over the lock is lost, whether the work
 * is done or not.
 *
 * @param duration the length, positive, counted in milliseconds
 * @param renewed whether the watchdog renews it while the lock is held
 */
public record Lease(Duration duration, boolean renewed) {

	/* A century: beyond it Redis' and Java's arithmetic on nanoseconds would overflow. */
	private static final Duration MAXIMUM = Duration.ofDays(36_500);

	public Lease {
		if (duration == null || duration.toMillis() <= 0 || duration.compareTo(MAXIMUM) > 0) {
			throw new IllegalArgumentException(
					"'lease' must be from 1ms to " + MAXIMUM.toDays() + " days, and was " + duration);
		}
	}

	/**
	 * A lease that the watchdog renews every third of its length until the lock is
	 * released or lost.
	 * @param duration the length, positive
	 * @return the lease
	 */
	public static Lease renewed(Duration duration) {
		return new Lease(duration, true);
	}

	/**
	 * A lease that ends after its length, and with it the lock.
	 * @param duration the length, positive
	 * @return the lease
	 */
	public static Lease fixed(Duration duration) {
		return new Lease(duration, false);
	}

}
