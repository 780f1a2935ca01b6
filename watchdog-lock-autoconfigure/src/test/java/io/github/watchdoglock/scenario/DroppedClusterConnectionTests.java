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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.fault.Traffic;
import io.github.watchdoglock.redis.RedisClusterExtension;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServer;
import io.github.watchdoglock.support.AnyMoment;
import io.github.watchdoglock.support.LockNews;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DnsResolvers;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for connections to one node of a cluster that a NAT or firewall has dropped
 * silently.
 */
@Tag("slow")
class DroppedClusterConnectionTests {

	@RegisterExtension
	static final RedisClusterExtension cluster = new RedisClusterExtension();

	private static final Duration LEASE = Duration.ofSeconds(2);

	@Test
	void locksSurviveSilentlyDroppedConnectionToEachNode() throws Exception {
		Map<Integer, FaultProxy> proxies = new HashMap<>();
		cluster.ports().forEach((port) -> proxies.put(port, FaultProxy.to(port)));
		ClientResources resources = ClientResources.builder()
			.socketAddressResolver(MappingSocketAddressResolver.create(DnsResolvers.UNRESOLVED,
					(address) -> HostAndPort.of("127.0.0.1", proxies.get(address.getPort()).port())))
			.build();
		LockNews news = new LockNews();
		try (RedisInstance instance = new RedisInstance(factory(resources), news).connected()) {
			List<LockHandle> held = instance.acquire("orders", 30, LEASE);
			for (FaultProxy proxy : proxies.values()) {
				AnyMoment.within(LEASE.dividedBy(3), held);
				long recovered = news.count("recovered");
				assertThat(proxy.swallow(Traffic.COMMANDS)).isPositive();
				await().atMost(LEASE).until(() -> news.count("recovered") > recovered);
			}
			await().pollDelay(LEASE).until(() -> true);
			assertThat(held).allMatch(LockHandle::isHeld);
			assertThat(news.losses()).isEmpty();
			held.forEach(LockHandle::close);
		}
		finally {
			proxies.values().forEach(FaultProxy::close);
			var unused = resources.shutdown();
		}
	}

	private static LettuceConnectionFactory factory(ClientResources resources) {
		return RedisServer.initialized(new LettuceConnectionFactory(cluster.configuration(),
				LettuceClientConfiguration.builder().clientResources(resources).build()));
	}

}
