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
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.fault.Traffic;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.AnyMoment;
import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for connections that a NAT or firewall has dropped silently, while new ones are
 * healthy.
 */
@Tag("slow")
class DroppedConnectionTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final List<Traffic[]> SWALLOWED = List.of(new Traffic[] { Traffic.COMMANDS },
			new Traffic[] { Traffic.MESSAGES }, Traffic.values());

	private static final int ROUNDS = 3;

	@Test
	void locksSurviveSilentlyDroppedConnections() throws Exception {
		LockNews news = new LockNews();
		Concurrently.run(6, (i) -> {
			swallow(news, "instance-" + i, SWALLOWED.get(i % SWALLOWED.size()));
			return i;
		});
		assertThat(news.losses()).isEmpty();
		assertThat(news.count("recovered")).isPositive().isEqualTo(news.count("at risk"));
	}

	private static void swallow(LockNews news, String name, Traffic... traffic) throws Exception {
		try (FaultProxy proxy = FaultProxy.to(redis.port());
				RedisInstance instance = new RedisInstance(proxy.port(), news).connected()) {
			List<LockHandle> held = instance.acquire(name, 4, LEASE);
			for (int round = 0; round < ROUNDS; round++) {
				await().untilAsserted(() -> assertThat(Traffic.values()).allMatch((each) -> proxy.live(each) == 1));
				AnyMoment.within(LEASE.dividedBy(3), held);
				int before = proxy.accepted();
				assertThat(proxy.swallow(traffic)).isEqualTo(traffic.length);
				await().untilAsserted(() -> assertThat(proxy.accepted()).isEqualTo(before + traffic.length));
			}
			await().pollDelay(LEASE).until(() -> true);
			assertThat(held).allMatch(LockHandle::isHeld);
			assertThat(proxy.effects(Fault.SWALLOW)).isGreaterThanOrEqualTo(ROUNDS);
			held.forEach(LockHandle::close);
		}
	}

}
