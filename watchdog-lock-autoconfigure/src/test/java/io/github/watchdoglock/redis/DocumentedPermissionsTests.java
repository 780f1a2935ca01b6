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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.EngineObserver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * The contract, kept for a user who has exactly the permissions that docs/operating.md
 * names.
 */
@SuppressWarnings("NullAway.Init")
class DocumentedPermissionsTests extends RedisContract {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static LettuceConnectionFactory factory;

	private static RedisLocks locks;

	@BeforeAll
	static void connect() {
		new RedisAdmin(server.factory()).command("ACL", DocumentedUser.setUser(DocumentedUser.rules()));
		factory = DocumentedUser.factory(server.port());
		locks = new RedisLocks(factory, RedisLockSettings.defaults());
		locks.connect();
	}

	@AfterAll
	static void disconnect() {
		locks.close();
		factory.destroy();
	}

	@Test
	void aLockIsHandedOnByMessage() throws Exception {
		EngineObserver nobody = new EngineObserver() {
		};
		try (RedisInstance one = new RedisInstance(DocumentedUser.factory(server.port()), nobody).connected();
				RedisInstance other = new RedisInstance(DocumentedUser.factory(server.port()), nobody).connected()) {
			LockHandle held = one.engine().acquire(LockRequest.of("orders"));
			CompletableFuture<LockHandle> next = other.engine()
				.acquireAsync(LockRequest.of("orders").withWaitTime(Duration.ofSeconds(20)));
			held.close();
			assertThat(next.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
			next.join().close();
		}
	}

	@Test
	void whatLocksDoNotNeedIsRefused() {
		LettuceConnectionFactory user = DocumentedUser.factory(server.port());
		RedisAdmin admin = new RedisAdmin(user);
		assertThatException().isThrownBy(() -> admin.command("SCRIPT", "FLUSH"))
			.havingRootCause()
			.withMessageStartingWith("NOPERM");
		assertThatException().isThrownBy(() -> admin.command("CLUSTER", "RESET"))
			.havingRootCause()
			.withMessageStartingWith("NOPERM");
		assertThatException().isThrownBy(() -> admin.command("INFO"))
			.havingRootCause()
			.withMessageStartingWith("NOPERM");
		user.destroy();
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
