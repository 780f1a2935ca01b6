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

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisClusterExtension;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a primary of a cluster that is lost permanently and replaced by its replica.
 */
@Tag("topologies")
class KilledClusterPrimaryIT {

	@RegisterExtension
	static final RedisClusterExtension cluster = new RedisClusterExtension(1);

	private static final Lease LEASE = Lease.renewed(Duration.ofSeconds(30));

	/*
	 * 2 s until the loss is noticed, another two for the election, and the time until
	 * clients find the new primary.
	 */
	private static final Duration ELECTION = Duration.ofSeconds(15);

	@Test
	void locksOfKilledPrimaryAreKeptAndFreeKeysAcquiredAtReplica() throws Exception {
		LockNews news = new LockNews();
		int killed = cluster.ports().get(1);
		cluster.at(killed).admin().awaitReplicas(1);
		try (RedisInstance instance = new RedisInstance(cluster.factory(), news).connected();
				RedisInstance other = new RedisInstance(cluster.factory(), news).connected()) {
			List<LockHandle> held = new ArrayList<>();
			for (int port : cluster.ports()) {
				for (LockKey key : cluster.keys("orders", port).limit(5).toList()) {
					held.add(instance.engine().acquire(LockRequest.of(key).withLease(LEASE)));
				}
			}
			await().atMost(Duration.ofSeconds(10)).until(() -> isReplicated(killed));
			cluster.at(killed).process().kill();
			LockKey free = cluster.keys("other", killed).findFirst().orElseThrow();
			await().atMost(ELECTION)
				.ignoreExceptions()
				.untilAsserted(() -> other.engine().acquire(LockRequest.of(free).withLease(LEASE)).close());
			// By then, each lease that was not renewed since has expired.
			await().pollDelay(LEASE.duration()).atMost(LEASE.duration().multipliedBy(2)).until(() -> true);
			assertThat(held).allMatch(LockHandle::isHeld);
			assertThat(held)
				.allSatisfy((handle) -> assertThat(other.engine().find(handle.key())).hasValueSatisfying((state) -> {
					assertThat(state.token()).isEqualTo(handle.fencingToken());
					assertThat(state.remaining()).isPositive();
				}));
			held.forEach(LockHandle::close);
			assertThat(held).allMatch((handle) -> other.engine().find(handle.key()).isEmpty());
			assertThat(news.losses()).isEmpty();
		}
	}

	private static boolean isReplicated(int port) {
		RedisAdmin admin = cluster.at(port).admin();
		return admin.info("replication").contains(",offset=" + admin.fact("replication", "master_repl_offset") + ",");
	}

}
