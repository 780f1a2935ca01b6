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
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.actuate.LockHealth;
import io.github.watchdoglock.actuate.RenewalHealth;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.settings.LeaseLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The configuration of the health of locks, for both versions of Spring Boot.
 */
@Configuration(proxyBeanMethods = false)
class LockHealthConfiguration {

	/*
	 * Not a default candidate: it is called inline, and is not one of the users'
	 * listeners.
	 */
	@Bean(defaultCandidate = false)
	@ConditionalOnBean(LeaseKeeping.class)
	@ConditionalOnMissingBean(RenewalHealth.class)
	RenewalHealth watchdogLockRenewalHealth(LeaseKeeping leases, WatchdogLockProperties properties) {
		Duration timeout = properties.leaseLimits().timeout(properties.leaseTime());
		return new RenewalHealth(leases.inspector(), timeout, properties.pollInterval(), properties.leaseTime(),
				InstantSource.system());
	}

	@Bean
	LockHealth watchdogLockHealth(LocalLocks locks, ObjectProvider<EngineBean> engine,
			@Qualifier("watchdogLockRenewalHealth") ObjectProvider<RenewalHealth> renewals,
			ObjectProvider<LockHealth.Lateness> lateness, WatchdogLockProperties properties,
			ObjectProvider<LeaderElections> elections, ObjectProvider<AcquisitionGuard> guards) {
		return new LockHealth(locks, renewals::getIfAvailable,
				lateness.getIfAvailable(() -> LockHealth.Lateness.UNKNOWN),
				() -> engine.stream().map((bean) -> bean.engine().watchdogDelay()).findFirst().orElse(Duration.ZERO),
				LeaseLimits.maxDelay(properties.leaseTime()),
				() -> elections.stream().flatMap((present) -> present.list().stream()).toList(),
				() -> guards.stream().map(AcquisitionGuard::problem).filter(Objects::nonNull).findFirst().orElse(null));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class MeteredConfiguration {

		@Bean
		LockHealth.Lateness watchdogLockRenewalLateness(ObjectProvider<MeterRegistry> registries) {
			return () -> {
				MeterRegistry registry = registries.getIfUnique();
				Timer timer = (registry != null) ? registry.find("watchdog.lock.renewal.lateness").timer() : null;
				return (timer != null) ? Duration.ofMillis((long) timer.max(TimeUnit.MILLISECONDS)) : null;
			};
		}

	}

}
