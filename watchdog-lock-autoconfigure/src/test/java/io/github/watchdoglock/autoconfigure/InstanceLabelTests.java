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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.mock.env.MockPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link InstanceLabel}.
 */
class InstanceLabelTests {

	private static final String PID = "#" + ProcessHandle.current().pid();

	private final MockPropertySource port = new MockPropertySource();

	/* Receives the names of the requested properties. */
	private Function<String, @Nullable Object> asked = (name) -> null;

	private final ApplicationContextRunner contexts = LockContexts.local()
		.withPropertyValues("spring.application.name=shop", "HOSTNAME=till");

	@ParameterizedTest
	@CsvSource({ "a=b, shop@till#", "local.server.port=8080, shop@till:8080",
			"watchdog-lock.instance-name=east, east@till#" })
	void labelContainsPortOrProcessIdWithoutPort(String property, String label) {
		this.contexts.withPropertyValues(property)
			.run((context) -> assertThat(label(context)).isEqualTo(label.replace("#", PID)));
	}

	@Test
	void labelContainsPortAfterContextRefresh() {
		this.contexts.withInitializer(this::addPort).run((context) -> {
			InstanceLabel label = new InstanceLabel(context.getBean(WatchdogLockProperties.class),
					context.getEnvironment());
			assertThat(label.get()).isEqualTo("shop@till" + PID);
			this.port.setProperty("local.server.port", "8080");
			label.onApplicationEvent(new ContextRefreshedEvent(context));
			assertThat(label.get()).isEqualTo("shop@till:8080").isSameAs(label.get());
		});
	}

	@Test
	void holderOfRoleContainsPortOfWebServerStartedWithContext() {
		this.contexts.withInitializer(this::addPort)
			.withPropertyValues("watchdog-lock.leaders.billing.candidate=true")
			.withBean(SmartLifecycle.class, () -> new WebServer(this.port))
			.run((context) -> {
				LockService locks = context.getBean(LockService.class);
				await().until(() -> locks.find(LockKey.ofRole("billing")).isPresent());
				assertThat(locks.find(LockKey.ofRole("billing"))).map(LockState::holder).contains("shop@till:8080");
			});
	}

	@Test
	void labelContainsPortOfChildContextRefreshedLater() {
		this.contexts.withInitializer(this::addPort).run((context) -> {
			assertThat(label(context)).isEqualTo("shop@till" + PID);
			this.port.setProperty("local.server.port", "8081");
			context.publishEvent(new ContextRefreshedEvent(new GenericApplicationContext()));
			assertThat(label(context)).isEqualTo("shop@till:8081");
		});
	}

	@Test
	void acquisitionReadsNeitherHostNorPortProperty() {
		Set<String> names = ConcurrentHashMap.newKeySet();
		this.asked = (name) -> {
			names.add(name);
			return null;
		};
		this.contexts.withInitializer(this::addPort).run((context) -> {
			context.getBean(LockService.class);
			assertThat(names).contains("HOSTNAME", "local.server.port");
			names.clear();
			context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			assertThat(names).doesNotContain("HOSTNAME", "local.server.port");
		});
	}

	@Test
	void labelContainsPortSetDuringItsComputation() {
		this.contexts.withInitializer(this::addPort).run((context) -> {
			InstanceLabel label = new InstanceLabel(context.getBean(WatchdogLockProperties.class),
					context.getEnvironment());
			Thread refresh = new Thread(() -> label.onApplicationEvent(new ContextRefreshedEvent(context)));
			this.asked = (name) -> {
				if (!name.equals("local.server.port")) {
					return null;
				}
				if (Thread.currentThread() == refresh) {
					return "8080";
				}
				if (refresh.getState() == Thread.State.NEW) {
					refresh.start();
					await().until(() -> refresh.getState() == Thread.State.WAITING || !refresh.isAlive());
				}
				return null;
			};
			label.resolve();
			refresh.join(Duration.ofSeconds(20).toMillis());
			assertThat(label.get()).isEqualTo("shop@till:8080");
		});
	}

	private void addPort(ConfigurableApplicationContext context) {
		MutablePropertySources sources = context.getEnvironment().getPropertySources();
		sources.addFirst(new PropertySource<>("asked") {
			@Override
			public @Nullable Object getProperty(String name) {
				return InstanceLabelTests.this.asked.apply(name);
			}
		});
		sources.addFirst(this.port);
	}

	private static String label(ApplicationContext context) {
		return context.getBean(InstanceLabel.class).get();
	}

	/**
	 * Starts in the phase of Spring Boot's web servers.
	 */
	private static final class WebServer implements SmartLifecycle {

		private final MockPropertySource port;

		private boolean running;

		private WebServer(MockPropertySource port) {
			this.port = port;
		}

		@Override
		public void start() {
			this.running = true;
			this.port.setProperty("local.server.port", "8080");
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return DEFAULT_PHASE - 2048;
		}

	}

}
