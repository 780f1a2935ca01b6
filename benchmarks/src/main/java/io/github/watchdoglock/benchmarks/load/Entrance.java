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

package io.github.watchdoglock.benchmarks.load;

import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * An entrance that lets callers in one at a time.
 */
@FunctionalInterface
interface Entrance {

	/* Run the work while the lock is held. Fails if the store of the lock fails. */
	void pass(Runnable work) throws InterruptedException, LockException;

	/* Locks of this project. */
	static Source of(LockService locks) {
		return (key) -> {
			LockRequest request = LoadedEngine.request(key);
			return (work) -> {
				try (LockHandle handle = locks.acquire(request)) {
					work.run();
				}
			};
		};
	}

	/*
	 * A baseline: the performance of this JVM and system with the same number of threads
	 * that take turns.
	 */
	static Source fairLock() {
		return (key) -> {
			ReentrantLock lock = new ReentrantLock(true);
			return (work) -> {
				lock.lockInterruptibly();
				try {
					work.run();
				}
				finally {
					lock.unlock();
				}
			};
		};
	}

	/*
	 * A baseline: the performance of the driver and system with the same number of
	 * threads that send commands to Redis.
	 */
	static Source commands(RedisConnectionFactory factory) {
		return (key) -> (work) -> {
			try (RedisConnection connection = factory.getConnection()) {
				connection.ping();
				work.run();
				connection.ping();
			}
		};
	}

	/**
	 * A source of entrances for callers.
	 */
	@FunctionalInterface
	interface Source {

		/* Return the entrance of a key. */
		Entrance of(String key);

	}

}
