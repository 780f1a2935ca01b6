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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.fault.Direction;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the cost of waiting and for its end.
 */
class WaitingCallersTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(3);

	/* The command timeout T of such a lease. */
	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final Duration SLACK = Duration.ofMillis(700);

	private static final LockRequest ORDERS = LockRequest.of("orders").withLease(Lease.renewed(LEASE));

	private final RedisAdmin admin = redis.admin();

	@AutoClose
	private final RedisInstance one = new RedisInstance(redis.port()).connected();

	@AutoClose
	private final RedisInstance two = new RedisInstance(redis.port()).connected();

	@Test
	void waitOfTwoSecondsEndsOnTime() throws Exception {
		try (LockHandle holder = this.one.engine().acquire(ORDERS)) {
			assertThat(holder.isHeld()).isTrue();
			long begun = System.nanoTime();
			assertThat(this.two.engine().tryAcquire(ORDERS.withWaitTime(Duration.ofSeconds(2)))).isEmpty();
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofSeconds(2),
					Duration.ofSeconds(2).plus(TIMEOUT).plus(SLACK));
		}
	}

	@Test
	void callerInterruptedBeforeAnswerHoldsNoLock() throws Exception {
		try (FaultProxy proxy = FaultProxy.to(redis.port());
				RedisInstance slow = new RedisInstance(proxy.port()).connected()) {
			proxy.delay(Direction.TO_CLIENT, TIMEOUT.dividedBy(2));
			CompletableFuture<Throwable> outcome = new CompletableFuture<>();
			Thread caller = new Thread(() -> {
				try {
					slow.engine().acquire(ORDERS);
					outcome.complete(new AssertionError("acquired"));
				}
				catch (InterruptedException | RuntimeException ex) {
					outcome.complete(ex);
				}
			});
			caller.start();
			await().pollInterval(Duration.ofMillis(5))
				.until(() -> this.one.engine().find(LockKey.of("orders")).isPresent());
			caller.interrupt();
			assertThat(outcome.get(5, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
			await().atMost(TIMEOUT.plus(SLACK)).until(() -> this.one.engine().find(LockKey.of("orders")).isEmpty());
		}
	}

	@Test
	void hundredWaitersShareOneChannelWithoutNewConnections() throws Exception {
		long connections = this.admin.fact("clients", "connected_clients");
		List<LockHandle> held = new ArrayList<>();
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			LockRequest request = LockRequest.of("many", "" + i).withWaitTime(Duration.ofSeconds(30));
			held.add(this.one.engine().acquire(request));
			waiting.add(this.two.engine().acquireAsync(request));
		}
		await().until(() -> this.one.engine().find(LockKey.of("many", "99")).orElseThrow().waiting() == 1);
		assertThat(this.admin.fact("stats", "pubsub_channels")).isEqualTo(2);
		assertThat(this.admin.fact("clients", "connected_clients")).isEqualTo(connections);
		held.forEach(LockHandle::close);
		waiting.forEach((handle) -> handle.join().close());
	}

	@Test
	void recordOfContendedLockHasTimeToLive() throws Exception {
		try (LockHandle held = this.one.engine().acquire(ORDERS)) {
			CompletableFuture<LockHandle> next = this.two.engine().acquireAsync(ORDERS);
			await().until(() -> this.one.engine().find(held.key()).orElseThrow().waiting() == 1);
			assertThat(this.admin.keys()).filteredOn((key) -> key.contains("{orders}"))
				.hasSize(1)
				.allSatisfy((key) -> assertThat(redis.template().getExpire(key)).isPositive());
			held.close();
			next.join().close();
		}
	}

}
