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

package io.github.watchdoglock.topology.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServer;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the errors of an application with misconfigured sentinels, and for the
 * resources that it leaves behind.
 */
@Tag("slow")
@SuppressWarnings("NullAway.Init")
class SentinelSetupTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration SOON = Duration.ofSeconds(10);

	private final List<RedisServer> sentinels = new ArrayList<>();

	@AfterEach
	void stop() {
		this.sentinels.forEach(RedisServer::close);
	}

	@Test
	void unknownPrimaryNameIsReportedWithKnownNames() {
		RedisServer sentinel = sentinel(redis.port());
		assertRefused(factory("lokcs", sentinel.port(), ""), "do not know a primary 'lokcs', but [locks]",
				"spring.data.redis.sentinel.master");
	}

	@Test
	void unreachablePrimaryAddressIsReportedWithCauseAndRemedy() {
		int nowhere = RedisServer.freePort();
		RedisServer sentinel = sentinel(nowhere);
		assertRefused(factory("locks", sentinel.port(), ""), "name 127.0.0.1:" + nowhere, "Connection refused",
				"replica-announce-ip", "sentinel announce-ip");
	}

	@Test
	void unreachableSentinelsAreReportedWithCause() {
		int nowhere = RedisServer.freePort();
		assertRefused(factory("locks", nowhere, ""), "no sentinel has the address of the primary 'locks'",
				"127.0.0.1:" + nowhere + "=Connection refused");
	}

	@Test
	void wrongSentinelPasswordIsReportedWithProperty() {
		RedisServer sentinel = sentinel(redis.port(), "requirepass right");
		assertRefused(factory("locks", sentinel.port(), "wrong"), "WRONGPASS", "spring.data.redis.sentinel");
	}

	@Test
	void documentedSentinelUserSubscribesToFailoverMessages() throws Exception {
		RedisServer sentinel = sentinel(redis.port(),
				"user locks on >right -@all +hello +subscribe +sentinel resetchannels &+switch-master &+promoted-slave");
		RedisSentinelConfiguration configuration = configuration("locks", sentinel.port());
		configuration.setSentinelUsername("locks");
		configuration.setSentinelPassword("right");
		try (RedisInstance instance = instance(RedisServer.initialized(new LettuceConnectionFactory(configuration)))
			.connected()) {
			instance.engine().acquire(LockRequest.of("work")).close();
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(sentinel.admin().command("CLIENT", "LIST")).asString()
					.containsPattern("sub=2 .*user=locks"));
		}
	}

	@Test
	void closedInstanceLeavesNoThreadsOrSentinelConnections() throws Exception {
		RedisServer sentinel = sentinel(redis.port());
		await().atMost(SOON).until(() -> connections(sentinel.admin()) == 1);
		int before = threads();
		try (RedisInstance instance = instance(factory("locks", sentinel.port(), "")).connected()) {
			LockHandle held = instance.engine().acquire(LockRequest.of("work"));
			assertThat(connections(sentinel.admin())).isEqualTo(2);
			held.close();
		}
		await().atMost(SOON).untilAsserted(() -> assertThat(threads()).isLessThanOrEqualTo(before));
		await().atMost(SOON).untilAsserted(() -> assertThat(connections(sentinel.admin())).isOne());
	}

	private static long connections(RedisAdmin sentinel) {
		return sentinel.fact("clients", "connected_clients");
	}

	private static int threads() {
		return (int) Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("watchdog-lock") || thread.getName().startsWith("lettuce"))
			.count();
	}

	private static void assertRefused(LettuceConnectionFactory factory, String... words) {
		try (RedisInstance instance = instance(factory)) {
			await().atMost(SOON).untilAsserted(() -> {
				Throwable failure = catchThrowable(() -> instance.engine().tryAcquire(LockRequest.of("work")));
				assertThat(failure).isInstanceOf(LockStoreException.class).hasMessageContainingAll(words);
			});
		}
	}

	private static RedisInstance instance(LettuceConnectionFactory factory) {
		return new RedisInstance(factory, new EngineObserver() {
		});
	}

	private static LettuceConnectionFactory factory(String master, int sentinel, String password) {
		RedisSentinelConfiguration configuration = configuration(master, sentinel);
		if (!password.isEmpty()) {
			configuration.setSentinelPassword(password);
		}
		return RedisServer.initialized(new LettuceConnectionFactory(configuration));
	}

	private static RedisSentinelConfiguration configuration(String master, int sentinel) {
		return SentinelGroup.configuration(master, List.of(sentinel));
	}

	private RedisServer sentinel(int primary, String... settings) {
		String monitor = "sentinel monitor locks 127.0.0.1 " + primary + " 1";
		RedisServer sentinel = RedisServer.sentinel(StringUtils.addStringToArray(settings, monitor));
		this.sentinels.add(sentinel);
		return sentinel;
	}

}
