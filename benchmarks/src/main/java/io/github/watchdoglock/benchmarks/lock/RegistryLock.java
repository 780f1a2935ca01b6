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

package io.github.watchdoglock.benchmarks.lock;

import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Spring Integration's registry.
 */
final class RegistryLock implements Competitor {

	/*
	 * All defaults: a lease of 60 s, 256 locks cached, 100 ms between two looks of the
	 * spinning kind, nothing renewed, as there is no task scheduler.
	 */
	private final RedisLockRegistry registry;

	private final LettuceConnectionFactory factory;

	RegistryLock(int port, RedisLockType type) {
		this.factory = Connections.to(port);
		this.registry = new RedisLockRegistry(this.factory, "registry");
		this.registry.setRedisLockType(type);
	}

	@Override
	public Held lock(String key) throws InterruptedException {
		Lock lock = this.registry.obtain(key);
		lock.lockInterruptibly();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.factory.destroy();
	}

}
