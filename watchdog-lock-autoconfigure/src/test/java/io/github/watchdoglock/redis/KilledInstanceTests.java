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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the time that waiting callers lose when a JVM is killed.
 */
@Tag("slow")
class KilledInstanceTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(3);

	/* A sixth of the lease. */
	private static final Duration POLL = Duration.ofMillis(500);

	/* Additional time for the machine; the test measures leases and polls. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	@Test
	void waiterGetsKeyOfKilledHolderWithinRestOfLease() throws Exception {
		try (RedisInstance instance = new RedisInstance(redis.port()).connected();
				ChildInstance holder = new ChildInstance(redis.port(), "holder", LEASE)) {
			assertThat(holder.says()).isEqualTo("asking");
			long token = Long.parseLong(holder.says().substring("held ".length()));
			CompletableFuture<LockHandle> waiting = instance.engine().acquireAsync(request("holder"));
			await().until(() -> waiting(instance, "holder") == 1);
			// The lease is renewed at least once, so that the remaining time is not that
			// of the first lease.
			await().pollDelay(LEASE).until(() -> true);
			assertThat(waiting).isNotDone();
			holder.process().kill();
			Duration rest = instance.engine().find(LockKey.of("holder")).orElseThrow().remaining();
			LockHandle handle = waiting.get(rest.plus(POLL).plus(SLACK).toMillis(), TimeUnit.MILLISECONDS);
			assertThat(handle.fencingToken()).isGreaterThan(token);
			handle.close();
		}
	}

	@Test
	void killedWaiterDelaysNextWaiterByClaimTimeAtMost() throws Exception {
		try (RedisInstance instance = new RedisInstance(redis.port()).connected();
				RedisInstance last = new RedisInstance(redis.port()).connected();
				ChildInstance waiter = new ChildInstance(redis.port(), "waiter", LEASE)) {
			LockHandle holder = instance.engine().acquire(request("waiter"));
			assertThat(waiter.says()).isEqualTo("asking");
			await().until(() -> waiting(instance, "waiter") == 1);
			CompletableFuture<LockHandle> next = last.engine().acquireAsync(request("waiter"));
			await().until(() -> waiting(instance, "waiter") == 2);
			waiter.process().kill();
			holder.close();
			Duration claim = POLL.multipliedBy(3).dividedBy(2);
			next.get(claim.plus(POLL).plus(SLACK).toMillis(), TimeUnit.MILLISECONDS).close();
		}
	}

	private static int waiting(RedisInstance instance, String name) {
		return instance.engine().find(LockKey.of(name)).orElseThrow().waiting();
	}

	private static LockRequest request(String name) {
		return LockRequest.of(name).withLease(Lease.renewed(LEASE)).withWaitTime(Duration.ofMinutes(1));
	}

}
