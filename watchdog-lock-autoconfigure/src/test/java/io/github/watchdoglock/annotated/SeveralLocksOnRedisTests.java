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

package io.github.watchdoglock.annotated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for methods with several locks, and for code that acquires several, in three
 * instances at once.
 */
class SeveralLocksOnRedisTests {

	private static final int ACCOUNTS = 8;

	private static final int CALLS = 200;

	private static final int CALLERS = 12;

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private final Map<String, int[]> balances = balances();

	@Test
	@Timeout(100)
	void overlappingLocksOfCodeAndAnnotationsExcludeWithoutDeadlock() throws Exception {
		List<List<String>> sets = sets(new Random(20261121));
		AtomicInteger next = new AtomicInteger();
		List<RedisInstance> instances = new ArrayList<>();
		try {
			for (int i = 0; i < 3; i++) {
				instances.add(new RedisInstance(redis.port()).connected());
			}
			List<Transfers> annotated = instances.stream().map((instance) -> annotated(instance.engine())).toList();
			Concurrently.run(CALLERS, (caller) -> {
				for (int i = next.getAndIncrement(); i < CALLS; i = next.getAndIncrement()) {
					if (i % 2 == 0) {
						annotated.get(caller % 3).among(sets.get(i), this.balances);
					}
					else {
						inCode(instances.get(caller % 3).engine(), sets.get(i));
					}
				}
				return null;
			});
		}
		finally {
			instances.forEach(RedisInstance::close);
		}
		this.balances.forEach((account, balance) -> assertThat(balance[0]).as(account)
			.isEqualTo(sets.stream().filter((set) -> set.contains(account)).count()));
		await().until(new RedisAdmin(redis.factory())::isAllFree);
	}

	private static Transfers annotated(LockService locks) {
		ProxyFactory factory = new ProxyFactory(new Transfers());
		factory.setProxyTargetClass(true);
		factory.addAdvisor(new LockAdvisor(new InterceptorFixture().source, () -> locks, (transaction) -> () -> false,
				() -> false, Instrumentation.NONE, () -> LockAdvisor.DEFAULT_ORDER));
		return (Transfers) factory.getProxy();
	}

	private void inCode(LockService locks, List<String> accounts) throws InterruptedException {
		List<LockRequest> requests = accounts.stream()
			.map((account) -> LockRequest.of("transfers", account).withWaitTime(Duration.ofMillis(-1)))
			.toList();
		try (LockHandles handles = locks.acquireAll(requests)) {
			assertThat(handles.isHeld()).isTrue();
			Transfers.add(accounts, this.balances);
		}
	}

	private static List<List<String>> sets(Random random) {
		List<String> accounts = new ArrayList<>(balances().keySet());
		List<List<String>> sets = new ArrayList<>();
		for (int i = 0; i < CALLS; i++) {
			Collections.shuffle(accounts, random);
			sets.add(List.copyOf(accounts.subList(0, 2 + random.nextInt(3))));
		}
		return sets;
	}

	private static Map<String, int[]> balances() {
		Map<String, int[]> balances = new HashMap<>();
		IntStream.range(0, ACCOUNTS).forEach((i) -> balances.put("account-" + i, new int[1]));
		return balances;
	}

	static class Transfers {

		/* The balances are exact only if the locks of all accounts are held. */
		@DistributedLock(name = "transfers", key = "#accounts", waitTime = "-1")
		void among(List<String> accounts, Map<String, int[]> balances) {
			add(accounts, balances);
		}

		static void add(List<String> accounts, Map<String, int[]> balances) {
			for (String account : accounts) {
				int[] balance = balances.getOrDefault(account, new int[1]);
				int before = balance[0];
				LockSupport.parkNanos(20_000);
				balance[0] = before + 1;
			}
		}

	}

}
