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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisClusterExtension;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a cluster with a frozen primary.
 */
@Tag("slow")
class FrozenClusterNodeTests {

	@RegisterExtension
	static final RedisClusterExtension cluster = new RedisClusterExtension();

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final int LOCKS_EACH = 10;

	@Test
	void locksOfFrozenNodeExpireAndLocksOfOtherNodesAreKept() throws Exception {
		LockNews news = new LockNews();
		int frozen = cluster.ports().get(1);
		try (RedisInstance instance = new RedisInstance(cluster.factory(), news).connected()) {
			Map<Integer, List<LockHandle>> held = new HashMap<>();
			for (int port : cluster.ports()) {
				List<LockHandle> handles = new ArrayList<>();
				for (LockKey key : cluster.keys("orders", port).limit(LOCKS_EACH).toList()) {
					handles.add(instance.engine().acquire(LockRequest.of(key).withLease(Lease.renewed(LEASE))));
				}
				held.put(port, handles);
			}
			cluster.at(frozen).process().freezeWhile(() -> {
				await().pollDelay(LEASE).until(() -> true);
				assertThat(held.get(frozen)).noneMatch(LockHandle::isHeld);
				assertThat(held.get(frozen)).allSatisfy((handle) -> assertThat(handle.whenLost())
					.isCompletedWithValueMatching((loss) -> loss.reason() == LockLoss.Reason.EXPIRED));
				await().pollDelay(LEASE.multipliedBy(2)).until(() -> true);
				assertThat(news.losses()).as("losses while the node is frozen (line 86: after it continues)")
					.hasSize(LOCKS_EACH);
				for (int port : cluster.ports()) {
					assertThat(held.get(port)).allMatch((handle) -> handle.isHeld() == (port != frozen));
				}
				takesAndGivesBackAnother(instance, cluster.ports().get(0));
				takesAndGivesBackAnother(instance, cluster.ports().get(2));
				assertThat(news.count("at risk")).isEqualTo(LOCKS_EACH);
			});
			await().atMost(Duration.ofSeconds(20))
				.ignoreExceptions()
				.untilAsserted(() -> takesAndGivesBackAnother(instance, frozen));
			assertThat(news.losses()).hasSize(LOCKS_EACH);
			held.values().forEach((handles) -> handles.forEach(LockHandle::close));
		}
	}

	@Test
	void clusterDownFailsCallersWithStoreErrorAndHoldRecovers() throws Exception {
		LockNews news = new LockNews();
		int port = cluster.ports().get(2);
		LockKey key = cluster.keys("orders", port).findFirst().orElseThrow();
		int slot = 16_383;
		try (RedisInstance instance = new RedisInstance(cluster.factory(), news)) {
			await().atMost(Duration.ofSeconds(20))
				.ignoreExceptions()
				.untilAsserted(() -> takesAndGivesBackAnother(instance, port));
			LockHandle handle = instance.engine().acquire(LockRequest.of(key).withLease(Lease.renewed(LEASE)));
			RedisAdmin admin = cluster.at(port).admin();
			admin.with("cluster-require-full-coverage", "yes", () -> {
				admin.command("CLUSTER", "DELSLOTS", "" + slot);
				await().atMost(LEASE).until(() -> news.count("at risk") == 1);
				assertThatExceptionOfType(LockStoreException.class)
					.isThrownBy(() -> takesAndGivesBackAnother(instance, port))
					.withMessageContaining("CLUSTERDOWN");
				admin.command("CLUSTER", "ADDSLOTS", "" + slot);
			});
			await().atMost(LEASE).until(() -> news.count("recovered") == 1);
			assertThat(handle.isHeld()).isTrue();
			handle.close();
			assertThat(news.losses()).isEmpty();
		}
	}

	private static void takesAndGivesBackAnother(RedisInstance instance, int port) throws Exception {
		LockKey key = cluster.keys("other", port).findFirst().orElseThrow();
		instance.engine().acquire(LockRequest.of(key).withLease(Lease.renewed(LEASE))).close();
	}

}
