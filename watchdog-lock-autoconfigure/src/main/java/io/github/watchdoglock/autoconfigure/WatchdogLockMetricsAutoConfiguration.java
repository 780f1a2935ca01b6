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

import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.metrics.LeaderMeters;
import io.github.watchdoglock.metrics.LockMeters;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration} of meters of locks.
 */
@AutoConfiguration(before = WatchdogLockAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "watchdog-lock.metrics.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WatchdogLockProperties.class)
public final class WatchdogLockMetricsAutoConfiguration {

	/*
	 * Not a default candidate: it is called inline, and is not one of the users'
	 * listeners.
	 */
	@Bean(defaultCandidate = false)
	@Qualifier("watchdogLockObserver")
	@ConditionalOnMissingBean
	LockMeters watchdogLockMeters(MeterRegistry registry, WatchdogLockProperties properties,
			ObjectProvider<EngineBean> engine) {
		return new LockMeters(registry, properties.metrics().maxNames(),
				() -> engine.stream().map((bean) -> bean.engine().watchdogDelay()).findFirst().orElse(Duration.ZERO));
	}

	/* Not a default candidate, like the meters of locks. */
	@Bean(defaultCandidate = false)
	SmartInitializingSingleton watchdogLockLeaderMeters(MeterRegistry registry,
			ObjectProvider<LeaderElections> elections) {
		return () -> elections.ifAvailable((present) -> new LeaderMeters(registry, present));
	}

}
