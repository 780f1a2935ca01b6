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

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.engine.EngineSettings;
import io.github.watchdoglock.engine.LockEngine;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * An instance of a service as far as locks are concerned.
 */
public final class RedisInstance implements AutoCloseable {

	private final LettuceConnectionFactory factory;

	private final RedisLocks locks;

	private final LockEngine engine;

	/**
	 * Create an instance.
	 * @param port where its Redis listens
	 */
	public RedisInstance(int port) {
		this.factory = RedisServerExtension.factory(port);
		this.locks = new RedisLocks(this.factory, RedisLockSettings.defaults());
		this.engine = new LockEngine(EngineSettings.of("test"), this.locks.store(), this.locks.inspector(),
				this.locks.wakeUps(), new LockListener() {
				});
	}

	/**
	 * Its locks.
	 * @return the engine
	 */
	public LockEngine engine() {
		return this.engine;
	}

	@Override
	public void close() {
		this.engine.close();
		this.locks.close();
		this.factory.destroy();
	}

}
