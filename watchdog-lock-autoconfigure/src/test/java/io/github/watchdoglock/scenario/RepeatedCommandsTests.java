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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.redis.ScriptWords;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Commands that reach Redis twice, as after a reconnect.
 */
class RepeatedCommandsTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest REQUEST = LockRequest.of(KEY)
		.withLease(Lease.renewed(LEASE))
		.withWaitTime(Duration.ofSeconds(30));

	@Test
	void commandsThatReachRedisTwiceChangeNothing() throws Exception {
		LockNews news = new LockNews();
		long lastToken = 0;
		try (FaultProxy proxy = FaultProxy.to(redis.port());
				RedisInstance twice = new RedisInstance(proxy.port(), news).connected();
				RedisInstance other = new RedisInstance(redis.port(), news).connected()) {
			for (int i = 0; i < 5; i++) {
				for (String verb : List.of("acquire", "renew", "release")) {
					proxy.sendNextTwice(ScriptWords.of(verb));
				}
				LockHandle first = twice.engine().acquire(REQUEST);
				CompletableFuture<LockHandle> next = other.engine().acquireAsync(REQUEST);
				await().until(() -> waiting(other) == 1);
				long renewed = news.count("renewed");
				await().until(() -> news.count("renewed") > renewed);
				proxy.sendNextTwice(ScriptWords.of("acquire"));
				assertThat(next).isNotDone();
				assertThat(first.isHeld()).isTrue();
				first.close();
				LockHandle second = next.get(1, TimeUnit.SECONDS);
				// A place that is taken twice is one.
				CompletableFuture<LockHandle> third = twice.engine().acquireAsync(REQUEST);
				await().until(proxy::isPlanDone);
				await().until(() -> waiting(other) == 1);
				second.close();
				LockHandle last = third.get(1, TimeUnit.SECONDS);
				assertThat(List.of(lastToken, first.fencingToken(), second.fencingToken(), last.fencingToken()))
					.isSorted()
					.doesNotHaveDuplicates();
				lastToken = last.fencingToken();
				last.close();
				assertThat(other.engine().find(KEY)).isEmpty();
			}
			assertThat(proxy.effects(Fault.SEND_TWICE)).isEqualTo(20);
			assertThat(news.losses()).isEmpty();
			assertThat(news.count("at risk")).isZero();
		}
	}

	private static int waiting(RedisInstance instance) {
		return instance.engine().find(KEY).orElseThrow().waiting();
	}

}
