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

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the names of the library's beans do not collide with those of other beans.
 */
class BeanNamesTests {

	private final ApplicationContextRunner others = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
				SimpleMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=*", "spring.data.redis.port=1");

	private final Set<String> namesOfOthers = new HashSet<>();

	@ParameterizedTest
	@ValueSource(strings = { "watchdog-lock.store=redis", "watchdog-lock.store=local", "watchdog-lock.enabled=false" })
	void beanNamesBeginWithNameOfLibrary(String variant) {
		this.others.run((context) -> this.namesOfOthers.addAll(List.of(context.getBeanDefinitionNames())));
		this.others.withConfiguration(AutoConfigurations.of(LockContexts.ours()))
			.withPropertyValues(variant)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				List<String> names = Stream.of(context.getBeanDefinitionNames())
					.filter((name) -> !this.namesOfOthers.contains(name))
					.filter((name) -> !name.startsWith("org.springframework.aop."))
					.toList();
				assertThat(names).contains("watchdogLockService", "watchdogLockEndpoint", "watchdogLockMeters")
					.allSatisfy((name) -> assertThat(name).matches("watchdogLock.*"
							// Beans of configuration classes and of properties, which are
							// named after their classes.
							+ "|(.*-)?io\\.github\\.watchdoglock\\..*"));
			});
	}

}
