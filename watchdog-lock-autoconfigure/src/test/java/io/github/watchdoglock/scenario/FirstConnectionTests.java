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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.fault.Direction;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.Concurrently;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the first locks of a context, which are requested while its first connection
 * is being opened. That takes longer than the timeout of their commands.
 */
@Tag("slow")
class FirstConnectionTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	/* The timeout of its commands is 200 ms. */
	private static final LockRequest ONCE = once("first");

	/* More than two timeouts, but less than a connection may take. */
	private static final Duration SLOW = Duration.ofMillis(600);

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	@Test
	void callersWithoutWaitTimeWaitForFirstConnection() throws Exception {
		try (FaultProxy proxy = FaultProxy.to(redis.port())) {
			proxy.stall(Direction.TO_SERVER);
			try (RedisInstance instance = new RedisInstance(proxy.port())) {
				CompletableFuture<Boolean> blocked = CompletableFuture.supplyAsync(
						() -> instance.engine().execute(ONCE, LockHandle::isHeld), (task) -> new Thread(task).start());
				CompletableFuture<LockHandle> asynchronous = instance.engine().acquireAsync(once("second"));
				await().until(() -> proxy.effects(Fault.STALL) > 0);
				await().pollDelay(SLOW).until(() -> true);
				assertThat(blocked).isNotDone();
				assertThat(asynchronous).isNotDone();
				proxy.resume(Direction.TO_SERVER);
				assertThat(blocked.get(5, TimeUnit.SECONDS)).isTrue();
				assertThat(asynchronous.get(5, TimeUnit.SECONDS).isHeld()).isTrue();
			}
		}
	}

	@Test
	void firstCallersWaitForSlowHandshakeOfFirstConnection() throws Exception {
		try (FaultProxy proxy = FaultProxy.to(redis.port())) {
			proxy.stall(Direction.TO_SERVER);
			proxy.delayNextAnswer((words) -> words.get(0).equals("ROLE"), Duration.ofMillis(1_500));
			try (RedisInstance instance = new RedisInstance(proxy.port())) {
				CompletableFuture<LockHandle> first = instance.engine().acquireAsync(once("slow"));
				await().pollDelay(Duration.ofMillis(1_500)).until(() -> true);
				proxy.resume(Direction.TO_SERVER);
				await().pollDelay(CONNECT_TIMEOUT.minusMillis(1_000)).until(() -> true);
				CompletableFuture<LockHandle> second = instance.engine().acquireAsync(once("also-slow"));
				assertThat(first).isNotDone();
				assertThat(first.get(5, TimeUnit.SECONDS).isHeld()).isTrue();
				assertThat(second.get(5, TimeUnit.SECONDS).isHeld()).isTrue();
			}
		}
	}

	@Test
	void firstCallersFailAfterConnectTimeoutAndLaterOnesAtOnce() throws Exception {
		try (FaultProxy proxy = FaultProxy.to(redis.port())) {
			proxy.stall(Direction.TO_SERVER);
			try (RedisInstance instance = new RedisInstance(proxy.port())) {
				long start = System.nanoTime();
				Concurrently.run(4, (i) -> {
					assertThatExceptionOfType(LockStoreException.class)
						.isThrownBy(() -> instance.engine().acquire(ONCE))
						.withMessageContaining("no connection to");
					return i;
				});
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(CONNECT_TIMEOUT.dividedBy(2),
						CONNECT_TIMEOUT.plusSeconds(2));
				start = System.nanoTime();
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> instance.engine().acquire(ONCE));
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
			}
		}
	}

	private static LockRequest once(String name) {
		return LockRequest.of(name).withLease(Lease.renewed(Duration.ofMillis(1_500))).withWaitTime(Duration.ZERO);
	}

}
