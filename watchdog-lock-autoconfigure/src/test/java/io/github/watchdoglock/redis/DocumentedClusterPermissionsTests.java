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

package io.github.watchdoglock.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.EngineObserver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a cluster and a user that has exactly the permissions that
 * docs/operations/redis.md names.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class DocumentedClusterPermissionsTests {

	@RegisterExtension
	static final RedisClusterExtension cluster = new RedisClusterExtension();

	@Test
	void documentedPermissionsSufficeForLocksAndWaitersOnAllNodes(CapturedOutput output) throws Exception {
		grant(DocumentedUser.rules());
		EngineObserver nobody = new EngineObserver() {
		};
		try (RedisInstance one = new RedisInstance(factory(), nobody).connected();
				RedisInstance other = new RedisInstance(factory(), nobody).connected()) {
			Set<Integer> nodes = new HashSet<>();
			for (int i = 0; i < 12; i++) {
				LockRequest request = LockRequest.of("orders", "" + i).withWaitTime(Duration.ofSeconds(20));
				LockHandle held = one.engine().acquire(request);
				CompletableFuture<LockHandle> next = other.engine().acquireAsync(request);
				held.close();
				next.get(20, TimeUnit.SECONDS).close();
				nodes.add(cluster.node(LockKey.of("orders", "" + i)));
			}
			assertThat(nodes).hasSize(3);
		}
		assertThat(output).doesNotContain("NOPERM", "In this Redis");
	}

	@Test
	void missingPermissionForConnectingIsNamedInErrorAndLog(CapturedOutput output) {
		grant(DocumentedUser.rules().replace("+cluster|nodes ", ""));
		LettuceConnectionFactory factory = factory();
		try (RedisLocks locks = new RedisLocks(factory, RedisServer.settings())) {
			for (int i = 0; i < 3; i++) {
				assertThat(StoreCommands.refusal(locks)).hasMessageContainingAll("NOPERM",
						"ACL SETUSER <user> +cluster|nodes");
			}
			await().untilAsserted(() -> assertThat(output).containsOnlyOnce(" for locks: NOPERM")
				.contains("ACL SETUSER <user> +cluster|nodes"));
			grant(DocumentedUser.rules());
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(StoreCommands.fresh().acquire(locks.store())).isNotNull());
		}
		finally {
			factory.destroy();
		}
	}

	private static LettuceConnectionFactory factory() {
		RedisClusterConfiguration configuration = cluster.configuration();
		configuration.setUsername(DocumentedUser.NAME);
		configuration.setPassword(RedisAdmin.PASSWORD);
		return RedisServer.initialized(new LettuceConnectionFactory(configuration));
	}

	private static void grant(String rules) {
		cluster.ports().forEach((port) -> cluster.at(port).admin().setUser(DocumentedUser.NAME, rules));
	}

}
