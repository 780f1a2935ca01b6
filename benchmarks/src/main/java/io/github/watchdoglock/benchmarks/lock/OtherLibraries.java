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
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * The locks of other libraries, each with the defaults of its documentation.
 */
final class OtherLibraries {

	private OtherLibraries() {
	}

	/*
	 * All defaults: 16 threads, 32 netty threads, at least 24 connections and at most 64,
	 * at least one connection for subscriptions and at most 50, scripts by their digest,
	 * 100 keys per renewal. The watchdog's timeout is 30 s by default, too.
	 */
	static Competitor redisson(int port, Duration lease) {
		Config config = new Config();
		config.setLockWatchdogTimeout(lease.toMillis());
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
		return new RedissonLock(Redisson.create(config), lease, new ConcurrentHashMap<>());
	}

	/*
	 * All defaults: a lease of 60 s, a cache of 256 locks, 100 ms between two attempts of
	 * the spinning kind, no renewal, because there is no task scheduler.
	 */
	static Competitor registry(int port, RedisLockType type) {
		RedisLockRegistry registry = new RedisLockRegistry(connectionsTo(port), "registry");
		registry.setRedisLockType(type);
		return (key) -> {
			Lock lock = registry.obtain(key);
			lock.lockInterruptibly();
			return lock::unlock;
		};
	}

	/* Without safeUpdate: its release is a plain DEL, which does not check the owner. */
	static Competitor shedLock(int port, Duration lease) {
		RedisLockProvider provider = new RedisLockProvider(connectionsTo(port));
		return (key) -> {
			SimpleLock lock = provider.lock(new LockConfiguration(Instant.now(), key, lease, Duration.ZERO))
				.orElseThrow(() -> new IllegalStateException("'" + key + "' is taken, and ShedLock does not wait"));
			return lock::unlock;
		};
	}

	/*
	 * As Spring Boot's starter configures them: one Lettuce connection that all threads
	 * share.
	 */
	private static LettuceConnectionFactory connectionsTo(int port) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", port);
		factory.afterPropertiesSet();
		factory.start();
		factory.getConnection().ping();
		return factory;
	}

	/**
	 * Redisson's locks, without a lease time, so that its watchdog renews them; and its
	 * permits, with a lease time, because the watchdog does not renew them.
	 *
	 * @param client the client that creates the locks
	 * @param lease how long a permit lasts
	 * @param semaphores the semaphores whose number of permits is set
	 */
	private record RedissonLock(RedissonClient client, Duration lease,
			Map<String, RPermitExpirableSemaphore> semaphores) implements Competitor.Renewed, Competitor.Kinds {

		@Override
		public Held lock(String key) throws InterruptedException {
			return take(this.client.getLock(key));
		}

		@Override
		public Held read(String key) throws InterruptedException {
			return take(this.client.getReadWriteLock(key).readLock());
		}

		@Override
		public Held write(String key) throws InterruptedException {
			return take(this.client.getReadWriteLock(key).writeLock());
		}

		@Override
		public Held permit(String key, int permits) throws InterruptedException {
			RPermitExpirableSemaphore semaphore = this.semaphores.computeIfAbsent(key, (k) -> {
				RPermitExpirableSemaphore created = this.client.getPermitExpirableSemaphore(k);
				created.trySetPermits(permits);
				return created;
			});
			String permit = semaphore.acquire(this.lease.toMillis(), TimeUnit.MILLISECONDS);
			return () -> semaphore.release(permit);
		}

		private static Held take(RLock lock) throws InterruptedException {
			lock.lockInterruptibly();
			return lock::unlock;
		}

		@Override
		public boolean isTaken(String key) {
			return this.client.getLock(key).isLocked();
		}

	}

}
