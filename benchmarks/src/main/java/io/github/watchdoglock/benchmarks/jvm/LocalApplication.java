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

package io.github.watchdoglock.benchmarks.jvm;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.benchmarks.lock.Application;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application whose locks are kept in its JVM.
 */
@Configuration(proxyBeanMethods = false)
class LocalApplication {

	static ConfigurableApplicationContext start(String... properties) {
		return Application.with(LocalApplication.class)
			.properties("watchdog-lock.store=local")
			.properties(properties)
			.run();
	}

	@Bean
	@ConditionalOnBooleanProperty("benchmark.registry")
	MeterRegistry meterRegistry() {
		return new SimpleMeterRegistry();
	}

	/* A registry without a handler observes nothing. */
	@Bean
	@ConditionalOnBooleanProperty("benchmark.observations")
	ObservationRegistry observationRegistry() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler((context) -> true);
		return registry;
	}

	@Bean
	Orders orders() {
		return new Orders();
	}

	/**
	 * A bean with locked methods.
	 */
	static class Orders {

		@DistributedLock(name = "orders")
		long pay(String id) {
			return id.length();
		}

		@DistributedLock(name = "orders", key = "#id")
		long payOne(String id) {
			return id.length();
		}

	}

}
