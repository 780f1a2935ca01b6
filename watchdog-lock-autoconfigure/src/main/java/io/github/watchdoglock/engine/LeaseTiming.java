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
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.LeaseLimits;

/**
 * A lease with all the times that follow from it. Immutable; shared by all holds with
 * equal leases. Times without a unit are nanoseconds. A chance is a random number, at
 * least zero and less than one.
 *
 * @param lease the lease
 * @param timeout how long a command for it may take
 * @param poll the maximum interval in which a waiting attempt asks; it is sent with the
 * request, and the store takes the attempt for dead if it asks less often
 * @param length the lease's length
 * @param margin the time that a holder of a renewed lease has to stop its work
 * @param valid how long after sending a confirmed command a hold is valid
 */
record LeaseTiming(Lease lease, Duration timeout, Duration poll, long length, long margin, long valid) {

	/*
	 * If the last confirmation is older than this, the store is asked before a lease is
	 * handed on.
	 */
	private static final long MAX_CONFIRMATION_AGE = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(10);

	/* The maximum time for which a try waits if a key may be idle. */
	private static final Duration MAX_TRIAL = Duration.ofMillis(100);

	/* The minimum time between renewals of equal leases that are not sent together. */
	private static final long RENEWAL_GRID = TimeUnit.MILLISECONDS.toNanos(100);

	/* Applies to renewals in both directions, to polls downwards only. */
	private static final double JITTER = 1.0 / LeaseLimits.JITTER_DIVISOR;

	static LeaseTiming of(Lease lease, EngineSettings settings) {
		LeaseLimits limits = settings.limits();
		Duration length = lease.duration();
		try {
			limits.check(lease);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"A lease of " + LeaseLimits.text(length) + " is not allowed: " + ex.getMessage(), ex);
		}
		Duration poll = LeaseLimits.poll(length, settings.pollInterval());
		return new LeaseTiming(lease, limits.timeout(length), poll, length.toNanos(), limits.margin(length).toNanos(),
				limits.valid(lease).toNanos());
	}

	/*
	 * Whether this lease is at least as strong as another one: not shorter, and renewed
	 * if the other one is.
	 */
	boolean covers(LeaseTiming other) {
		return this.length >= other.length && (this.lease.renewed() || !other.lease.renewed());
	}

	/* Return the weakest lease that covers this one and another. */
	Lease with(LeaseTiming other) {
		Lease longer = (this.length >= other.length) ? this.lease : other.lease;
		return new Lease(longer.duration(), this.lease.renewed() || other.lease.renewed());
	}

	/*
	 * How long the machine may sleep unnoticed without another instance getting the key
	 * before the hold has ended.
	 */
	long tolerance() {
		return this.lease.renewed() ? this.margin : this.length - this.valid;
	}

	/* How long after a confirmation by the store the lease may be handed on. */
	long confirmationAge() {
		return Math.min(this.length / 30, MAX_CONFIRMATION_AGE);
	}

	private long period() {
		return this.length / LeaseLimits.RENEWALS;
	}

	/**
	 * Return when to renew a new lease for the first time: at some time in the second
	 * half of a period, so that not all leases that were granted together are renewed
	 * together.
	 */
	long firstRenewal(long sent, double chance) {
		long half = period() / 2;
		return onGrid(onGrid(sent) + half + (long) (chance * half));
	}

	long nextRenewal(long sent, double chance) {
		return onGrid(onGrid(sent) + (long) (period() * (1 - JITTER + 2 * JITTER * chance)));
	}

	/* Whether a time is one of those at which the next renewal can be due. */
	boolean isNextRenewal(long moment, long sent) {
		return moment - nextRenewal(sent, 0) >= 0 && moment - nextRenewal(sent, 1) <= 0;
	}

	/*
	 * Make a time earlier by less than the grid, so that renewals that are due together
	 * are sent as one command. Times count from the beginning of an interval of the grid,
	 * so that renewals that were sent in one interval stay together.
	 */
	private long onGrid(long moment) {
		return moment - Math.floorMod(moment, grid());
	}

	/* The number of the grid's interval in which a time lies. */
	long gridInterval(long moment) {
		return Math.floorDiv(moment, grid());
	}

	private long grid() {
		return Math.min(RENEWAL_GRID, period() / 10);
	}

	/*
	 * How long to wait before asking again for a key that another attempt has. A lease
	 * that has expired on the store's clock is gone at most a moment (the grace) later.
	 */
	long untilNextAsk(long sinceSent, Duration remaining, double chance) {
		return Math.min(pollInterval(chance) - sinceSent, remaining.toNanos() + GRACE);
	}

	/* How long a caller without a wait time may have a place. */
	Duration trial() {
		return (this.timeout.compareTo(MAX_TRIAL) < 0) ? this.timeout : MAX_TRIAL;
	}

	/**
	 * Return the time until the next request while waiting. The store takes an attempt
	 * for dead after two or three of the whole intervals that it was sent, so the jitter
	 * only shortens it.
	 */
	long pollInterval(double chance) {
		return (long) (this.poll.toNanos() * (1 - JITTER + JITTER * chance));
	}

}
