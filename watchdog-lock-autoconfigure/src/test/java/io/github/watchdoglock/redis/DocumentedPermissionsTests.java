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
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * The contract of stores, for a user that has exactly the permissions that
 * docs/operations/redis.md names.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
@SuppressWarnings("NullAway.Init")
class DocumentedPermissionsTests extends RedisContract {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static RedisLocks locks;

	/* The user has no permission to read this setting. */
	@BeforeAll
	static void connect() {
		server.admin().set("maxmemory-policy", "allkeys-lru");
		locks = new RedisLocks(user(), RedisServer.settings());
		locks.connect();
	}

	@AfterAll
	static void disconnect() {
		locks.close();
	}

	private static LettuceConnectionFactory user() {
		return server.user(DocumentedUser.NAME, DocumentedUser.rules());
	}

	@Test
	void documentedPermissionsSufficeForWaiterWithoutWarning(CapturedOutput output) throws Exception {
		try (RedisInstance one = new RedisInstance(user()).connected();
				RedisInstance other = new RedisInstance(user()).connected()) {
			LockHandle held = one.engine().acquire(LockRequest.of("orders"));
			CompletableFuture<LockHandle> next = other.engine()
				.acquireAsync(LockRequest.of("orders").withWaitTime(Duration.ofSeconds(20)));
			held.close();
			assertThat(next.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
			next.join().close();
			// Pings are not permitted, and the error is an answer as well.
			await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
		}
		assertThat(output).doesNotContainPattern("WARN.*(ServerCheck|SubscriptionConnection)");
	}

	@ParameterizedTest
	@ValueSource(strings = { "SCRIPT FLUSH", "CLUSTER RESET", "INFO" })
	void commandsUnusedByLocksAreRejectedForDocumentedUser(String command) {
		String[] words = command.split(" ", 2);
		String[] arguments = Arrays.copyOfRange(words, 1, words.length);
		assertThatException().isThrownBy(() -> new RedisAdmin(user()).command(words[0], arguments))
			.havingRootCause()
			.withMessageStartingWith("NOPERM");
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
