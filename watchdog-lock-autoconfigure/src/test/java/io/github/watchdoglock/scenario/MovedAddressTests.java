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
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a failover with an address that moves: open connections stay with the server
 * that is now a replica.
 */
class MovedAddressTests {

	@RegisterExtension
	static final RedisServerExtension first = new RedisServerExtension();

	@RegisterExtension
	static final RedisServerExtension second = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(6);

	@Test
	void heldLocksAreKeptAndNewOnesGrantedAfterPrimaryAndReplicaSwap() throws Exception {
		RedisAdmin old = first.admin();
		RedisAdmin promoted = second.admin();
		promoted.follow(first.port());
		LockNews news = new LockNews();
		try (FaultProxy address = FaultProxy.to(first.port());
				RedisInstance instance = new RedisInstance(address.port(), news).connected()) {
			LockHandle held = instance.engine().acquire(LockRequest.of("held").withLease(Lease.renewed(LEASE)));
			await().untilAsserted(() -> assertThat(promoted.keys()).containsAll(old.keys()));
			promoted.lead();
			old.follow(second.port());
			address.lead(second.port());
			assertThat(isGranted(instance)).isFalse();
			await().atMost(LEASE).until(() -> isGranted(instance));
			await().pollDelay(LEASE.dividedBy(2))
				.atMost(LEASE)
				.until(() -> news.count("at risk") == news.count("recovered"));
			assertThat(held.isHeld()).isTrue();
			assertThat(news.losses()).isEmpty();
			held.close();
			assertThat(promoted.command("PUBSUB", "CHANNELS", "*")).isNotNull();
			assertThat(old.command("PUBSUB", "CHANNELS", "*")).isNull();
		}
	}

	private static boolean isGranted(RedisInstance instance) throws InterruptedException {
		try {
			instance.engine().acquire(LockRequest.of("new").withWaitTime(Duration.ZERO)).close();
			return true;
		}
		catch (LockStoreException ex) {
			return false;
		}
	}

}
