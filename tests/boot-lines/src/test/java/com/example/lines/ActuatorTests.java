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

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the endpoint, health and meters over HTTP.
 */
@ShopTest
class ActuatorTests {

	private final Actuator actuator;

	@Autowired
	private Shop shop;

	@Autowired
	private LockService locks;

	@Autowired
	private StringRedisTemplate redis;

	ActuatorTests(@Autowired Environment environment) {
		this.actuator = new Actuator(environment);
	}

	@Test
	void endpointListsHeldLocksWithTokenAndLease() throws Exception {
		try (LockHandle handle = this.locks.acquire(LockRequest.of("listed", "phone"))) {
			assertThat(this.actuator.get("locks").body()).contains("\"name\":\"listed\"",
					"\"token\":" + handle.fencingToken(), "\"lease\":\"PT3S\"");
			assertThat(this.actuator.get("locks?limit=0").body()).contains("\"held\":[]").contains("\"heldCount\":1");
			assertThat(this.actuator.get("locks/other").body()).contains("\"heldCount\":0");
		}
	}

	@Test
	void endpointShowsStateOfKeyInRedis() throws Exception {
		try (LockHandle handle = this.locks.acquire(LockRequest.of("asked", "phone"))) {
			assertThat(this.actuator.get("locks/asked?key=phone").body())
				.containsPattern("\"state\":\\{\"holder\":\"shop@.*\"token\":" + handle.fencingToken());
			assertThat(this.actuator.get("locks/asked?key=phone&stack=true").body())
				.contains("endpointShowsStateOfKeyInRedis");
		}
		assertThat(this.actuator.get("locks/asked?key=phone").statusCode()).isEqualTo(404);
		assertThat(this.actuator.get("locks?limit=many").statusCode()).isEqualTo(400);
	}

	@Test
	void deleteOnEndpointForcesReleaseOfLock() throws Exception {
		try (LockHandle handle = this.locks.acquire(LockRequest.of("taken", "phone"))) {
			assertThat(this.actuator.send("DELETE", "locks/taken?key=phone").statusCode()).isEqualTo(204);
			assertThat(this.actuator.send("DELETE", "locks/taken?key=phone").statusCode()).isEqualTo(404);
			await().until(() -> !handle.isHeld());
		}
	}

	@Test
	void metersCountAcquisitionsAndCommands() throws Exception {
		this.shop.buy("metered");
		assertThat(this.actuator.get("metrics/watchdog.lock.acquire?tag=lock:article&tag=outcome:acquired").body())
			.contains("COUNT", "TOTAL_TIME")
			.doesNotContain("\"value\":0.0}");
		assertThat(this.actuator.get("metrics/watchdog.lock.commands?tag=command:acquire&tag=outcome:ok").statusCode())
			.isEqualTo(200);
	}

	@Test
	void healthIsOutOfServiceFromALossUntilRedisAnswers() throws Exception {
		assertThat(this.actuator.get("health/watchdogLock").body()).isEqualTo("{\"status\":\"UP\"}");
		try (LockHandle handle = this.locks.acquire(LockRequest.of("paused"))) {
			this.redis.execute((connection) -> connection.execute("CLIENT", bytes("PAUSE"), bytes("4500")), true);
			await().until(() -> !handle.isHeld());
			await().atMost(Duration.ofSeconds(1)).untilAsserted(() -> {
				assertThat(this.actuator.get("health/watchdogLock").statusCode()).isEqualTo(503);
				assertThat(this.actuator.get("health/watchdogLock").body()).contains("\"status\":\"OUT_OF_SERVICE\"",
						"\"lost\":\"paused\"");
			});
		}
		await().until(() -> this.actuator.get("health/watchdogLock").body().equals("{\"status\":\"UP\"}"));
	}

	@Test
	void healthIsNotFoundWhenDisabledByProperty() throws Exception {
		assertThat(this.actuator.get("health/watchdogLock").statusCode()).isEqualTo(200);
		try (ConfigurableApplicationContext other = ShopInstance
			.start("management.health.watchdog-lock.enabled=false")) {
			assertThat(new Actuator(other.getEnvironment()).get("health/watchdogLock").statusCode()).isEqualTo(404);
		}
	}

	private static byte[] bytes(String word) {
		return word.getBytes(StandardCharsets.US_ASCII);
	}

}
