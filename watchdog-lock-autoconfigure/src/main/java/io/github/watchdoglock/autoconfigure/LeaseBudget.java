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

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.interceptor.LeaseRule;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Whether a lease is long enough for its renewals.
 *
 * @param minLeaseTime the shortest lease allowed
 * @param commandTimeout how long Redis may take; null for a tenth of the lease, at least
 * 200 ms and at most 2 s
 * @param stopMargin how long before its lease is over a hold ends; null for a sixth of
 * the lease, which is also the most
 */
record LeaseBudget(Duration minLeaseTime, @Nullable Duration commandTimeout,
		@Nullable Duration stopMargin) implements LeaseRule {

	private static final double MIN_TIMEOUT = 200;

	private static final double MAX_TIMEOUT = 2000;

	private static final double MIN_DRIFT = 2;

	@Override
	public void check(Lease lease) {
		if (lease.duration().compareTo(this.minLeaseTime) < 0) {
			throw new IllegalArgumentException(
					"it is shorter than watchdog-lock.min-lease-time (" + print(this.minLeaseTime) + ")");
		}
		double length = lease.duration().toMillis();
		if (lease.renewed() && !leavesTimeToRenew(length)) {
			throw new IllegalArgumentException(
					"it leaves no time for a renewal and its repetition, each of which may take %.0f ms; make it longer, or"
						.formatted(timeout(length))
							+ " lower watchdog-lock.command-timeout or watchdog-lock.stop-margin");
		}
	}

	/* Renewed every third of the lease, up to a tenth late. */
	private boolean leavesTimeToRenew(double length) {
		double needed = 1.1 * length / 3 + 2 * timeout(length);
		return needed < length - Math.max(length / 100, MIN_DRIFT) - margin(length);
	}

	private double timeout(double length) {
		return (this.commandTimeout != null) ? this.commandTimeout.toMillis()
				: Math.min(MAX_TIMEOUT, Math.max(MIN_TIMEOUT, length / 10));
	}

	private double margin(double length) {
		return (this.stopMargin != null) ? Math.min((double) this.stopMargin.toMillis(), length / 6) : length / 6;
	}

	static String print(Duration duration) {
		return duration.isZero() ? "0s" : DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
	}

}
