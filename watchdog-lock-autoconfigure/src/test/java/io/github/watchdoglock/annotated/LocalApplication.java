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

import java.util.List;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.autoconfigure.WatchdogLockAdviceAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockReactiveAutoConfiguration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.awaitility.Awaitility.await;

/**
 * An application that keeps its locks in the JVM, for a test class.
 */
final class LocalApplication implements BeforeAllCallback, AfterAllCallback, AfterEachCallback, TestsAsTasks {

	private final SpringApplicationBuilder builder;

	@SuppressWarnings("NullAway.Init")
	private ConfigurableApplicationContext instance;

	/**
	 * An application.
	 * @param configuration its beans
	 * @param properties its properties, as name=value
	 */
	LocalApplication(Class<?> configuration, String... properties) {
		this.builder = new SpringApplicationBuilder(Application.class, configuration).web(WebApplicationType.NONE)
			.properties("watchdog-lock.store=local", "watchdog-lock.wait-time=0s", "watchdog-lock.min-lease-time=200ms",
					"watchdog-lock.command-timeout=20ms", VIRTUAL, "spring.main.banner-mode=off")
			.properties(properties);
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		this.instance = this.builder.run();
	}

	@Override
	public void afterEach(ExtensionContext context) {
		await().until(() -> held().isEmpty());
	}

	@Override
	public void afterAll(ExtensionContext context) {
		this.instance.close();
	}

	@Override
	public ConfigurableApplicationContext instance() {
		return this.instance;
	}

	<T> T bean(Class<T> type) {
		return this.instance.getBean(type);
	}

	/* What is held and waited for. */
	List<LockSnapshot> held() {
		return bean(LocalLocks.class).list();
	}

	boolean isTaken(LockKey key) {
		return bean(LockService.class).find(key).isPresent();
	}

	/* Hold a lock on no thread, as another instance would. */
	LockHandle holdElsewhere(LockKey key) {
		return bean(LockService.class).acquireAsync(LockRequest.of(key)).join();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
			WatchdogLockAutoConfiguration.class, WatchdogLockAdviceAutoConfiguration.class,
			WatchdogLockReactiveAutoConfiguration.class })
	static class Application {

	}

}
