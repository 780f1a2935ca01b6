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
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.sql.DataSource;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.event.LockAcquiredEvent;
import io.github.watchdoglock.event.LockEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for locks of an application that has child contexts.
 */
class ChildContextTests {

	private static final LockKey KEY = LockKey.of("orders");

	@AutoClose
	private final ConfigurableApplicationContext parent = application(Parent.class).run();

	private static SpringApplicationBuilder application(Class<?> source) {
		return new SpringApplicationBuilder(source).web(WebApplicationType.NONE)
			.properties("watchdog-lock.store=local", "watchdog-lock.events.acquired=true", "spring.jmx.enabled=false");
	}

	@Test
	void childContextUsesEngineOfParentContext() throws InterruptedException {
		Heard above = this.parent.getBean(Heard.class);
		try (ConfigurableApplicationContext child = application(Child.class).parent(this.parent).run()) {
			assertThat(child.getBean(LockService.class)).isSameAs(this.parent.getBean(LockService.class));
			assertThat(child.getBean(LocalLocks.class)).isSameAs(this.parent.getBean(LocalLocks.class));
			lose();
			await().untilAsserted(() -> assertThat(above.all).containsExactlyInAnyOrder("told acquired", "told lost",
					"event acquired", "event lost"));
		}
	}

	@Test
	void commitInChildContextFailsAfterLossOfLock() {
		try (ConfigurableApplicationContext child = application(Child.class).parent(this.parent).run()) {
			TransactionTemplate transaction = new TransactionTemplate(
					child.getBean("below", PlatformTransactionManager.class));
			LockService locks = child.getBean(LockService.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> {
				try (LockHandle handle = locks.acquire(LockRequest.of("strict").withOnLoss(OnLoss.FAIL))) {
					transaction.executeWithoutResult((status) -> {
						locks.forceRelease(handle.key());
						await().until(() -> !handle.isHeld());
					});
				}
			});
			assertThat(child.getBean(Shop.class).buy()).isEqualTo("bought");
		}
	}

	private void lose() throws InterruptedException {
		LockService locks = this.parent.getBean(LockService.class);
		try (LockHandle handle = locks.acquire(LockRequest.of(KEY))) {
			locks.forceRelease(KEY);
			await().until(() -> !handle.isHeld());
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Heard.class)
	static class Parent {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Shop.class)
	static class Child {

		@Bean
		PlatformTransactionManager below(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

	}

	static class Shop {

		@DistributedLock(name = "shop")
		String buy() {
			return "bought";
		}

	}

	static class Heard implements LockListener {

		final Collection<String> all = new ConcurrentLinkedQueue<>();

		@Override
		public void acquired(LockKey key, long token, Duration waited) {
			this.all.add("told acquired");
		}

		@Override
		public void lost(LockLoss loss, Duration held) {
			this.all.add("told lost");
		}

		@EventListener
		void on(LockEvent event) {
			this.all.add((event instanceof LockAcquiredEvent) ? "event acquired" : "event lost");
		}

	}

}
