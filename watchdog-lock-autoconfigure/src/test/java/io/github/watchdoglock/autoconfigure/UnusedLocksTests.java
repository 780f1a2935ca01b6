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
import java.util.Set;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.actuate.LockHealthIndicator;
import io.github.watchdoglock.actuate.LocksEndpoint;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.spring.LockLifecycle;
import io.github.watchdoglock.support.FakeLockService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for applications that use no lock, or none yet.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnusedLocksTests {

	private final ApplicationContextRunner withoutRedis = LockContexts.plain()
		.withBean(SimpleMeterRegistry.class)
		.withPropertyValues("management.endpoints.web.exposure.include=*",
				"management.endpoint.locks.access=UNRESTRICTED");

	private final ApplicationContextRunner local = this.withoutRedis.withPropertyValues("watchdog-lock.store=local");

	@Test
	void applicationWithoutRedisStartsWhenNoLockIsUsed() {
		this.withoutRedis.withBean(Heard.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).doesNotHaveBean(LockHealthIndicator.class).doesNotHaveBean(LocksEndpoint.class);
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(LockService.class))
				.havingRootCause()
				.isInstanceOf(LockConfigurationException.class);
		});
	}

	@Test
	void callOfLazyLockedBeanFailsWithoutStore() {
		this.withoutRedis.withUserConfiguration(LazyShop.class)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(Shop.class).buy())
				.havingRootCause()
				.isInstanceOf(LockConfigurationException.class));
	}

	@Test
	void firstCallAfterContextCloseFailsWithServiceClosed() {
		this.local.withBean(Shop.class).run((context) -> {
			Shop shop = context.getBean(Shop.class);
			context.getSourceApplicationContext().close();
			assertThatExceptionOfType(LockServiceClosedException.class).isThrownBy(shop::buy);
		});
	}

	@Test
	void noLockThreadStartsWhenNoLockIsUsed(CapturedOutput output) {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		this.withoutRedis.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=1")
			.run((context) -> {
				context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0],
						context.getSourceApplicationContext(), Duration.ZERO));
				assertThat(context.getBean(LockHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
				assertThat(context.getBean(LocksEndpoint.class).locks(null, true).heldCount()).isZero();
				context.getBean(LocalLocks.class).ensureHeld();
				assertThat(context.getBean("watchdogLockLifecycle", LockLifecycle.class).isPauseable()).isTrue();
				assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> !before.contains(thread))
					.extracting(Thread::getName)
					.noneMatch((name) -> name.startsWith("watchdog-lock"));
			});
		assertThat(output).doesNotContain("Locks are kept");
	}

	@Test
	void lazyListenerWithLockServiceIsNotifiedOfFirstLock() {
		this.local.withInitializer((context) -> {
			context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
			context.getBeanFactory()
				.registerSingleton("filter",
						LazyInitializationExcludeFilter.forBeanTypes(SmartInitializingSingleton.class));
		}).withBean(NeedyNews.class).withBean(Shop.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(Shop.class).buy();
			await().until(() -> context.getBean(NeedyNews.class).heard);
		});
	}

	@Test
	void storeAndLeaseTimeAreLoggedOnceAtStartup(CapturedOutput output) {
		this.withoutRedis.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withBean(Shop.class)
			.withPropertyValues("spring.data.redis.host=localhost", "spring.data.redis.port=1",
					"spring.data.redis.password=secret", "watchdog-lock.lease-time=20s")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(RedisLocks.class)
				.hasSingleBean(EngineBean.class));
		assertThat(output).contains("Locks are kept in Redis at localhost:1, with a lease of 20s")
			.doesNotContain("secret");
		this.local.withBean(Shop.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("Locks are kept in this JVM alone (watchdog-lock.store is local), with a lease of 30s");
		assertThat(output.toString().split("Locks are kept")).as("log lines of both contexts").hasSize(3);
	}

	@Test
	void lockServiceOfApplicationReplacesEngineAndEndpoints() {
		this.withoutRedis.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withBean(LockService.class, FakeLockService::new)
			.withBean(Shop.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LockService.class)
				.hasSingleBean(LockAdvisor.class)
				.doesNotHaveBean(RedisLocks.class)
				.doesNotHaveBean(EngineBean.class)
				.doesNotHaveBean("watchdogLockLifecycle")
				.doesNotHaveBean(LocksEndpoint.class)
				.doesNotHaveBean(LockHealthIndicator.class));
	}

	static class Shop {

		@DistributedLock(name = "orders")
		void buy() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyShop {

		@Bean
		@Lazy
		Shop shop() {
			return new Shop();
		}

	}

	static class Heard implements LockListener {

		volatile boolean heard;

		@Override
		public void acquired(LockKey key, long token, Duration waited) {
			this.heard = true;
		}

	}

	static class NeedyNews extends Heard {

		NeedyNews(LockService locks) {
			assertThat(locks).isNotNull();
		}

	}

}
