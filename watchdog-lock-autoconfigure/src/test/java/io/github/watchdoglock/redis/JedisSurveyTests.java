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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The locks of all instances by Jedis.
 */
@SuppressWarnings("NullAway.Init")
class JedisSurveyTests extends RedisSurveyContract {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static JedisConnectionFactory factory;

	private static RedisLocks locks;

	@BeforeAll
	static void connect() {
		factory = factory(server.port());
		locks = new RedisLocks(factory, RedisLockSettings.defaults());
		locks.connect();
	}

	@AfterAll
	static void disconnect() {
		locks.close();
		factory.destroy();
	}

	@Test
	void whatIsNoLockIsLeftOut() {
		RedisAdmin admin = new RedisAdmin(server.factory());
		admin.command("SET", "watchdog-lock:{foreign}", "something else");
		admin.command("HSET", "watchdog-lock:{hash}", "a", "b");
		admin.command("SCRIPT", "FLUSH");
		take(LockKey.of("orders"));
		Held answer = look(null, 10);
		assertThat(answer.locks()).extracting(LockState::key).containsExactly(LockKey.of("orders"));
		assertThat(answer.gaps()).containsExactly("2 keys below the prefix 'watchdog-lock' are no locks");
	}

	@Test
	void aRedisThatIsAwayIsAFailure() {
		JedisConnectionFactory nowhere = factory(RedisServerExtension.freePort());
		try (RedisLocks away = new RedisLocks(nowhere, RedisLockSettings.defaults())) {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> away.survey().look(null, 10));
		}
		finally {
			nowhere.destroy();
		}
	}

	private static JedisConnectionFactory factory(int port) {
		JedisConnectionFactory factory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	@Override
	protected RedisLocks locks() {
		return locks;
	}

	@Override
	protected void clear() {
		new RedisAdmin(server.factory()).command("FLUSHALL");
	}

}
