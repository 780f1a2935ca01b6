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
import java.util.Map;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine. Immutable.
 *
 * @param instanceName supplies the label of this instance for people, whenever it is
 * needed
 * @param leaseTime the lease of requests that do not set one
 * @param waitTime the wait time of requests that do not set one: zero tries once, a
 * negative value waits indefinitely
 * @param pollInterval the maximum interval in which a waiting attempt asks for its key; a
 * sixth of its lease if that is less
 * @param limits limits for the lengths of leases
 * @param maxHoldTime the time after which a lock is lost if its request does not set a
 * maximum; null for none
 * @param longHoldWarning how long a hold may last without being reported as long; null
 * for ten times its lease
 * @param onLoss the action when a lock is lost, if its request does not set one
 * @param awaitRelease whether closing the last handle waits for the store's answer
 * @param keys the rules for keys
 * @param linger how long leases are kept idle
 * @param handOffs how often a lock is handed on within the instance while other instances
 * wait
 * @param commitCheck how old the last confirmation of a lock may be when a transaction
 * under it is committed: zero asks the store each time, a negative value never
 */
public record EngineSettings(Supplier<String> instanceName, Duration leaseTime, Duration waitTime,
		Duration pollInterval, LeaseLimits limits, @Nullable Duration maxHoldTime, @Nullable Duration longHoldWarning,
		OnLoss onLoss, boolean awaitRelease, KeyRules keys, TimeRules linger, HandOffRules handOffs,
		TimeRules commitCheck) {

	/**
	 * Create settings with the default rules for keys and hand-offs, and without idle
	 * leases.
	 * @param instanceName supplies the label of this instance for people
	 * @param leaseTime the lease of requests that do not set one
	 * @param waitTime the wait time of requests that do not set one
	 * @param pollInterval the maximum interval in which a waiting attempt asks for its
	 * key
	 * @param limits limits for the lengths of leases
	 * @param maxHoldTime the time after which a lock is lost if its request does not set
	 * a maximum
	 * @param longHoldWarning how long a hold may last without being reported as long
	 * @param onLoss the action when a lock is lost
	 * @param awaitRelease whether closing the last handle waits for the store's answer
	 */
	public EngineSettings(Supplier<String> instanceName, Duration leaseTime, Duration waitTime, Duration pollInterval,
			LeaseLimits limits, @Nullable Duration maxHoldTime, @Nullable Duration longHoldWarning, OnLoss onLoss,
			boolean awaitRelease) {
		this(instanceName, leaseTime, waitTime, pollInterval, limits, maxHoldTime, longHoldWarning, onLoss,
				awaitRelease, KeyRules.DEFAULT, TimeRules.NONE, HandOffRules.DEFAULT, TimeRules.A_SECOND);
	}

	/**
	 * Return the defaults: a lease of 30 s, a wait time of 10 s, a poll interval of 1 s,
	 * no maximum hold time, and releases that are awaited.
	 * @param instanceName the label of this instance for people
	 * @return the settings
	 */
	public static EngineSettings of(String instanceName) {
		return new EngineSettings(() -> instanceName, Duration.ofSeconds(30), Duration.ofSeconds(10),
				Duration.ofSeconds(1), LeaseLimits.defaults(), null, null, OnLoss.REPORT, true);
	}

	/**
	 * Return the same settings with other rules for keys.
	 * @param keys the rules for keys
	 * @return the settings
	 */
	public EngineSettings withKeys(KeyRules keys) {
		return with(keys, this.linger, this.handOffs, this.commitCheck);
	}

	/**
	 * Return the same settings with another linger time.
	 * @param linger how long leases are kept idle
	 * @return the settings
	 */
	public EngineSettings withLinger(TimeRules linger) {
		return with(this.keys, linger, this.handOffs, this.commitCheck);
	}

	/**
	 * Return the same settings with other limits for hand-offs.
	 * @param handOffs how often a lock is handed on within the instance while other
	 * instances wait
	 * @return the settings
	 */
	public EngineSettings withHandOffs(HandOffRules handOffs) {
		return with(this.keys, this.linger, handOffs, this.commitCheck);
	}

	/**
	 * Return the same settings with another maximum age of confirmations.
	 * @param commitCheck how old the last confirmation of a lock may be at a commit
	 * @return the settings
	 */
	public EngineSettings withCommitCheck(TimeRules commitCheck) {
		return with(this.keys, this.linger, this.handOffs, commitCheck);
	}

	private EngineSettings with(KeyRules keys, TimeRules linger, HandOffRules handOffs, TimeRules commitCheck) {
		return new EngineSettings(this.instanceName, this.leaseTime, this.waitTime, this.pollInterval, this.limits,
				this.maxHoldTime, this.longHoldWarning, this.onLoss, this.awaitRelease, keys, linger, handOffs,
				commitCheck);
	}

	/**
	 * A time for each lock. Immutable.
	 *
	 * @param time the time for locks whose name is not listed, and for roles
	 * @param byName the times for the locks of a name
	 */
	public record TimeRules(Duration time, Map<String, Duration> byName) {

		/** Zero for all locks. */
		public static final TimeRules NONE = new TimeRules(Duration.ZERO, Map.of());

		/** A second for all locks. */
		public static final TimeRules A_SECOND = new TimeRules(Duration.ofSeconds(1), Map.of());

		public TimeRules {
			byName = Map.copyOf(byName);
		}

		/**
		 * Return the time of a lock.
		 * @param key the lock
		 * @return nanoseconds
		 */
		public long of(LockKey key) {
			Duration named = (this.byName.isEmpty() || key.isRole()) ? null : this.byName.get(key.name());
			return ((named != null) ? named : this.time).toNanos();
		}

	}

	/**
	 * The maximum number of times a lock is handed on within an instance from the moment
	 * when the instance knows that other instances wait. Immutable; with zero, the lock
	 * is released after each caller.
	 *
	 * @param byName the numbers for the locks of a name
	 */
	public record HandOffRules(Map<String, Integer> byName) {

		/** The number for locks whose name is not listed, and for roles. */
		public static final int USUAL = 16;

		/** The usual number for all locks. */
		public static final HandOffRules DEFAULT = new HandOffRules(Map.of());

		public HandOffRules {
			byName = Map.copyOf(byName);
		}

		/**
		 * Return how often a lock is handed on.
		 * @param key the lock
		 * @return the maximum number of hand-offs, zero for none
		 */
		public int of(LockKey key) {
			Integer named = (this.byName.isEmpty() || key.isRole()) ? null : this.byName.get(key.name());
			return (named != null) ? named : USUAL;
		}

	}

}
