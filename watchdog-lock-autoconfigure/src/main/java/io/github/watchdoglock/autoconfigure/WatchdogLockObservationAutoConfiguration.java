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

import io.github.watchdoglock.autoconfigure.WatchdogLockProperties.Observations;
import io.github.watchdoglock.metrics.LockAcquireObservationConvention;
import io.github.watchdoglock.metrics.LockHoldObservationConvention;
import io.github.watchdoglock.metrics.LockMeters;
import io.github.watchdoglock.metrics.LockObservationContext;
import io.github.watchdoglock.metrics.LockObservations;
import io.github.watchdoglock.spring.LockMdc;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.slf4j.MDC;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AutoConfiguration} of the wrappers around calls of locks: observations of waits
 * and holds, and the logging context of work.
 */
@AutoConfiguration(before = WatchdogLockAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration" })
public final class WatchdogLockObservationAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MDC.class)
	static class MdcConfiguration {

		@Bean(defaultCandidate = false)
		@Qualifier("watchdogLockObserver")
		@ConditionalOnMissingBean
		LockMdc watchdogLockMdc() {
			return new LockMdc();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ObservationRegistry.class)
	@ConditionalOnBean(ObservationRegistry.class)
	@EnableConfigurationProperties(WatchdogLockProperties.class)
	static class ObservedConfiguration {

		/* Not a default candidate, like the meters. */
		@Bean(defaultCandidate = false)
		@Qualifier("watchdogLockObserver")
		@ConditionalOnMissingBean
		LockObservations watchdogLockObservations(ObservationRegistry registry,
				ObjectProvider<LockAcquireObservationConvention> acquire,
				ObjectProvider<LockHoldObservationConvention> hold, WatchdogLockProperties properties) {
			LockObservations observations = new LockObservations(registry, acquire.getIfAvailable(),
					hold.getIfAvailable(), properties.metrics().maxNames());
			observations.enable(properties.observations() != Observations.OFF);
			return observations;
		}

		/* Not lazy, because it decides when all handlers exist. */
		@Bean(defaultCandidate = false)
		@Lazy(false)
		SmartInitializingSingleton watchdogLockObservationUse(
				@Qualifier("watchdogLockObserver") LockObservations observations, WatchdogLockProperties properties,
				ConfigurableListableBeanFactory beans) {
			return () -> {
				if (properties.observations() == Observations.AUTO) {
					observations.enable(new ObservationUse(beans).isPossible());
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterObservationHandler.class)
	static class MeteredConfiguration {

		/* Precedes the handlers that create meters for all observations. */
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		NoObservationMeters watchdogLockObservationMeters() {
			return new NoObservationMeters();
		}

	}

	/**
	 * A handler that creates no meters for the observations of locks, in place of a
	 * handler that would create them with the names of {@link LockMeters}' meters, and
	 * other tags.
	 */
	static final class NoObservationMeters implements MeterObservationHandler<LockObservationContext> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof LockObservationContext;
		}

	}

}
