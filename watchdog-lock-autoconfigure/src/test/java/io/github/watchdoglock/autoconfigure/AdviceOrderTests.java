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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.SlowWork;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the position of the lock among the other advice of a method.
 */
@ExtendWith(OutputCaptureExtension.class)
class AdviceOrderTests {

	private final ApplicationContextRunner contexts = LockContexts
		.plain(AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class)
		.withUserConfiguration(Application.class);

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=true", "spring.aop.auto=false" })
	void lockIsInsideAsyncRetryAndSecurityAndOutsideCacheAndTransaction(String property, CapturedOutput output) {
		this.contexts.withPropertyValues(property).run((context) -> {
			assertThat(context).hasNotFailed();
			Recorder events = context.getBean(Recorder.class);
			Work work = context.getBean(Work.class);
			assertThat(AopUtils.isCglibProxy(work)).isTrue();
			work.all("42");
			Awaitility.await().until(() -> events.list().contains("async"));
			assertThat(events.list()).containsExactly("security", "lock", "fail", "rollback", "unlock", "security",
					"lock", "succeed", "commit", "unlock", "async");
			events.list().clear();
			work.cached("7");
			work.cached("7");
			assertThat(events.list()).containsExactly("lock", "cached", "unlock", "lock", "unlock");
		});
		assertThat(output).doesNotContain("not eligible for getting processed");
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=true", "spring.aop.auto=false" })
	void lockIsInsideTheConcurrencyLimit(String property) {
		this.contexts.withPropertyValues(property).run((context) -> {
			Work work = context.getBean(Work.class);
			FakeLockService locks = context.getBean(FakeLockService.class);
			CountDownLatch finish = new CountDownLatch(1);
			Thread first = new Thread(() -> work.limited(finish));
			first.start();
			Awaitility.await().until(() -> locks.requests.size() == 1);
			Thread second = new Thread(() -> work.limited(finish));
			second.start();
			Awaitility.await()
				.until(() -> second.getState() == Thread.State.WAITING
						|| second.getState() == Thread.State.TIMED_WAITING || locks.requests.size() > 1);
			assertThat(locks.requests).as("acquisitions while the concurrency limit is reached").hasSize(1);
			finish.countDown();
			first.join();
			second.join();
			assertThat(context.getBean(Recorder.class).list()).containsExactly("lock", "limited", "unlock", "lock",
					"limited", "unlock");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=true", "spring.aop.auto=false" })
	void interfaceIsProxiedWhenProxyTargetClassIsFalse(String property) {
		LockContexts.plain(AopAutoConfiguration.class)
			.withUserConfiguration(Alone.class)
			.withBean("behind", Behind.class, BehindWork::new)
			.withPropertyValues(property, "spring.aop.proxy-target-class=false")
			.run((context) -> {
				Behind behind = context.getBean(Behind.class);
				assertThat(AopUtils.isJdkDynamicProxy(behind)).isTrue();
				behind.run();
				assertThat(context.getBean(Recorder.class).list()).containsExactly("lock", "unlock");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=true", "spring.aop.auto=false" })
	void earlyPostProcessorOfApplicationCreatesNoLibraryBeanEarly(String property, CapturedOutput output) {
		this.contexts.withUserConfiguration(EarlyPostProcessor.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.toString().lines().filter((line) -> line.contains("not eligible for getting processed")))
			.isNotEmpty()
			.allMatch((line) -> line.contains("Bean 'dependency'"));
	}

	record Recorder(List<String> list) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Alone {

		@Bean
		Recorder recorder() {
			return new Recorder(new CopyOnWriteArrayList<>());
		}

		@Bean
		FakeLockService lockService(Recorder recorder) {
			return new FakeLockService(recorder.list());
		}

		@Bean
		Work work(Recorder recorder) {
			return new Work(recorder.list());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableCaching
	@EnableMethodSecurity
	@EnableResilientMethods
	static class Application extends Alone {

		@Bean
		Guard guard(Recorder recorder) {
			return new Guard(recorder.list());
		}

		@Bean
		ConcurrentMapCacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

		@Bean
		SimpleAsyncTaskExecutor taskExecutor(Recorder recorder) {
			SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("async-");
			executor.setTaskDecorator((task) -> () -> {
				task.run();
				recorder.list().add("async");
			});
			return executor;
		}

	}

	public static class Guard {

		private final List<String> events;

		Guard(List<String> events) {
			this.events = events;
		}

		public boolean allow() {
			return this.events.add("security");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyPostProcessor {

		@Bean
		static BeanPostProcessor early(Dependency dependency) {
			return new BeanPostProcessor() {
			};
		}

		@Bean
		static Dependency dependency() {
			return new Dependency();
		}

	}

	static class Dependency {

	}

	interface Behind {

		void run();

	}

	static final class BehindWork implements Behind {

		@Override
		@DistributedLock
		public void run() {
		}

	}

	public static class Work {

		private final List<String> events;

		private int calls;

		Work(List<String> events) {
			this.events = events;
		}

		@Async
		@ConcurrencyLimit(1)
		@Retryable(maxRetries = 1, delay = 0)
		@PreAuthorize("@guard.allow()")
		@DistributedLock(key = "#id")
		@Transactional
		@Cacheable("all")
		public void all(String id) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int status) {
					Work.this.events.add((status == STATUS_COMMITTED) ? "commit" : "rollback");
				}
			});
			if (this.calls++ == 0) {
				this.events.add("fail");
				throw new IllegalStateException("first call");
			}
			this.events.add("succeed");
		}

		@ConcurrencyLimit(1)
		@DistributedLock
		public void limited(CountDownLatch finish) {
			this.events.add("limited");
			SlowWork.uninterrupted(finish, Duration.ofMinutes(1));
		}

		@DistributedLock(key = "#id")
		@Cacheable("cached")
		public String cached(String id) {
			this.events.add("cached");
			return id;
		}

	}

}
