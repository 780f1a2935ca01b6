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

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.redis.RedisLocks;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotationMetadata;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications without one of the libraries that the auto-configurations
 * integrate.
 */
class OptionalLibrariesTests {

	private final ApplicationContextRunner contexts = new ApplicationContextRunner().withUserConfiguration(ByName.class)
		.withBean(Shop.class)
		.withPropertyValues("watchdog-lock.store=local", "management.endpoints.web.exposure.include=*");

	@ParameterizedTest
	@CsvSource({ "org.springframework.boot.actuate org.springframework.boot.health, watchdogLockHealthIndicator",
			"org.springframework.boot.actuate org.springframework.boot.health, watchdogLockRenewalHealth",
			"io.micrometer, watchdogLockObservations", "io.micrometer, watchdogLockRenewalLateness",
			"io.micrometer, watchdogLockMeters", "io.micrometer.core, watchdogLockObservationMeters",
			"org.slf4j, watchdogLockMdc", "org.springframework.integration, watchdogLockRegistry",
			"org.springframework.transaction, watchdogLockCommits", "org.crac, watchdogLockCheckpoint",
			"reactor org.reactivestreams, watchdogLockReactiveService" })
	void applicationStartsAndLocksWithoutOptionalLibrary(String packages, String bean) {
		this.contexts.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withBean(SimpleMeterRegistry.class)
			.run((context) -> assertThat(context).hasBean(bean));
		this.contexts.withClassLoader(new FilteredClassLoader(packages.split(" ", -1))).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(EngineBean.class).doesNotHaveBean(bean);
			assertThat(context.containsBean("watchdogLockHealthIndicator")).isEqualTo(!packages.contains("health"));
			assertThat(context.getBean(Shop.class).buy()).isEqualTo("bought");
		});
	}

	@Test
	void applicationWithLocalStoreStartsWithoutSpringDataRedis() {
		this.contexts.withClassLoader(new FilteredClassLoader("org.springframework.data.redis", "io.lettuce"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(EngineBean.class)
				.doesNotHaveBean(RedisLocks.class));
	}

	/* Read by their names, because a class that is already loaded has its annotations. */
	@Configuration(proxyBeanMethods = false)
	@Import(Names.class)
	static class ByName {

	}

	static class Names implements DeferredImportSelector {

		@Override
		public String[] selectImports(AnnotationMetadata importing) {
			return LockContexts.names().toArray(String[]::new);
		}

	}

	/* Public, because the proxy is in another class loader. */
	public static class Shop {

		@DistributedLock("orders")
		public String buy() {
			return "bought";
		}

	}

}
