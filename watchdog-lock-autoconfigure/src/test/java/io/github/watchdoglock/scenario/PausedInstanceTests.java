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
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.redis.ChildInstance;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a paused JVM, as in a long garbage collection or on an overloaded machine.
 */
class PausedInstanceTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final LockRequest ORDERS = LockRequest.of("orders")
		.withLease(Lease.renewed(LEASE))
		.withWaitTime(Duration.ofSeconds(30));

	@Tag("slow")
	@Test
	void holderPausedBeyondLeaseIsNotifiedAndDoesNotAffectNextHolder() throws Exception {
		try (RedisInstance instance = new RedisInstance(redis.port()).connected();
				ChildInstance paused = new ChildInstance(redis.port(), "orders", LEASE)) {
			assertThat(paused.says()).isEqualTo("asking");
			long token = Long.parseLong(paused.says().substring("held ".length()));
			paused.process().freeze();
			LockHandle successor = instance.engine().acquire(ORDERS);
			assertThat(successor.fencingToken()).isGreaterThan(token);
			paused.process().thaw();
			assertThat(paused.says()).startsWith("lost EXPIRED");
			// Several periods in which the instance that lost the lock could renew or
			// release it.
			await().during(LEASE)
				.atMost(LEASE.multipliedBy(2).minusMillis(1))
				.until(() -> successor.isHeld() && token(instance) == successor.fencingToken());
			successor.close();
		}
	}

	private static long token(RedisInstance instance) {
		return instance.engine().find(LockKey.of("orders")).orElseThrow().token();
	}

}
