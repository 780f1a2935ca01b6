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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockSnapshot;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of the locks of this instance: out of service from the moment a lock was lost
 * because it could not be renewed until the store answers again, and while the watchdog
 * does not turn, else up. Asks nothing of the store, and takes no lock to find out. Keys
 * are not shown.
 */
public final class LockHealthIndicator implements HealthIndicator {

	private final LocalLocks locks;

	private final Supplier<? extends @Nullable RenewalHealth> renewals;

	private final RenewalLateness lateness;

	private final Supplier<Duration> silence;

	private final Duration patience;

	/**
	 * Create an indicator.
	 * @param locks what this instance holds
	 * @param renewals tells whether leases can be renewed; gives null while there are
	 * none
	 * @param lateness how late renewals are sent
	 */
	public LockHealthIndicator(LocalLocks locks, Supplier<? extends @Nullable RenewalHealth> renewals,
			RenewalLateness lateness) {
		this(locks, renewals, lateness, () -> Duration.ZERO, Duration.ZERO);
	}

	/**
	 * The same, where the watchdog is looked at too.
	 * @param locks what this instance holds
	 * @param renewals tells whether leases can be renewed
	 * @param lateness how late renewals are sent
	 * @param silence how long the watchdog has not done what it was time for
	 * @param patience how long that may be
	 */
	public LockHealthIndicator(LocalLocks locks, Supplier<? extends @Nullable RenewalHealth> renewals,
			RenewalLateness lateness, Supplier<Duration> silence, Duration patience) {
		this.silence = silence;
		this.patience = patience;
		this.locks = locks;
		this.renewals = renewals;
		this.lateness = lateness;
	}

	@Override
	public Health health() {
		RenewalHealth renewals = this.renewals.get();
		Duration silence = this.silence.get();
		if (silence.compareTo(this.patience) > 0) {
			return Health.outOfService().withDetail("watchdogSilent", silence.truncatedTo(ChronoUnit.MILLIS)).build();
		}
		if (renewals == null) {
			return Health.up().build();
		}
		StoreOutage.Episode outage = renewals.outage();
		int atRisk = renewals.atRisk();
		if (outage != null) {
			return details(Health.outOfService(), renewals, atRisk).withDetail("lost", outage.lost.name())
				.withDetail("since", outage.since.truncatedTo(ChronoUnit.MILLIS))
				.build();
		}
		return (atRisk > 0) ? details(Health.up(), renewals, atRisk).build() : Health.up().build();
	}

	private Health.Builder details(Health.Builder health, RenewalHealth renewals, int atRisk) {
		List<Duration> holds = this.locks.list()
			.stream()
			.filter((lock) -> lock.status() == LockSnapshot.Status.HELD)
			.map(LockSnapshot::elapsed)
			.toList();
		health.withDetail("holds", holds.size());
		holds.stream()
			.max(Comparator.naturalOrder())
			.ifPresent((oldest) -> health.withDetail("oldest", oldest.truncatedTo(ChronoUnit.MILLIS)));
		health.withDetail("atRisk", atRisk);
		Instant lastRenewal = renewals.lastRenewal();
		if (lastRenewal != null) {
			health.withDetail("lastRenewal", lastRenewal);
		}
		Duration greatest = this.lateness.greatest();
		if (greatest != null) {
			health.withDetail("lateness", greatest);
		}
		return health;
	}

}
