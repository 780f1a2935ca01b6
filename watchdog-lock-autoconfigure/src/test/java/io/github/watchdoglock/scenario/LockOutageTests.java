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

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.actuate.RunningApplication;
import io.github.watchdoglock.actuate.RunningApplication.Answer;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the view of an operator: Redis is stopped while a lock is held, and a lock of
 * another instance is released by force.
 */
@Tag("slow")
class LockOutageTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofMillis(1_500);

	@Test
	void healthIsOutOfServiceAfterLossUntilRedisAnswers() throws Exception {
		try (RunningApplication application = application()) {
			assertThat(health(application)).isEqualTo(new Answer(200, "{\"status\":\"UP\"}"));
			LockHandle handle = application.locks().acquire(LockRequest.of("orders", "secret"));
			await().until(() -> ((Integer) application.get("locks/orders").list("held").get(0).get("renewals")) > 0);
			assertThat(health(application)).isEqualTo(new Answer(200, "{\"status\":\"UP\"}"));
			Instant stopped = Instant.now();
			redis.stop();
			LockLoss loss = handle.whenLost().toCompletableFuture().get(30, TimeUnit.SECONDS);
			assertThat(loss.reason()).isEqualTo(LockLoss.Reason.EXPIRED);
			Answer lost = health(application);
			assertThat(lost.status()).isEqualTo(503);
			assertThat(lost.json()).containsEntry("status", "OUT_OF_SERVICE");
			assertThat(lost.object("details")).containsEntry("holds", 0)
				.containsEntry("atRisk", 0)
				.containsEntry("lost", "orders")
				.containsKeys("since", "lastRenewal");
			assertThat(Instant.parse((String) lost.object("details").get("since"))).isBetween(stopped, Instant.now());
			assertThat(lost.text()).doesNotContain("secret");
			assertThat(application.get("health/readiness").status()).isEqualTo(503);
			handle.close();
			await().pollDelay(LEASE).until(() -> true);
			assertThat(health(application).status()).isEqualTo(503);
			redis.start();
			// No caller uses a lock: the application itself sends the commands.
			await().atMost(Duration.ofSeconds(30)).until(() -> health(application).status() == 200);
			assertThat(health(application).json()).isEqualTo(Map.of("status", "UP"));
			assertThat(application.get("health/readiness").status()).isEqualTo(200);
			await().until(() -> threads() == 0);
		}
	}

	private static Answer health(RunningApplication application) {
		return application.get("health/watchdogLock");
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.isAlive() && thread.getName().equals("watchdog-lock-health"))
			.count();
	}

	private static RunningApplication application() {
		RunningApplication application = RunningApplication.start(RunningApplication.WITHOUT_SECURITY,
				"spring.data.redis.port=" + redis.port(), "watchdog-lock.lease-time=" + LEASE.toMillis() + "ms",
				"management.endpoint.locks.access=unrestricted",
				"management.endpoint.health.group.readiness.include=readinessState,watchdogLock");
		await().ignoreExceptionsInstanceOf(LockStoreException.class)
			.untilAsserted(() -> application.locks().acquire(LockRequest.of("none")).close());
		return application;
	}

}
