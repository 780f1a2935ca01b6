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

package io.github.watchdoglock.migration;

import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.annotation.DistributedLock;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * A release of an application that migrates.
 */
enum Generation {

	REDISSON(BeforeMigration.class), BOTH(DuringMigration.class), WATCHDOG_LOCK(AfterMigration.class);

	private final Class<?> application;

	Generation(Class<?> application) {
		this.application = application;
	}

	ConfigurableApplicationContext start(int redisPort) {
		return new SpringApplicationBuilder(this.application).web(WebApplicationType.NONE)
			.properties("spring.data.redis.port=" + redisPort, "spring.main.banner-mode=off", "logging.level.root=warn")
			.run();
	}

	/**
	 * Locks each order.
	 */
	interface Orders {

		Section ship(String id) throws InterruptedException;

	}

	@Configuration(proxyBeanMethods = false)
	static class RedissonConfiguration {

		@Bean(destroyMethod = "shutdown")
		RedissonClient redisson(@Value("${spring.data.redis.port}") int port) {
			Config config = new Config().setThreads(2).setNettyThreads(2);
			config.useSingleServer()
				.setAddress("redis://127.0.0.1:" + port)
				.setConnectionMinimumIdleSize(2)
				.setConnectionPoolSize(8);
			return Redisson.create(config);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(RedissonConfiguration.class)
	static class BeforeMigration {

		@Bean
		Orders orders(RedissonClient redisson) {
			return (id) -> {
				RLock lock = redisson.getLock("order:" + id);
				if (!lock.tryLock(10, TimeUnit.SECONDS)) {
					throw new IllegalStateException("Redisson's lock of order " + id + " was not acquired");
				}
				try {
					return Section.execute(REDISSON, id);
				}
				finally {
					lock.unlock();
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ RedissonConfiguration.class, PreviousLockAspect.class })
	static class DuringMigration {

		@Bean
		Orders orders() {
			return new OrdersWithBothLocks();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class AfterMigration {

		@Bean
		Orders orders() {
			return new OrdersWithOneLock();
		}

	}

	/**
	 * The class in release N.
	 */
	static class OrdersWithBothLocks implements Orders {

		@Override
		@PreviousLock(name = "'order:' + #id", waitMillis = 5000)
		@DistributedLock(name = "order", key = "#id", waitTime = "5s")
		public Section ship(String id) {
			return Section.execute(BOTH, id);
		}

	}

	/**
	 * The class in release N + 1.
	 */
	static class OrdersWithOneLock implements Orders {

		@Override
		@DistributedLock(name = "order", key = "#id", waitTime = "10s")
		public Section ship(String id) {
			return Section.execute(WATCHDOG_LOCK, id);
		}

	}

}
