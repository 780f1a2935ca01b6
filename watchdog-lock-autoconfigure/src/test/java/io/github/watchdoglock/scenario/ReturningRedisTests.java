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
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for callers that request a lock while there is no connection to Redis, which is
 * down or was just started again.
 */
@Tag("slow")
class ReturningRedisTests {

	/* The timeout of its commands is 200 ms. */
	private static final LockRequest REQUEST = LockRequest.of("returning")
		.withLease(Lease.renewed(Duration.ofSeconds(2)));

	/* So long that attempts to connect are a second apart. */
	private static final Duration OUTAGE = Duration.ofSeconds(3);

	/* Time for a busy machine; WaitQueueTests has the exact limits. */
	private static final Duration AT_MOST = Duration.ofSeconds(10);

	private final RedisServerExtension redis = new RedisServerExtension();

	private final RedisInstance instance = new RedisInstance(this.redis.port());

	@BeforeEach
	void endureAnOutage() {
		await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(1)).until(() -> true);
	}

	@AfterEach
	void close() {
		this.instance.close();
		this.redis.stop();
	}

	@Test
	void callerWithWaitTimeIsGrantedLockAfterFailedConnectionAttempts() throws Exception {
		this.redis.start();
		try (LockHandle handle = this.instance.engine().acquire(REQUEST.withWaitTime(Duration.ofSeconds(5)))) {
			assertThat(handle.isHeld()).isTrue();
		}
	}

	@Test
	void waitingCallerIsGrantedLockWhenRedisStarts() throws Exception {
		CompletableFuture<LockHandle> lock = this.instance.engine()
			.acquireAsync(REQUEST.withWaitTime(Duration.ofSeconds(5)));
		assertThat(lock).isNotDone();
		await().pollDelay(Duration.ofMillis(500)).until(() -> true);
		this.redis.start();
		assertThat(lock.get(AT_MOST.toSeconds(), TimeUnit.SECONDS).isHeld()).isTrue();
	}

	@Test
	void callerWithoutWaitTimeFailsWhenRedisIsDown() {
		long start = System.nanoTime();
		fail(Duration.ZERO);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_MOST);
	}

	@Test
	void callerFailsAfterShorterOfWaitTimeAndConnectionLimit() {
		long start = System.nanoTime();
		fail(Duration.ofMillis(500));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(500), AT_MOST);
		start = System.nanoTime();
		fail(Duration.ofMinutes(1));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(2), AT_MOST);
	}

	private void fail(Duration wait) {
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.instance.engine().acquire(REQUEST.withWaitTime(wait)))
			.withMessageContaining("Connection refused");
	}

}
