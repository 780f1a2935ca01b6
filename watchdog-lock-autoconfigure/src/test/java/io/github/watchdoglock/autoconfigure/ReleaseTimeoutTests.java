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
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests how long closing a handle, and stopping, waits for Redis.
 */
class ReleaseTimeoutTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration PAUSE = Duration.ofMillis(600);

	private final ApplicationContextRunner context = LockContexts.plain();

	@Test
	void closeWaitsForReleaseInStoreByDefault() {
		assertThat(closing()).as("time of close() while Redis is paused and await-release is on")
			.isGreaterThan(PAUSE.dividedBy(2));
	}

	@Test
	void closeReturnsBeforeReleaseInStoreWithoutAwaitRelease() {
		assertThat(closing("watchdog-lock.await-release=false"))
			.as("time of close() while Redis is paused and await-release is off")
			.isLessThan(PAUSE.dividedBy(2));
	}

	@Test
	void connectedApplicationThatHasUsedNoLockStopsAtOnce() {
		this.context.withPropertyValues("watchdog-lock.instance-name=unused")
			.withBean(RedisConnectionFactory.class, () -> RedisServerExtension.factory(redis.port()))
			.run((context) -> {
				RedisInstance.awaitConnection(context.getBean(LockService.class));
				await().until(() -> redis.admin().clients("watchdog-lock:unused") == 2);
				assertThat(context.getBean(EngineBean.class).engine().stop()).succeedsWithin(Duration.ofSeconds(1));
			});
	}

	private Duration closing(String... properties) {
		Supplier<RedisConnectionFactory> factory = () -> RedisServerExtension.factory(redis.port());
		Duration[] took = new Duration[1];
		this.context.withPropertyValues(properties).withBean(RedisConnectionFactory.class, factory).run((context) -> {
			LockService locks = context.getBean(LockService.class);
			await().atMost(Duration.ofSeconds(30))
				.ignoreExceptions()
				.until(() -> locks.find(LockKey.of("none")).isEmpty());
			LockHandle handle = locks.acquire(LockRequest.of("orders"));
			new RedisAdmin(redis.factory()).command("CLIENT", "PAUSE", Long.toString(PAUSE.toMillis()));
			long before = System.nanoTime();
			handle.close();
			took[0] = Duration.ofNanos(System.nanoTime() - before);
			await().until(() -> locks.find(LockKey.of("orders")).isEmpty());
		});
		return took[0];
	}

}
