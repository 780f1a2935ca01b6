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

package io.github.watchdoglock.scenario;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that connections are opened when the application is ready, or with the first
 * lock, and that nothing of them outlives the application.
 */
class LateConnectionTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private final Set<Thread> before = Thread.getAllStackTraces().keySet();

	@Test
	void threadsAndConnectionsStartWhenApplicationIsReady() {
		AtomicReference<Set<String>> started = new AtomicReference<>(Set.of());
		try (ConfigurableApplicationContext application = application("counted", (event) -> {
			event.getApplicationContext().getBean(LockService.class);
			assertThat(clients("counted")).isZero();
			started.set(threads());
		})) {
			assertThat(started.get()).noneMatch((name) -> name.startsWith("watchdog-lock"));
			await().untilAsserted(() -> assertThat(clients("counted")).isEqualTo(2));
			Set<String> connected = threads();
			connected.removeAll(started.get());
			assertThat(connected).hasSizeLessThanOrEqualTo(4).anyMatch((name) -> name.startsWith("lettuce"));
		}
	}

	@Test
	void firstLockOpensConnectionsWithoutSpringApplication() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("spring.data.redis.port=" + redis.port(), "watchdog-lock.instance-name=bare")
			.run((context) -> {
				LockService locks = context.getBean(LockService.class);
				assertThat(clients("bare")).isZero();
				locks.acquire(LockRequest.of("bare").withWaitTime(Duration.ZERO)).close();
				await().untilAsserted(() -> assertThat(clients("bare")).isEqualTo(2));
			});
	}

	@Test
	void closedApplicationLeavesNoThreadsOrReferences() throws Exception {
		List<WeakReference<?>> used = use();
		await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(threads()).isEmpty());
		await().untilAsserted(() -> {
			System.gc();
			assertThat(used).allMatch((reference) -> reference.refersTo(null));
		});
	}

	/* A separate stack frame, which keeps no references. */
	private static List<WeakReference<?>> use() throws Exception {
		try (ConfigurableApplicationContext application = application("ended", (event) -> {
		})) {
			LockService service = application.getBean(LockService.class);
			service.acquireAsync(LockRequest.of("ended")).get().closeAsync().get();
			LockHandle handle = service.acquire(LockRequest.of("ended"));
			handle.close();
			return List.of(new WeakReference<>(application.getBean(RedisLocks.class)), new WeakReference<>(handle));
		}
	}

	private static ConfigurableApplicationContext application(String name,
			ApplicationListener<ApplicationStartedEvent> whenStarted) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.port=" + redis.port(), "watchdog-lock.instance-name=" + name)
			.listeners(whenStarted)
			.run();
	}

	/* The new threads of locks and of Lettuce. */
	private Set<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !this.before.contains(thread))
			.map(Thread::getName)
			.filter((name) -> name.startsWith("watchdog-lock") || name.startsWith("lettuce")
					|| name.equals("CompletableFutureDelayScheduler"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static long clients(String name) {
		List<?> clients = redis.template().getClientList();
		return (clients != null) ? clients.stream().filter((client) -> client.toString().contains(name)).count() : 0;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		LockListener listener() {
			return new LockListener() {
			};
		}

	}

}
