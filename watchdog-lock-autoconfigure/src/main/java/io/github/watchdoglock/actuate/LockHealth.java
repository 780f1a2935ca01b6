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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.leader.RoleStatus;
import org.jspecify.annotations.Nullable;

/**
 * The health of the locks of this instance. It is out of service in three cases: from the
 * moment when a lock is lost because it could not be renewed, until the store answers
 * again; when commands have failed for a lease, and none has succeeded; and while the
 * watchdog makes no progress. Otherwise it is up, also if no lock is used. Acquires no
 * lock. Keys are not shown.
 */
public final class LockHealth {

	private final LocalLocks locks;

	private final Supplier<? extends @Nullable RenewalHealth> renewals;

	private final Lateness lateness;

	private final Supplier<Duration> watchdogDelay;

	private final Duration maxWatchdogDelay;

	private final Supplier<List<RoleStatus>> roles;

	private final Supplier<? extends @Nullable String> fence;

	/**
	 * Create the health.
	 * @param locks the locks that this instance holds
	 * @param renewals returns whether leases can be renewed; null while there are none
	 * @param lateness how late renewals are sent
	 * @param watchdogDelay returns how long the watchdog has not done work that was due
	 * @param maxWatchdogDelay the limit of that time
	 * @param roles the roles for which this instance is a candidate; whether it leads is
	 * only a detail
	 * @param fence returns, as a detail, why fenced locks cannot be acquired; null if
	 * they can
	 */
	public LockHealth(LocalLocks locks, Supplier<? extends @Nullable RenewalHealth> renewals, Lateness lateness,
			Supplier<Duration> watchdogDelay, Duration maxWatchdogDelay, Supplier<List<RoleStatus>> roles,
			Supplier<? extends @Nullable String> fence) {
		this.locks = locks;
		this.renewals = renewals;
		this.lateness = lateness;
		this.watchdogDelay = watchdogDelay;
		this.maxWatchdogDelay = maxWatchdogDelay;
		this.roles = roles;
		this.fence = fence;
	}

	/**
	 * Return the health at this moment.
	 * @return whether locks are reliable, and details
	 */
	public Report report() {
		Map<String, Object> details = new LinkedHashMap<>();
		boolean inService = reportLocks(details);
		Map<String, Object> leaders = new LinkedHashMap<>();
		this.roles.get()
			.stream()
			.filter((role) -> role.candidate() || role.overdue() > 0)
			.forEach((role) -> leaders.put(role.role(), details(role)));
		if (!leaders.isEmpty()) {
			details.put("leaders", leaders);
		}
		String fence = this.fence.get();
		if (fence != null) {
			details.put("fence", fence);
		}
		return new Report(inService, details);
	}

	private static Map<String, Object> details(RoleStatus role) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("leading", role.leading());
		if (role.since() != null) {
			details.put("since", role.since().truncatedTo(ChronoUnit.MILLIS));
		}
		if (role.overdue() > 0) {
			details.put("overdueWork", role.overdue());
		}
		return details;
	}

	private boolean reportLocks(Map<String, Object> details) {
		RenewalHealth renewals = this.renewals.get();
		Duration watchdogDelay = this.watchdogDelay.get();
		if (watchdogDelay.compareTo(this.maxWatchdogDelay) > 0) {
			details.put("watchdogSilent", watchdogDelay.truncatedTo(ChronoUnit.MILLIS));
			return false;
		}
		if (renewals == null) {
			return true;
		}
		RenewalHealth.Outage outage = renewals.outage();
		int atRisk = renewals.atRisk();
		if (outage != null || atRisk > 0) {
			reportRenewals(details, renewals, atRisk);
		}
		if (outage != null) {
			details.put("lost", outage.lost().name());
			details.put("since", outage.since().truncatedTo(ChronoUnit.MILLIS));
		}
		RenewalHealth.Failures failures = renewals.failures();
		if (failures != null) {
			details.put("failingSince", failures.since().truncatedTo(ChronoUnit.MILLIS));
			details.put("error", failures.error());
		}
		return outage == null && !renewals.isFailing();
	}

	private void reportRenewals(Map<String, Object> details, RenewalHealth renewals, int atRisk) {
		List<Duration> holds = this.locks.list()
			.stream()
			.filter((lock) -> lock.status() == LockSnapshot.Status.HELD)
			.map(LockSnapshot::elapsed)
			.toList();
		details.put("holds", holds.size());
		holds.stream()
			.max(Comparator.naturalOrder())
			.ifPresent((oldest) -> details.put("oldest", oldest.truncatedTo(ChronoUnit.MILLIS)));
		details.put("atRisk", atRisk);
		Instant lastRenewal = renewals.lastRenewal();
		if (lastRenewal != null) {
			details.put("lastRenewal", lastRenewal);
		}
		Duration greatest = this.lateness.greatest();
		if (greatest != null) {
			details.put("lateness", greatest);
		}
	}

	/**
	 * Health at a moment.
	 *
	 * @param inService whether locks are reliable
	 * @param details further details, in the order of display
	 */
	public record Report(boolean inService, Map<String, Object> details) {

	}

	/**
	 * The lateness of renewals.
	 */
	@FunctionalInterface
	public interface Lateness {

		/**
		 * For instances that do not measure it.
		 */
		Lateness UNKNOWN = () -> null;

		/**
		 * Return the greatest recent lateness.
		 * @return the time from when a renewal was due until it was sent; null if it is
		 * not known
		 */
		@Nullable Duration greatest();

	}

}
