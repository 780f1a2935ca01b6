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
import java.util.Objects;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * What the engine is told once. Immutable.
 *
 * @param instanceName gives the label of this instance for people, whenever it is needed
 * @param leaseTime the lease of requests that name none
 * @param waitTime the wait of requests that name none: zero tries once, negative waits
 * without end
 * @param pollInterval how often a waiting key is asked for, at most; a sixth of its lease
 * where that is less
 * @param limits which leases there may be
 * @param maxHoldTime when requests that name no maximum have their locks taken away; null
 * is never
 * @param longHoldWarning how long a hold may last without being called long; null is ten
 * times its lease
 * @param onLoss what happens to work whose lock is lost where the request says nothing
 * @param awaitRelease whether closing the last handle waits for the store's answer
 * @param keys what counts for keys
 * @param linger for how long a grant is kept that nobody holds any more
 * @param handOffs how often a lock is handed on here while other instances wait
 */
public record EngineSettings(Supplier<String> instanceName, Duration leaseTime, Duration waitTime,
		Duration pollInterval, LeaseLimits limits, @Nullable Duration maxHoldTime, @Nullable Duration longHoldWarning,
		OnLoss onLoss, boolean awaitRelease, KeyRules keys, LingerRules linger, HandOffRules handOffs) {

	public EngineSettings {
		Objects.requireNonNull(instanceName, "'instanceName' must not be null");
	}

	/**
	 * Create settings under which the usual counts for keys and turns, and nothing is
	 * kept that nobody holds.
	 * @param instanceName gives the label of this instance for people
	 * @param leaseTime the lease of requests that name none
	 * @param waitTime the wait of requests that name none
	 * @param pollInterval how often a waiting key is asked for, at most
	 * @param limits which leases there may be
	 * @param maxHoldTime when requests that name no maximum have their locks taken away
	 * @param longHoldWarning how long a hold may last without being called long
	 * @param onLoss what happens to work whose lock is lost
	 * @param awaitRelease whether closing the last handle waits for the store's answer
	 */
	public EngineSettings(Supplier<String> instanceName, Duration leaseTime, Duration waitTime, Duration pollInterval,
			LeaseLimits limits, @Nullable Duration maxHoldTime, @Nullable Duration longHoldWarning, OnLoss onLoss,
			boolean awaitRelease) {
		this(instanceName, leaseTime, waitTime, pollInterval, limits, maxHoldTime, longHoldWarning, onLoss,
				awaitRelease, KeyRules.DEFAULT, LingerRules.OFF, HandOffRules.DEFAULT);
	}

	/**
	 * The defaults: a lease of 30 s, a wait of 10 s, a poll interval of 1 s, no maximum,
	 * releases that are waited for.
	 * @param instanceName label of this instance for people
	 * @return the settings
	 */
	public static EngineSettings of(String instanceName) {
		return new EngineSettings(() -> instanceName, Duration.ofSeconds(30), Duration.ofSeconds(10),
				Duration.ofSeconds(1), LeaseLimits.defaults(), null, null, OnLoss.REPORT, true);
	}

	/**
	 * The same, but for one thing.
	 * @param keys what counts for keys
	 * @return the settings
	 */
	public EngineSettings withKeys(KeyRules keys) {
		return new EngineSettings(this.instanceName, this.leaseTime, this.waitTime, this.pollInterval, this.limits,
				this.maxHoldTime, this.longHoldWarning, this.onLoss, this.awaitRelease, keys, this.linger,
				this.handOffs);
	}

	/**
	 * The same, but for one thing.
	 * @param linger for how long a grant is kept that nobody holds any more
	 * @return the settings
	 */
	public EngineSettings withLinger(LingerRules linger) {
		return new EngineSettings(this.instanceName, this.leaseTime, this.waitTime, this.pollInterval, this.limits,
				this.maxHoldTime, this.longHoldWarning, this.onLoss, this.awaitRelease, this.keys, linger,
				this.handOffs);
	}

	/**
	 * The same, but for one thing.
	 * @param handOffs how often a lock is handed on here while other instances wait
	 * @return the settings
	 */
	public EngineSettings withHandOffs(HandOffRules handOffs) {
		return new EngineSettings(this.instanceName, this.leaseTime, this.waitTime, this.pollInterval, this.limits,
				this.maxHoldTime, this.longHoldWarning, this.onLoss, this.awaitRelease, this.keys, this.linger,
				handOffs);
	}

	/**
	 * For how long a grant is kept that nobody holds any more, at most. Immutable; zero
	 * gives it back at once.
	 *
	 * @param time of locks of which nothing else is said
	 * @param byName of the locks of a name
	 */
	public record LingerRules(Duration time, Map<String, Duration> byName) {

		/**
		 * Nothing is kept.
		 */
		public static final LingerRules OFF = new LingerRules(Duration.ZERO, Map.of());

		public LingerRules {
			byName = Map.copyOf(byName);
		}

		/**
		 * For how long the grant of a lock is kept.
		 * @param key the lock
		 * @return nanoseconds; zero where it is given back at once, as all roles are
		 */
		public long of(LockKey key) {
			if (key.isRole()) {
				return 0;
			}
			Duration named = this.byName.isEmpty() ? null : this.byName.get(key.name());
			return ((named != null) ? named : this.time).toNanos();
		}

	}

	/**
	 * How often a lock is handed on within an instance from the moment that it knows of
	 * others who wait elsewhere, at most. Immutable; zero gives it back for each caller.
	 *
	 * @param byName of the locks of a name
	 */
	public record HandOffRules(Map<String, Integer> byName) {

		/**
		 * Of locks of which nothing is said, and of roles.
		 */
		public static final int USUAL = 16;

		/**
		 * The usual for all.
		 */
		public static final HandOffRules DEFAULT = new HandOffRules(Map.of());

		public HandOffRules {
			byName = Map.copyOf(byName);
		}

		/**
		 * How often a lock is handed on.
		 * @param key the lock
		 * @return how often, zero for never
		 */
		public int of(LockKey key) {
			Integer named = (this.byName.isEmpty() || key.isRole()) ? null : this.byName.get(key.name());
			return (named != null) ? named : USUAL;
		}

	}

}
