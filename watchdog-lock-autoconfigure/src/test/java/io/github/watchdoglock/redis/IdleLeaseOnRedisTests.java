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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for idle leases with a real server and two instances.
 */
@Tag("slow")
class IdleLeaseOnRedisTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY).withWaitTime(Duration.ofSeconds(10));

	private static final LockRequest TRY = LockRequest.of(KEY).withWaitTime(Duration.ZERO);

	private final RedisAdmin admin = redis.admin();

	@BeforeEach
	void empty() {
		this.admin.command("FLUSHALL");
	}

	@Test
	void idleLeaseIsReleasedToOtherInstanceByMessage() throws Exception {
		try (RedisInstance instance = RedisInstance.lingering(redis.port(), true).connected();
				RedisInstance other = new RedisInstance(redis.port()).connected()) {
			await().until(() -> this.admin.fact("stats", "pubsub_channels") == 2);
			long token = useOnce(instance);
			LockHandle handle = other.engine().acquireAsync(ORDERS).get(500, TimeUnit.MILLISECONDS);
			assertThat(handle.fencingToken()).isGreaterThan(token);
			CompletableFuture<LockHandle> back = instance.engine().acquireAsync(ORDERS);
			await().until(() -> other.engine().find(KEY).orElseThrow().waiting() == 1);
			handle.close();
			back.get(500, TimeUnit.MILLISECONDS).close();
			assertThat(instance.engine().idle()).hasSize(1);
		}
	}

	@Test
	void idleLeaseIsReleasedToOtherInstanceWithoutMessage() throws Exception {
		try (RedisInstance instance = RedisInstance.lingering(redis.port(), false).connected();
				RedisInstance other = RedisInstance.deaf(redis.port()).connected()) {
			useOnce(instance);
			other.engine().acquireAsync(ORDERS).get(2_500, TimeUnit.MILLISECONDS).close();
		}
	}

	@Test
	void tryAcquireSucceedsWhileOtherInstanceHasIdleLease() throws Exception {
		try (RedisInstance instance = RedisInstance.lingering(redis.port(), true).connected();
				RedisInstance other = RedisInstance.lingering(redis.port(), true).connected()) {
			int refused = 0;
			for (int i = 0; i < 20; i++) {
				RedisInstance next = (i % 2 == 0) ? instance : other;
				Optional<LockHandle> handle = next.engine().tryAcquire(TRY);
				while (handle.isEmpty()) {
					// A try waits for 100 ms, and a busy machine may need longer.
					// Without messages, each change takes ten tries.
					assertThat(++refused).as("refused tries").isLessThan(10);
					handle = next.engine().tryAcquire(TRY);
				}
				handle.orElseThrow().close();
			}
		}
	}

	@Test
	void stopReleasesTenThousandIdleLeasesWithinTwoSeconds() throws Exception {
		try (RedisInstance other = new RedisInstance(redis.port()).connected()) {
			try (RedisInstance instance = RedisInstance.lingering(redis.port(), true).connected()) {
				for (int i = 0; i < 10_000; i++) {
					instance.engine().acquire(LockRequest.of("orders", "" + i)).close();
				}
				assertThat(instance.engine().idle()).hasSize(10_000);
				instance.engine().stop().toCompletableFuture().get(2, TimeUnit.SECONDS);
				assertThat(this.admin.isAllFree()).as("all keys are free in Redis after the stop").isTrue();
			}
			assertThat(other.engine().tryAcquire(LockRequest.of("orders", "1").withWaitTime(Duration.ZERO)))
				.isPresent();
		}
	}

	@Test
	void idleLeaseOfKilledInstanceBlocksKeyUntilExpiry() throws Exception {
		Duration lease = Duration.ofSeconds(3);
		LockRequest waiting = ORDERS.withLease(Lease.renewed(lease));
		try (RedisInstance other = new RedisInstance(redis.port()).connected();
				ChildInstance killed = new ChildInstance(redis.port(), "orders", lease, true)) {
			assertThat(killed.says()).isEqualTo("asking");
			long token = Long.parseLong(killed.says().substring("held ".length()));
			assertThat(killed.says()).isEqualTo("closed");
			killed.process().kill();
			assertThat(other.engine().tryAcquire(TRY)).isEmpty();
			LockHandle handle = other.engine().acquireAsync(waiting).get(4_500, TimeUnit.MILLISECONDS);
			assertThat(handle.fencingToken()).isGreaterThan(token);
			handle.close();
		}
	}

	private static long useOnce(RedisInstance instance) throws InterruptedException {
		try (LockHandle handle = instance.engine().acquire(ORDERS)) {
			return handle.fencingToken();
		}
	}

}
