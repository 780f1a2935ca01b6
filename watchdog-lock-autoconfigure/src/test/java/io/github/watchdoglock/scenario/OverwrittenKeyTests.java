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
import java.util.List;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an overwritten entry of one lock among many that are renewed together.
 */
class OverwrittenKeyTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final LockKey ODD = LockKey.of("orders", "42");

	@Test
	void keyOfWrongTypeIsLostWithoutAffectingOtherLocks() throws Exception {
		LockNews news = new LockNews();
		RedisAdmin admin = redis.admin();
		try (RedisInstance instance = new RedisInstance(redis.port(), news).connected()) {
			List<LockHandle> held = instance.acquire("orders", 100, LEASE);
			admin.command("DEL", "watchdog-lock:{orders:42}");
			admin.command("HSET", "watchdog-lock:{orders:42}", "field", "value");
			LockLoss loss = await().atMost(LEASE).until(() -> news.losses(), (losses) -> !losses.isEmpty()).get(0);
			assertThat(loss.key()).isEqualTo(ODD);
			assertThat(loss.reason()).isEqualTo(LockLoss.Reason.EXPIRED);
			await().pollDelay(LEASE).until(() -> true);
			assertThat(held).as("locks with intact records that are still held")
				.filteredOn(LockHandle::isHeld)
				.hasSize(99);
			assertThat(news.losses()).hasSize(1);
			assertThat(news.count("renewal failed")).isEqualTo(news.count("renewal failed", ODD));
			held.forEach(LockHandle::close);
		}
	}

}
