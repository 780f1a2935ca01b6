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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a restart of Redis while locks are held.
 */
@Tag("slow")
class RestartedRedisTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final LockRequest REQUEST = LockRequest.of("orders")
		.withLease(Lease.renewed(LEASE))
		.withWaitTime(Duration.ofSeconds(30));

	private final LockNews news = new LockNews();

	@AutoClose
	private final RedisInstance instance = new RedisInstance(redis.port(), this.news).connected();

	@Test
	void lockForgottenByRestartedRedisIsLostWithinLease() throws Exception {
		LockHandle handle = this.instance.engine().acquire(REQUEST);
		redis.process().kill();
		redis.stop();
		redis.start();
		LockLoss loss = handle.whenLost().toCompletableFuture().get(LEASE.toMillis(), TimeUnit.MILLISECONDS);
		assertThat(loss.reason()).isEqualTo(LockLoss.Reason.GONE);
		assertThat(handle.isHeld()).isFalse();
		handle.close();
		try (RedisInstance other = new RedisInstance(redis.port()).connected();
				LockHandle next = other.engine().acquire(REQUEST)) {
			assertThat(next.fencingToken()).isGreaterThan(handle.fencingToken());
		}
	}

	@Test
	void locksForgottenByRestartedRedisAreLostLongBeforeRenewal() throws Exception {
		Duration minute = Duration.ofMinutes(1);
		List<LockHandle> handles = List.of(
				this.instance.engine().acquire(LockRequest.of("renewed").withLease(Lease.renewed(minute))),
				this.instance.engine().acquire(LockRequest.of("fixed").withLease(Lease.fixed(minute))));
		redis.process().kill();
		redis.stop();
		redis.start();
		await().atMost(Duration.ofSeconds(8))
			.untilAsserted(() -> assertThat(handles).extracting((handle) -> handle.loss().map(LockLoss::reason))
				.containsOnly(Optional.of(LockLoss.Reason.GONE)));
		handles.forEach(LockHandle::close);
	}

	@Test
	void lockSurvivesFreezeOfRedisShorterThanLease() throws Exception {
		LockHandle handle = this.instance.engine().acquire(REQUEST);
		redis.process().freezeWhile(() -> {
			await().atMost(LEASE).until(() -> this.news.count("at risk") == 1);
			assertThat(handle.isHeld()).isTrue();
		});
		await().atMost(LEASE).until(() -> this.news.count("recovered") == 1);
		await().pollDelay(LEASE).until(() -> true);
		assertThat(handle.isHeld()).isTrue();
		assertThat(this.news.losses()).isEmpty();
		handle.close();
		this.instance.engine().acquire(REQUEST).close();
	}

	@Test
	void lockIsLostByDeadlineWhenRedisIsFrozenBeyondLease() throws Exception {
		LockHandle handle = this.instance.engine().acquire(REQUEST);
		redis.process().freezeWhile(() -> {
			LockLoss loss = handle.whenLost().toCompletableFuture().get(LEASE.toMillis(), TimeUnit.MILLISECONDS);
			assertThat(loss.reason()).isEqualTo(LockLoss.Reason.EXPIRED);
		});
		handle.close();
		await().ignoreExceptions().untilAsserted(() -> this.instance.engine().acquire(REQUEST).close());
		assertThat(this.news.losses()).hasSize(1);
	}

}
