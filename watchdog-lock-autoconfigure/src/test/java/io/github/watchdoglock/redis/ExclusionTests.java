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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.FakeLockService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with an unsynchronized counter that all threads increment under the lock: the sum
 * is correct only if one thread at a time has the lock. A lock that does nothing has to
 * fail the same run.
 */
class ExclusionTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final int THREADS = 8;

	private static final int ROUNDS = 20_000;

	private int counter;

	private long lastToken;

	private int tokensOutOfOrder;

	@Test
	void threadsOfTwoInstancesLoseNoIncrementUnderLock() throws Exception {
		try (RedisInstance first = new RedisInstance(redis.port()).connected();
				RedisInstance second = new RedisInstance(redis.port()).connected()) {
			count(first.engine(), second.engine());
		}
		assertThat(this.counter).as("increments under the lock").isEqualTo(ROUNDS);
		assertThat(this.tokensOutOfOrder).isZero();
	}

	@Test
	void sameRunLosesIncrementsWithFakeLock() throws Exception {
		count(new FakeLockService(), new FakeLockService());
		assertThat(this.counter).isLessThan(ROUNDS);
	}

	private void count(LockService... instances) throws Exception {
		int threads = THREADS * instances.length;
		Concurrently.run(threads, (i) -> {
			countOn(instances[i % instances.length], ROUNDS / threads);
			return i;
		});
	}

	@SuppressWarnings("ThreadPriorityCheck")
	private void countOn(LockService locks, int rounds) throws Exception {
		LockRequest request = LockRequest.of("counter").withWaitTime(Duration.ofMinutes(1));
		for (int i = 0; i < rounds; i++) {
			try (LockHandle handle = locks.acquire(request)) {
				int read = this.counter;
				Thread.yield();
				this.counter = read + 1;
				this.tokensOutOfOrder += (handle.fencingToken() > this.lastToken) ? 0 : 1;
				this.lastToken = handle.fencingToken();
			}
		}
	}

}
