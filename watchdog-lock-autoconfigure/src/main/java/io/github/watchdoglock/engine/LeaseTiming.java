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
 * equal leases. Times without a unit are nanoseconds. A chance is at least zero and less
 * than one.
 *
 * @param lease the lease
 * @param timeout how long a command for it may take
 * @param poll how often a waiting attempt asks, at most
 * @param length the lease's length
 * @param margin the time that a holder of a renewed lease is given to stop in
 * @param valid how long after sending a confirmed command a hold is valid
 */
record LeaseTiming(Lease lease, Duration timeout, Duration poll, long length, long margin, long valid) {

	/* Longer ago than this, the store is asked before a grant is handed on. */
	private static final long MAX_CONFIRMATION_AGE = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(10);

	/* For which a try waits where a key may be idle. */
	private static final Duration MAX_TRIAL = Duration.ofMillis(100);

	/* The least time between renewals of equal leases that are sent one by one. */
	private static final long RENEWAL_GRID = TimeUnit.MILLISECONDS.toNanos(100);

	/* Of renewals to either side, of polls downwards. */
	private static final double JITTER = 0.1;

	static LeaseTiming of(Lease lease, EngineSettings settings) {
		LeaseLimits limits = settings.limits();
		Duration length = lease.duration();
		try {
			limits.check(lease);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"A lease of " + LeaseLimits.text(length) + " can't be had: " + ex.getMessage(), ex);
		}
		Duration sixth = length.dividedBy(6);
		Duration poll = (sixth.compareTo(settings.pollInterval()) < 0) ? sixth : settings.pollInterval();
		return new LeaseTiming(lease, limits.timeout(length), poll, length.toNanos(), limits.margin(length).toNanos(),
				limits.valid(lease).toNanos());
	}

	/*
	 * Whether another lease asks for no more: it is no longer, nor renewed where this
	 * isn't.
	 */
	boolean covers(LeaseTiming other) {
		return this.length >= other.length && (this.lease.renewed() || !other.lease.renewed());
	}

	/* The weakest lease that covers this one and another. */
	Lease with(LeaseTiming other) {
		Lease longer = (this.length >= other.length) ? this.lease : other.lease;
		return new Lease(longer.duration(), this.lease.renewed() || other.lease.renewed());
	}

	/*
	 * How long the machine may sleep unnoticed, without another instance having the key
	 * before the hold is over.
	 */
	long tolerance() {
		return this.lease.renewed() ? this.margin : this.length - this.valid;
	}

	/* How long a confirmation by the store is good for handing the grant on. */
	long confirmationAge() {
		return Math.min(this.length / 30, MAX_CONFIRMATION_AGE);
	}

	private long period() {
		return this.length / 3;
	}

	/**
	 * When to renew a new grant first: anywhere in the second half of a period, so that
	 * grants made together are not all renewed together.
	 */
	long firstRenewal(long sent, double chance) {
		long half = period() / 2;
		return onGrid(sent + half + (long) (chance * half));
	}

	long nextRenewal(long sent, double chance) {
		return onGrid(sent + (long) (period() * (1 - JITTER + 2 * JITTER * chance)));
	}

	/* Earlier by less than the grid: renewals that are due together are one command. */
	private long onGrid(long moment) {
		long grid = Math.min(RENEWAL_GRID, period() / 10);
		return moment - Math.floorMod(moment, grid);
	}

	/*
	 * How long to leave a key alone that somebody else has. A lease that is over by the
	 * store's clock is gone a moment later at most.
	 */
	long untilNextAsk(long sinceSent, Duration remaining, double chance) {
		return Math.min(nextPoll(chance) - sinceSent, remaining.toNanos() + GRACE);
	}

	/* For how long a try without waiting may have a place. */
	Duration trial() {
		return (this.timeout.compareTo(MAX_TRIAL) < 0) ? this.timeout : MAX_TRIAL;
	}

	/**
	 * When to ask again while waiting. The place in the queue counts on the whole
	 * interval, so the jitter only shortens it.
	 */
	long nextPoll(double chance) {
		return (long) (this.poll.toNanos() * (1 - JITTER + JITTER * chance));
	}

}
