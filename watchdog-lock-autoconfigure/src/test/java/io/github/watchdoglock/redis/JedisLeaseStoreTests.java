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

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The contract by a driver without asynchronous commands.
 */
@SuppressWarnings("NullAway.Init")
class JedisLeaseStoreTests extends RedisContract {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static JedisConnectionFactory factory;

	private static RedisLocks locks;

	@BeforeAll
	static void connect() {
		factory = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
		factory.afterPropertiesSet();
		factory.start();
		locks = new RedisLocks(factory, RedisLockSettings.defaults());
		locks.connect();
	}

	@AfterAll
	static void disconnect() {
		locks.close();
		factory.destroy();
	}

	@Override
	protected RedisLocks locks() {
		return locks;
	}

	@Override
	protected StringRedisTemplate redis() {
		return server.template();
	}

}
