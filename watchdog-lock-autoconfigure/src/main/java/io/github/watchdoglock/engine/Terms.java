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

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.github.watchdoglock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A lease with all the times that follow from it. Immutable; shared by all holds with
 * equal leases. Times without a unit are nanoseconds.
 *
 * @param lease the lease
 * @param timeout how long a command for it may take
 * @param poll how often a waiting attempt asks, at most
 * @param length the lease's length
 * @param valid how long after sending a confirmed command a hold is valid
 */
record Terms(Lease lease, Duration timeout, Duration poll, long length, long valid) {

	/* How far two clocks may drift apart while they count one lease. */
	private static final long DRIFT_DIVISOR = 100;

	private static final Duration MIN_DRIFT = Duration.ofMillis(2);

	private static final Duration MIN_TIMEOUT = Duration.ofMillis(200);

	private static final Duration MAX_TIMEOUT = Duration.ofSeconds(2);

	/* Jitter of renewals, to either side, in tenths of the period. */
	private static final double JITTER = 0.1;

	static Terms of(Lease lease, EngineSettings settings) {
		Duration length = lease.duration();
		if (length.compareTo(settings.minLeaseTime()) < 0) {
			throw new IllegalArgumentException("'lease' must not be shorter than " + settings.minLeaseTime().toMillis()
					+ " ms (watchdog-lock.min-lease-time), and was " + length.toMillis() + " ms");
		}
		Duration timeout = timeout(length, settings.commandTimeout());
		Duration poll = min(settings.pollInterval(), length.dividedBy(6));
		Duration drift = max(length.dividedBy(DRIFT_DIVISOR), MIN_DRIFT);
		Duration valid = length.minus(drift).minus(lease.renewed() ? margin(length, settings) : Duration.ZERO);
		Terms terms = new Terms(lease, timeout, poll, length.toNanos(), valid.toNanos());
		if (lease.renewed() && terms.period() * (1 + JITTER) + 2 * timeout.toNanos() >= terms.valid) {
			throw new IllegalArgumentException("A lease of " + length.toMillis()
					+ " ms leaves no time for a renewal and its repetition with a command time-out of "
					+ timeout.toMillis()
					+ " ms: lengthen the lease, or shorten watchdog-lock.command-timeout or watchdog-lock.stop-margin");
		}
		return terms;
	}

	private static Duration timeout(Duration length, @Nullable Duration setting) {
		return (setting != null) ? setting : min(MAX_TIMEOUT, max(MIN_TIMEOUT, length.dividedBy(10)));
	}

	private static Duration margin(Duration length, EngineSettings settings) {
		Duration most = length.dividedBy(6);
		return (settings.stopMargin() != null) ? min(settings.stopMargin(), most) : most;
	}

	private static Duration min(Duration a, Duration b) {
		return (a.compareTo(b) < 0) ? a : b;
	}

	private static Duration max(Duration a, Duration b) {
		return (a.compareTo(b) > 0) ? a : b;
	}

	private long period() {
		return this.length / 3;
	}

	/**
	 * When to renew a new grant first: anywhere in the second half of a period, so that
	 * grants made together are not renewed together.
	 */
	long firstRenewal() {
		return this.length / 6 + ThreadLocalRandom.current().nextLong(this.length / 6);
	}

	long nextRenewal() {
		return (long) (period() * ThreadLocalRandom.current().nextDouble(1 - JITTER, 1 + JITTER));
	}

	/**
	 * When to ask again while waiting. The place in the queue counts on the whole
	 * interval, so the jitter only shortens it.
	 */
	long nextPoll() {
		return (long) (this.poll.toNanos() * ThreadLocalRandom.current().nextDouble(1 - JITTER, 1));
	}

}
