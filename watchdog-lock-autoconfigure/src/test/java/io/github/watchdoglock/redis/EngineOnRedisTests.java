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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the engine with a real server: its commands, and what it leaves behind.
 */
@Tag("slow")
class EngineOnRedisTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest SHORT = LockRequest.of(KEY).withLease(Lease.renewed(Duration.ofMillis(1_200)));

	@AutoClose
	private final RedisInstance instance = new RedisInstance(redis.port()).connected();

	@AutoClose
	private final RedisInstance other = new RedisInstance(redis.port()).connected();

	private final RedisAdmin admin = redis.admin();

	@BeforeEach
	void empty() {
		this.admin.command("FLUSHALL");
	}

	@Test
	void holdForcedByOwnInstanceIsLostWhenForceReturns() throws Exception {
		for (int i = 0; i < 100; i++) {
			try (LockHandle handle = this.instance.engine().acquire(LockRequest.of(KEY))) {
				assertThat(this.instance.engine().forceRelease(KEY)).isTrue();
				assertThat(handle.isHeld()).isFalse();
				assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
			}
		}
	}

	@Test
	void holdIsKeptWhenRedisRejectsForceRelease() throws Exception {
		try (LockHandle handle = this.instance.engine().acquire(LockRequest.of(KEY))) {
			this.admin.refusingWrites(() -> assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> this.other.engine().forceRelease(KEY)));
			await().during(Duration.ofMillis(500)).until(handle::isHeld);
			assertThat(this.other.engine().forceRelease(KEY)).isTrue();
			assertThat(handle.whenLost()).succeedsWithin(Duration.ofSeconds(5))
				.extracting(LockLoss::reason)
				.isEqualTo(LockLoss.Reason.FORCED);
		}
	}

	@Test
	void renewalsOfManyLocksShareTheirScripts() throws Exception {
		List<LockHandle> handles = this.instance.acquire("many", 300, Duration.ofSeconds(3));
		long before = this.admin.scripts();
		await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
		assertThat(this.admin.scripts() - before).as("scripts in 4 s for renewals of 300 locks").isBetween(9L, 60L);
		assertThat(handles).allMatch(LockHandle::isHeld);
		handles.forEach(LockHandle::close);
	}

	@Test
	void tenThousandPendingAsynchronousCallersCostNoThreads() throws Exception {
		LockHandle holder = this.other.engine().acquire(LockRequest.of(KEY));
		List<CompletableFuture<LockHandle>> pending = new ArrayList<>();
		pending.add(this.instance.engine().acquireAsync(LockRequest.of(KEY).withWaitTime(Duration.ofMinutes(5))));
		await().until(() -> this.other.engine().find(KEY).orElseThrow().waiting() == 1);
		int threads = Thread.activeCount();
		for (int i = 1; i < 10_000; i++) {
			pending.add(this.instance.engine().acquireAsync(LockRequest.of(KEY).withWaitTime(Duration.ofMinutes(5))));
		}
		assertThat(Thread.activeCount() - threads).as("threads started for 10,000 pending callers")
			.isLessThanOrEqualTo(8);
		holder.close();
		for (CompletableFuture<LockHandle> next : pending.subList(0, 500)) {
			next.get(10, TimeUnit.SECONDS).close();
		}
		pending.subList(500, 10_000).forEach((future) -> {
			if (!future.cancel(false)) {
				// The lock was granted meanwhile.
				future.join().close();
			}
		});
		allIsFree();
	}

	@Test
	void thousandKeysWithPendingCallersCostNoThreads() throws Exception {
		List<LockHandle> holders = this.other.acquire("orders", 1_000, Duration.ofSeconds(30));
		List<CompletableFuture<LockHandle>> pending = new ArrayList<>();
		int threads = Thread.activeCount();
		for (int i = 0; i < 1_000; i++) {
			pending.add(this.instance.engine().acquireAsync(LockRequest.of("orders", "" + i)));
		}
		assertThat(Thread.activeCount() - threads).isLessThanOrEqualTo(8);
		CompletableFuture.allOf(holders.stream().map(LockHandle::closeAsync).toArray(CompletableFuture[]::new)).join();
		for (CompletableFuture<LockHandle> next : pending) {
			next.get(10, TimeUnit.SECONDS).close();
		}
		allIsFree();
	}

	@Test
	void renewalStopsAndLeaseExpiresAfterFailedRelease() throws Exception {
		LockHandle handle = this.instance.engine().acquire(SHORT);
		this.admin.command("ACL", "SETUSER", "default", "-evalsha", "-eval", "-set");
		handle.close();
		this.admin.command("ACL", "SETUSER", "default", "+evalsha", "+eval", "+set");
		assertThat(this.other.engine().find(KEY)).isPresent();
		await().atMost(Duration.ofSeconds(3)).until(() -> this.other.engine().find(KEY).isEmpty());
		allIsFree();
		long before = this.admin.scripts();
		await().pollDelay(Duration.ofSeconds(1))
			.untilAsserted(() -> assertThat(this.admin.scripts()).isEqualTo(before));
	}

	private void allIsFree() {
		await().atMost(Duration.ofSeconds(3)).until(this.admin::isAllFree);
	}

}
