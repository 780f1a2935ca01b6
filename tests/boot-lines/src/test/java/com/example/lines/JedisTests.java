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

package com.example.lines;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application that uses Jedis, with locks that connect with Lettuce.
 */
class JedisTests {

	@Test
	void locksWorkBesideJedisWhenRedisStartsLater() throws IOException {
		int port = RedisServerExtension.freePort();
		try (ConfigurableApplicationContext instance = ShopInstance.start("spring.data.redis.client-type=jedis",
				"spring.data.redis.port=" + port)) {
			assertThat(instance.getBean(RedisConnectionFactory.class)).isInstanceOf(JedisConnectionFactory.class);
			LockService locks = instance.getBean(LockService.class);
			LockRequest request = LockRequest.of("article").withWaitTime(Duration.ZERO);
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.acquire(request));
			RedisServer server = RedisServerExtension.start(port);
			try {
				StringRedisTemplate redis = instance.getBean(StringRedisTemplate.class);
				await().atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThat(channels(redis)).asInstanceOf(InstanceOfAssertFactories.LIST)
						.isNotEmpty());
				assertThat(instance.getBean(Shop.class).buy("phone")).isEqualTo("held");
			}
			finally {
				server.stop();
			}
		}
	}

	private static Object channels(StringRedisTemplate redis) {
		Object channels = redis
			.execute((connection) -> connection.execute("PUBSUB", bytes("CHANNELS"), bytes("watchdog-lock:*")), true);
		return (channels != null) ? channels : List.of();
	}

	private static byte[] bytes(String word) {
		return word.getBytes(StandardCharsets.US_ASCII);
	}

}
