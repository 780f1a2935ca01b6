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

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock's provider for Redis. It tries once.
 */
final class ShedLock implements Competitor {

	private final LettuceConnectionFactory factory;

	/*
	 * Without safeUpdate, as by default: its release is a plain DEL, which asks for no
	 * owner.
	 */
	private final RedisLockProvider provider;

	private final Duration lease;

	ShedLock(int port, Duration lease) {
		this.factory = Connections.to(port);
		this.provider = new RedisLockProvider(this.factory);
		this.lease = lease;
	}

	@Override
	public Held lock(String key) {
		SimpleLock lock = this.provider.lock(new LockConfiguration(Instant.now(), key, this.lease, Duration.ZERO))
			.orElseThrow(() -> new IllegalStateException("'" + key + "' is taken, and ShedLock does not wait"));
		return lock::unlock;
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
