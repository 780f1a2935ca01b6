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

import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The names of our beans are not those of anybody else's.
 */
class BeanNamesTests {

	private static final Class<?>[] NEIGHBOURS = { AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
			MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			SimpleMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class };

	private static final String[] PROPERTIES = { "management.endpoints.web.exposure.include=*",
			"spring.data.redis.port=1" };

	private final Set<String> others = new HashSet<>();

	@Test
	void allBeginWithThatOfTheLibrary() {
		with().run((context) -> this.others.addAll(List.of(context.getBeanDefinitionNames())));
		Stream.of("watchdog-lock.store=redis", "watchdog-lock.store=local", "watchdog-lock.enabled=false")
			.forEach((variant) -> with(ours()).withPropertyValues(variant).run((context) -> {
				assertThat(context).hasNotFailed();
				List<String> names = Stream.of(context.getBeanDefinitionNames())
					.filter((name) -> !this.others.contains(name) && !name.startsWith("org.springframework.aop."))
					.toList();
				assertThat(names).contains("watchdogLockService", "watchdogLockEndpoint", "watchdogLockMeters")
					.allSatisfy((name) -> assertThat(name).matches("watchdogLock.*"
							// Of configuration classes and of properties, by their class.
							+ "|(.*-)?io\\.github\\.watchdoglock\\..*"));
			}));
	}

	@Test
	void beansOfAnApplicationMayHaveTheNamesThatOursCouldHaveHad() {
		with(ours()).withPropertyValues("watchdog-lock.store=local")
			.withUserConfiguration(Application.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean("redisLocks")).isEqualTo("redisLocks");
				context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			});
	}

	private static ApplicationContextRunner with(Class<?>... more) {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(Stream.of(NEIGHBOURS, more).flatMap(Stream::of).toArray(Class<?>[]::new)))
			.withPropertyValues(PROPERTIES);
	}

	private static Class<?>[] ours() {
		ClassLoader loader = BeanNamesTests.class.getClassLoader();
		return ImportCandidates.load(AutoConfiguration.class, loader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.github.watchdoglock."))
			.map((name) -> ClassUtils.resolveClassName(name, loader))
			.toArray(Class<?>[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		String redisLocks() {
			return "redisLocks";
		}

		@Bean
		String lockAdvisor() {
			return "lockAdvisor";
		}

		@Bean
		String lockEngine() {
			return "lockEngine";
		}

		@Bean
		String lockLifecycle() {
			return "lockLifecycle";
		}

		@Bean
		String locksEndpoint() {
			return "locksEndpoint";
		}

		@Bean
		String localLeaseStore() {
			return "localLeaseStore";
		}

		@Bean
		String lockService() {
			return "lockService";
		}

		@Bean
		String localLocks() {
			return "localLocks";
		}

	}

}
