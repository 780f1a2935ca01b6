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

import io.github.watchdoglock.text.DurationText;

/**
 * The length of a lock's lease, and whether the watchdog renews it. If a lease is not
 * renewed, the lock ends in Redis when the lease has expired. Immutable.
 * <p>
 * A renewed lease limits how long other callers wait after a crash, and not how long the
 * work may take. A fixed lease limits the work: when it has expired, the lock is lost,
 * even if the work is not done.
 *
 * @param duration the length, positive, in whole milliseconds
 * @param renewed whether the watchdog renews it while the lock is held
 */
public record Lease(Duration duration, boolean renewed) {

	/*
	 * A century: with longer leases, nanoseconds would overflow in the arithmetic of
	 * Redis and Java.
	 */
	private static final Duration MAXIMUM = Duration.ofDays(36_500);

	public Lease {
		if (duration == null || duration.toMillis() <= 0 || duration.compareTo(MAXIMUM) > 0) {
			throw new IllegalArgumentException(
					"'lease' must be from 1ms to " + MAXIMUM.toDays() + " days, and was " + DurationText.of(duration));
		}
	}

	/**
	 * Return a lease that the watchdog renews every third of its length, until the lock
	 * is released or lost.
	 * @param duration the length, positive
	 * @return the lease
	 */
	public static Lease renewed(Duration duration) {
		return new Lease(duration, true);
	}

	/**
	 * Return a lease that is not renewed: the lock is lost when it has expired.
	 * @param duration the length, positive
	 * @return the lease
	 */
	public static Lease fixed(Duration duration) {
		return new Lease(duration, false);
	}

}
