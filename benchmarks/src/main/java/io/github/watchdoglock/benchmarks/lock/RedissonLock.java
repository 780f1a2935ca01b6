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

import java.time.Duration;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's {@code RLock} without a lease time, so that its watchdog renews it.
 */
final class RedissonLock implements RenewedLock {

	/*
	 * All defaults: 16 threads, 32 netty threads, 24 connections kept open and 64 at
	 * most, one connection for subscriptions and 50 at most, scripts by their digest, 100
	 * keys a renewal. The watchdog's time-out is 30 s by default too.
	 */
	private final RedissonClient client;

	RedissonLock(int port, Duration lease) {
		Config config = new Config();
		config.setLockWatchdogTimeout(lease.toMillis());
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
		this.client = Redisson.create(config);
	}

	@Override
	public Held lock(String key) throws InterruptedException {
		RLock lock = this.client.getLock(key);
		lock.lockInterruptibly();
		return lock::unlock;
	}

	@Override
	public boolean isTaken(String key) {
		return this.client.getLock(key).isLocked();
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
