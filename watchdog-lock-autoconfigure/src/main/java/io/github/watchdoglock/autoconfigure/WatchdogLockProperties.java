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
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.engine.LeaseLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says of its locks. Immutable, and checked as a whole.
 *
 * @param enabled Whether locks exclude anybody. When not, every request for a lock
 * succeeds at once.
 * @param store Where locks are kept.
 * @param connectionFactory Name of the bean with the connections to Redis, where there
 * are several.
 * @param keyPrefix How the names of keys and channels in Redis start.
 * @param instanceName Name of this instance, as others see it in who holds a lock. By
 * default the name of the application.
 * @param leaseTime How long a lock lasts in Redis without a sign of life from its holder.
 * @param waitTime How long to wait for a lock that somebody else holds. Zero tries once,
 * -1 waits without end.
 * @param minLeaseTime Shortest lease that may be asked for.
 * @param onContention What happens to a call whose lock is not to be had in time.
 * @param commandTimeout How long Redis may take for a command. By default a tenth of the
 * lease, at least 200ms and at most 2s.
 * @param pollInterval How often a lock that is waited for is asked for, at most. A sixth
 * of its lease where that is less.
 * @param stopMargin How long before its lease is over a lock counts as lost. By default a
 * sixth of the lease, which is also the most.
 * @param fenceRetention How long the greatest fencing token of a lock is remembered after
 * its last use. Ten leases where that is more.
 * @param wakeUps Whether waiting instances are told of a release by a message. Without,
 * they poll.
 * @param adviceOrder Place of the lock among the advisors of a bean. The default puts it
 * outside transactions and caches.
 * @param metrics What is metered.
 */
@ConfigurationProperties("watchdog-lock")
public record WatchdogLockProperties(@DefaultValue("true") boolean enabled, @DefaultValue("redis") Store store,
		@Nullable String connectionFactory, @DefaultValue("watchdog-lock") String keyPrefix,
		@Nullable String instanceName, @DefaultValue("30s") Duration leaseTime, @DefaultValue("10s") Duration waitTime,
		@DefaultValue("1s") Duration minLeaseTime, @DefaultValue("fail") OnContention onContention,
		@Nullable Duration commandTimeout, @DefaultValue("1s") Duration pollInterval, @Nullable Duration stopMargin,
		@DefaultValue("10m") Duration fenceRetention, @DefaultValue("true") boolean wakeUps,
		@DefaultValue("2147482647") int adviceOrder, @DefaultValue Metrics metrics) {

	/* A century: beyond it arithmetic on nanoseconds would overflow. */
	private static final Duration MAXIMUM_WAIT = Duration.ofDays(36_500);

	public WatchdogLockProperties {
		PropertyProblems problems = new PropertyProblems();
		problems.require(!keyPrefix.isBlank() && !keyPrefix.contains("{") && !keyPrefix.contains("}"), "key-prefix",
				keyPrefix, "it must not be blank, nor have braces, which would decide about the hash slot",
				"set a prefix such as 'watchdog-lock'");
		problems.require(waitTime.compareTo(MAXIMUM_WAIT) <= 0, "wait-time", PropertyProblems.print(waitTime),
				"it is longer than " + MAXIMUM_WAIT.toDays() + " days", "set a shorter one, or -1 to wait without end");
		problems.require(onContention != OnContention.DEFAULT, "on-contention", "default", "it refers to itself",
				"set 'fail' or 'skip'");
		problems.requirePositive("min-lease-time", minLeaseTime);
		problems.requirePositive("command-timeout", commandTimeout);
		problems.requirePositive("poll-interval", pollInterval);
		problems.requirePositive("fence-retention", fenceRetention);
		if (stopMargin != null) {
			problems.require(!stopMargin.isNegative(), "stop-margin", PropertyProblems.print(stopMargin),
					"it is negative", "set a duration such as 500ms, or leave it out");
		}
		problems.require(metrics.maxNames() > 0, "metrics.max-names", metrics.maxNames(), "it is not positive",
				"set at least 1, or watchdog-lock.metrics.enabled=false");
		try {
			new LeaseLimits(minLeaseTime, commandTimeout, stopMargin).check(Lease.renewed(leaseTime));
		}
		catch (IllegalArgumentException ex) {
			problems.require(false, "lease-time", PropertyProblems.print(leaseTime), "" + ex.getMessage(),
					"set a lease such as 30s, or change the property that it is measured by");
		}
		problems.throwIfAny();
	}

	LeaseLimits leaseLimits() {
		return new LeaseLimits(this.minLeaseTime, this.commandTimeout, this.stopMargin);
	}

	/**
	 * Where locks are kept.
	 */
	public enum Store {

		/**
		 * In Redis, between all instances.
		 */
		REDIS,

		/**
		 * In this JVM, for tests and applications of a single instance.
		 */
		LOCAL

	}

	/**
	 * What is metered.
	 *
	 * @param enabled Whether locks are metered, where there is a meter registry.
	 * @param maxNames How many names of locks have meters of their own. Further ones are
	 * tagged 'other'.
	 */
	public record Metrics(@DefaultValue("true") boolean enabled, @DefaultValue("100") int maxNames) {

	}

}
