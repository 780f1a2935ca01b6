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

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a frozen replica of a healthy primary.
 */
@Tag("slow")
class FrozenReplicaTests {

	@RegisterExtension
	static final RedisServerExtension primary = new RedisServerExtension();

	@RegisterExtension
	static final RedisServerExtension replica = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofMillis(1_500);

	@Test
	void renewalDoesNotWaitForFrozenReplica() throws Exception {
		replica.admin().follow(primary.port());
		primary.admin().awaitReplicas(1);
		LockNews news = new LockNews();
		try (RedisInstance instance = new RedisInstance(primary.port(), news).connected()) {
			LockHandle handle = instance.engine().acquire(LockRequest.of("orders").withLease(Lease.renewed(LEASE)));
			replica.process().freezeWhile(() -> {
				await().pollDelay(LEASE.multipliedBy(3)).until(() -> true);
				assertThat(handle.isHeld()).isTrue();
				assertThat(news.count("renewal failed")).isZero();
				assertThat(news.count("renewed")).isBetween(7L, 11L);
				handle.close();
				instance.engine().acquire(LockRequest.of("orders")).close();
			});
		}
	}

}
