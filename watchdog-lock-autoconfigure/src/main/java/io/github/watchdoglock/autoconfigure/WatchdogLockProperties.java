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
import java.util.Map;

import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.settings.KeyRules;
import io.github.watchdoglock.settings.LeaseLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of all locks of an application. Immutable, and checked as a whole.
 *
 * @param enabled Whether locks exclude other callers. If false, every request for a lock
 * succeeds at once.
 * @param store Store of the locks.
 * @param connectionFactory Name of the connection factory bean to use, if there are
 * several.
 * @param keyPrefix Prefix of the keys and channels in Redis.
 * @param instanceName Name of this instance, which other instances see as the holder of a
 * lock. By default the name of the application.
 * @param leaseTime How long a lock lasts in Redis unless its holder renews it.
 * @param waitTime How long to wait for a lock that another caller holds; not for
 * tryAcquire. Zero tries once, -1 waits indefinitely.
 * @param maxHoldTime How long a lock may be held before it is lost. By default
 * indefinitely.
 * @param commitCheck How old the last answer of Redis about a lock may be when a
 * transaction under it is committed. An older one makes the commit ask Redis. Zero always
 * asks, -1 never.
 * @param minLeaseTime Shortest lease that may be requested.
 * @param onContention Effect on a call whose lock cannot be acquired in time.
 * @param onLoss Effect of a lost lock on the work that runs under it.
 * @param commandTimeout How long Redis may take for a command. By default a tenth of the
 * lease, at least 200ms and at most 2s.
 * @param pollInterval Longest interval between two requests of a waiting instance for a
 * lock. At most a sixth of its lease.
 * @param stopMargin How long before the end of its lease a renewed lock is considered
 * lost. By default a sixth of the lease, which is also the maximum.
 * @param longHoldWarning How long a lock may be held before a warning with the holder's
 * stack is logged. By default ten leases.
 * @param recordRetention How long Redis keeps the record of a lock after its lease has
 * ended. After a release, half of this time applies. The record contains the greatest
 * fencing token and the waiting instances. At least two leases.
 * @param linger How long an instance keeps a released lock for its next caller, unless
 * another instance requests it. Zero releases it at once. Not for permits, readers, and
 * locks with a minimum hold time or a lease that is not renewed.
 * @param wakeUps Whether waiting instances are notified of a release with a message. If
 * false, they poll.
 * @param warnOfUnsafeReplication Whether a message is logged if Redis has replicas and
 * accepts writes without them, so that a failover may leave a lock with two holders.
 * @param addressCheck Whether locks notice that the address of a single Redis leads
 * elsewhere.
 * @param awaitRelease Whether a locked method waits for the answer of Redis to the
 * release. A release that fails is logged, and repeated in the background unless Redis
 * rejects it permanently.
 * @param showKeys How ids of locks appear in messages, logs, the logging context, spans
 * and audit events. The endpoint has its own property.
 * @param maxIdLength Maximum number of characters of the id of a lock.
 * @param adviceOrder Order of the lock among the advisors of a bean. The default is
 * outside of transactions and caches.
 * @param release When the lock of an annotated method that is called inside a transaction
 * is released.
 * @param fenced Whether transactions under locks are fenced, so that the database rejects
 * fenced transactions of a former holder.
 * @param fence The table of fenced locks.
 * @param events Application events to publish.
 * @param metrics Metrics of locks.
 * @param observations Whether locks are observed, if there is an observation registry. By
 * default only if the application has a handler that may use their observations.
 * @param retryAfter Value of the header Retry-After in the answer 503 for a busy lock.
 * Some clients then repeat requests by themselves. By default there is no header.
 * @param locks Per-lock properties, which take precedence over the properties for all
 * locks: lease-time, wait-time, min-hold-time, max-hold-time, commit-check, permits,
 * linger, renewal, hand-offs, on-loss, on-contention, release and fenced. Attributes of
 * an annotation or a request take precedence over per-lock properties.
 * @param leaders Roles for which this instance is a candidate, by name: lease-time and
 * candidate.
 */
@ConfigurationProperties(prefix = "watchdog-lock", ignoreUnknownFields = false)
record WatchdogLockProperties(@DefaultValue("true") boolean enabled, @DefaultValue("redis") Store store,
		@Nullable String connectionFactory, @DefaultValue("watchdog-lock") String keyPrefix,
		@Nullable String instanceName, @DefaultValue("30s") Duration leaseTime, @DefaultValue("10s") Duration waitTime,
		@Nullable Duration maxHoldTime, @DefaultValue("1s") Duration commitCheck,
		@DefaultValue("1s") Duration minLeaseTime, @DefaultValue("fail") OnContention onContention,
		@DefaultValue("default") OnLoss onLoss, @Nullable Duration commandTimeout,
		@DefaultValue("1s") Duration pollInterval, @Nullable Duration stopMargin, @Nullable Duration longHoldWarning,
		@DefaultValue("120s") Duration recordRetention, @DefaultValue("0s") Duration linger,
		@DefaultValue("true") boolean wakeUps, @DefaultValue("true") boolean warnOfUnsafeReplication,
		@DefaultValue("true") boolean addressCheck, @DefaultValue("true") boolean awaitRelease,
		@DefaultValue("always") ShowKeys showKeys, @DefaultValue("512") int maxIdLength,
		@DefaultValue("2147482647") int adviceOrder, @DefaultValue("after-transaction") LockRelease release,
		@DefaultValue("false") boolean fenced, @DefaultValue FenceProperties fence, @DefaultValue Events events,
		@DefaultValue Metrics metrics, @DefaultValue("auto") Observations observations, @Nullable Duration retryAfter,
		@DefaultValue Map<String, NamedLockProperties> locks,
		@DefaultValue Map<String, LeaderProperties> leaders) implements AopInfrastructureBean {

	public WatchdogLockProperties {
		PropertyProblems problems = new PropertyProblems();
		problems.require(!keyPrefix.isBlank() && !keyPrefix.contains("{") && !keyPrefix.contains("}"), "key-prefix",
				keyPrefix, "it must not be blank or have braces, which would determine the hash slot",
				"set a prefix such as 'watchdog-lock'");
		problems.require(onContention != OnContention.DEFAULT, "on-contention", "default", "it is not a policy",
				"set fail or skip");
		problems.require(release != LockRelease.DEFAULT, "release", "default", "it is not a policy",
				"set after-transaction or at-return");
		problems.requireWait("wait-time", waitTime);
		problems.requirePositive("max-hold-time", maxHoldTime);
		problems.requireCommitCheck("commit-check", commitCheck);
		problems.requirePositive("long-hold-warning", longHoldWarning);
		problems.requirePositive("min-lease-time", minLeaseTime);
		problems.requirePositive("command-timeout", commandTimeout);
		problems.requirePositive("poll-interval", pollInterval);
		problems.requirePositive("record-retention", recordRetention);
		problems.requireLinger("linger", linger);
		problems.requirePositive("retry-after", retryAfter);
		if (stopMargin != null) {
			problems.require(!stopMargin.isNegative(), "stop-margin", PropertyProblems.print(stopMargin),
					"it is negative", "set a duration such as 500ms, or leave it out");
		}
		problems.require(metrics.maxNames() > 0, "metrics.max-names", metrics.maxNames(), "it is not positive",
				"set at least 1, or watchdog-lock.metrics.enabled=false");
		problems.require(maxIdLength > 0, "max-id-length", maxIdLength, "it is not positive",
				"set at least 1, such as 512");
		LeaseLimits limits = new LeaseLimits(minLeaseTime, commandTimeout, stopMargin);
		problems.requireAllowed("lease-time", leaseTime, true, limits);
		locks = Map.copyOf(locks);
		locks.forEach((name, named) -> named.check(name, problems, limits));
		leaders = Map.copyOf(leaders);
		leaders.forEach((role, settings) -> settings.check(role, problems, limits));
		problems.throwIfAny();
	}

	LeaseLimits leaseLimits() {
		return new LeaseLimits(this.minLeaseTime, this.commandTimeout, this.stopMargin);
	}

	NamedLockProperties lock(String name) {
		return this.locks.getOrDefault(name, NamedLockProperties.NONE);
	}

	Duration leaseTimeOfRole(String role) {
		LeaderProperties properties = this.leaders.get(role);
		return (properties != null && properties.leaseTime() != null) ? properties.leaseTime() : this.leaseTime;
	}

	KeyRules keyRules() {
		return new KeyRules(this.maxIdLength, this.showKeys.display());
	}

	/**
	 * A store of locks.
	 */
	enum Store {

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
	 * Application events to publish, in addition to those about exclusion in doubt.
	 *
	 * @param acquired Whether an event is published each time that a lock is acquired.
	 */
	record Events(@DefaultValue("false") boolean acquired) {

	}

	/**
	 * Metrics of locks.
	 *
	 * @param enabled Whether locks are metered, if there is a meter registry.
	 * @param maxNames Maximum number of lock names that tag meters and observations.
	 * Further names are tagged 'other'.
	 */
	record Metrics(@DefaultValue("true") boolean enabled, @DefaultValue("100") int maxNames) {

	}

	/**
	 * A choice whether locks are observed.
	 */
	enum Observations {

		/**
		 * If the application has a handler that may use the observations.
		 */
		AUTO,

		/**
		 * Always.
		 */
		ON,

		/**
		 * Never.
		 */
		OFF

	}

	/**
	 * The table of fenced locks, in the database of the application.
	 *
	 * @param initializeSchema When the table is created at startup.
	 * @param tableName Name of the table, including the schema if the table is not in the
	 * default schema.
	 * @param dataSource Name of the DataSource bean whose transactions are fenced, if
	 * there are several.
	 * @param retention How long the row of a lock that is not used is kept. Longer than
	 * any lock is held.
	 * @param trusted Whether to start with a routing DataSource or a
	 * JtaTransactionManager. Set true only if all fenced transactions use the database
	 * that has the table. Transactions of JTA are never fenced.
	 */
	record FenceProperties(@DefaultValue("embedded") SchemaInitialization initializeSchema,
			@DefaultValue("watchdog_lock_fence") String tableName, @Nullable String dataSource,
			@DefaultValue("30d") Duration retention, @DefaultValue("false") boolean trusted) {

	}

	/**
	 * When a table is created.
	 */
	enum SchemaInitialization {

		/**
		 * In an embedded database.
		 */
		EMBEDDED,

		/**
		 * In each database.
		 */
		ALWAYS,

		/**
		 * Not by this library.
		 */
		NEVER

	}

}
