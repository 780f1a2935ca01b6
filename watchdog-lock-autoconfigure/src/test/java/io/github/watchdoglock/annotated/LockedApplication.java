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

package io.github.watchdoglock.annotated;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.autoconfigure.WatchdogLockAdviceAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockReactiveAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockRedisAutoConfiguration;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances of an application with their own Redis, for a test class. Its tests run
 * as tasks of the first instance, on virtual threads if the JDK supports them.
 */
final class LockedApplication implements BeforeAllCallback, AfterAllCallback, InvocationInterceptor {

	private final RedisServerExtension redis = new RedisServerExtension();

	private final Class<?> configuration;

	private final String[] properties;

	private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

	/**
	 * Create an application.
	 * @param configuration its beans
	 * @param properties its properties, as name=value
	 */
	LockedApplication(Class<?> configuration, String... properties) {
		this.configuration = configuration;
		this.properties = properties;
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		this.redis.beforeAll(context);
		this.instances.add(start());
		this.instances.add(start());
	}

	@Override
	public void afterAll(ExtensionContext context) {
		this.instances.forEach(ConfigurableApplicationContext::close);
		this.redis.afterAll(context);
	}

	private ConfigurableApplicationContext start() {
		ConfigurableApplicationContext instance = new SpringApplicationBuilder(Application.class, this.configuration)
			.web(WebApplicationType.NONE)
			.properties(this.properties)
			.properties("spring.data.redis.port=" + this.redis.port(), "watchdog-lock.wait-time=0s",
					"spring.threads.virtual.enabled=true", "spring.main.banner-mode=off")
			.run();
		await().atMost(Duration.ofSeconds(30))
			.ignoreExceptionsInstanceOf(LockStoreException.class)
			.until(() -> instance.getBean(LockService.class).find(LockKey.of("none")).isEmpty());
		return instance;
	}

	@Override
	public void interceptTestMethod(Invocation<Void> test, ReflectiveInvocationContext<Method> method,
			ExtensionContext context) throws Throwable {
		CompletableFuture<Void> outcome = new CompletableFuture<>();
		this.instances.get(0).getBean("applicationTaskExecutor", AsyncTaskExecutor.class).execute(() -> {
			try {
				assertThat(Thread.currentThread().toString().startsWith("VirtualThread"))
					.isEqualTo(Runtime.version().feature() >= 21);
				outcome.complete(test.proceed());
			}
			catch (Throwable ex) {
				outcome.completeExceptionally(ex);
			}
		});
		try {
			outcome.get(2, TimeUnit.MINUTES);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() != null) ? ex.getCause() : ex;
		}
	}

	/* A bean of the first instance. */
	<T> T bean(Class<T> type) {
		return this.instances.get(0).getBean(type);
	}

	/* A bean of the second instance. */
	<T> T beanElsewhere(Class<T> type) {
		return this.instances.get(1).getBean(type);
	}

	/* Acquire a lock in the second instance, without a thread that owns it. */
	LockHandle holdElsewhere(String name) {
		return beanElsewhere(LockService.class).acquireAsync(LockRequest.of(name).withWaitTime(Duration.ofSeconds(10)))
			.join();
	}

	boolean isHeld(String name) {
		return bean(LockService.class).find(LockKey.of(name)).isPresent();
	}

	RedisAdmin redis() {
		return new RedisAdmin(this.redis.factory());
	}

	/* Wait until no lock is held or waited for. */
	void awaitAllFree() {
		RedisAdmin admin = redis();
		await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(admin.taken()).isEmpty());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
			TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class,
			WatchdogLockRedisAutoConfiguration.class, WatchdogLockAutoConfiguration.class,
			WatchdogLockAdviceAutoConfiguration.class, WatchdogLockReactiveAutoConfiguration.class })
	static class Application {

	}

}
