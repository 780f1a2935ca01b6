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

package io.github.watchdoglock.settings;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import io.github.watchdoglock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The limits for the lengths of leases, and the times that are derived from a lease.
 * Immutable.
 *
 * @param minLeaseTime the shortest lease allowed
 * @param commandTimeout how long the store may take; null for a tenth of the lease, at
 * least 200 ms and at most 2 s
 * @param stopMargin how long before the end of its lease a renewed hold ends; null for a
 * sixth of the lease, which is also the maximum
 */
public record LeaseLimits(Duration minLeaseTime, @Nullable Duration commandTimeout, @Nullable Duration stopMargin) {

	/** The number of renewals in the length of a lease. */
	public static final int RENEWALS = 3;

	/** The part of their interval by which renewals come earlier or later: a tenth. */
	public static final int JITTER_DIVISOR = 10;

	/* A holder may need a sixth of its lease to stop its work. */
	private static final int MARGIN_DIVISOR = 6;

	/* A waiting instance asks six times in the length of its lease, or more often. */
	private static final int POLLS = 6;

	/* A command may take a tenth of its lease, within the limits below. */
	private static final int TIMEOUT_DIVISOR = 10;

	/*
	 * A renewal with its jitter that is a quarter late still has a timeout until the end
	 * of the lease. To renew less often, this and the minimum lease have to change, too.
	 */
	private static final int DELAY_DIVISOR = 4;

	/* The maximum drift between two clocks during one lease: a hundredth of the lease. */
	private static final int DRIFT_DIVISOR = 100;

	private static final Duration MIN_DRIFT = Duration.ofMillis(2);

	private static final Duration MIN_TIMEOUT = Duration.ofMillis(200);

	private static final Duration MAX_TIMEOUT = Duration.ofSeconds(2);

	/**
	 * Return the defaults: leases of at least one second, and derived times.
	 * @return the limits
	 */
	public static LeaseLimits defaults() {
		return new LeaseLimits(Duration.ofSeconds(1), null, null);
	}

	/**
	 * Check that a lease is long enough and, if it is renewed, that it leaves time for a
	 * renewal and its repetition.
	 * @param lease the lease
	 * @throws IllegalArgumentException if it is too short; the message names the property
	 * with the limit
	 */
	public void check(Lease lease) {
		Duration length = lease.duration();
		if (length.compareTo(this.minLeaseTime) < 0) {
			throw new IllegalArgumentException(
					"it is shorter than watchdog-lock.min-lease-time (" + text(this.minLeaseTime) + ")");
		}
		Duration interval = length.dividedBy(RENEWALS);
		Duration needed = interval.plus(interval.dividedBy(JITTER_DIVISOR)).plus(timeout(length).multipliedBy(2));
		if (lease.renewed() && needed.compareTo(valid(lease)) >= 0) {
			throw new IllegalArgumentException(
					"it leaves no time for a renewal and its repetition, each of which may take "
							+ text(timeout(length))
							+ "; make it longer, or lower watchdog-lock.command-timeout or watchdog-lock.stop-margin");
		}
	}

	/**
	 * Return how long a hold is valid after a command was sent that the store confirmed.
	 * @param lease the lease that was confirmed
	 * @return the time
	 */
	public Duration valid(Lease lease) {
		Duration length = lease.duration();
		Duration drift = Collections.max(List.of(length.dividedBy(DRIFT_DIVISOR), MIN_DRIFT));
		return length.minus(drift).minus(lease.renewed() ? margin(length) : Duration.ZERO);
	}

	/**
	 * Return how long the store may take for a command.
	 * @param length the length of the lease that the command is for
	 * @return the time
	 */
	public Duration timeout(Duration length) {
		return (this.commandTimeout != null) ? this.commandTimeout : Collections
			.min(List.of(MAX_TIMEOUT, Collections.max(List.of(MIN_TIMEOUT, length.dividedBy(TIMEOUT_DIVISOR)))));
	}

	/**
	 * Return how much earlier than in the store a renewed lease ends for its holder.
	 * @param length the length of the lease
	 * @return the time
	 */
	public Duration margin(Duration length) {
		Duration most = length.dividedBy(MARGIN_DIVISOR);
		return (this.stopMargin != null) ? Collections.min(List.of(this.stopMargin, most)) : most;
	}

	/**
	 * Return the time after which a waiting instance asks again.
	 * @param length the length of the lease
	 * @param most the longest time
	 * @return the time
	 */
	public static Duration poll(Duration length, Duration most) {
		return Collections.min(List.of(length.dividedBy(POLLS), most));
	}

	/**
	 * Return how late renewals may be before that is reported: a quarter of the lease,
	 * which leaves time for a renewal.
	 * @param length the length of the lease
	 * @return the time
	 */
	public static Duration maxDelay(Duration length) {
		return length.dividedBy(DELAY_DIVISOR);
	}

	/**
	 * Format a duration like the value of a property.
	 * @param duration the duration
	 * @return for example {@code 30s} or {@code 1500ms}
	 */
	public static String text(Duration duration) {
		long millis = duration.toMillis();
		return (millis % 1000 == 0) ? millis / 1000 + "s" : millis + "ms";
	}

}
