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
import java.util.List;
import java.util.Set;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.LeaseSurvey.Answer;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for surveys of the locks of all instances in a single Redis.
 */
class RedisSurveyTests extends RedisSurveyContract {

	private static final String VALUE = "2 o- 0000000120000 1795288256253535 1795288256253535 other.1 shop@host/main";

	private static final String FILL = "for i = 1, ARGV[1] do redis.call('SET', 'watchdog-lock:{many:' .. i .. '}', '"
			+ VALUE + "', 'PX', 500000) end return 'done'";

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	@Test
	void answersAreBoundedAndTogetherListAllKeys() {
		RedisAdmin admin = server.admin();
		admin.command("EVAL", FILL, "0", "25000");
		long before = admin.scripts();
		Held first = look(null, 0);
		assertThat(first.locks()).isEmpty();
		assertThat(first.count()).isBetween(1, 10_000);
		assertThat(first.cursor()).isNotNull();
		assertThat(admin.scripts() - before).isLessThanOrEqualTo(10_000);
		List<Held> all = lookAtAll(1_000);
		assertThat(all).allSatisfy((answer) -> assertThat(answer.locks()).hasSizeBetween(1, 1_000));
		assertThat(Set.copyOf(keys(all))).hasSize(25_000)
			.contains(LockKey.of("many", "1"), LockKey.of("many", "25000"));
	}

	@Test
	void surveyClosesItsConnections() {
		take(LockKey.of("orders"));
		RedisAdmin admin = server.admin();
		long clients = admin.clients().count();
		for (int i = 0; i < 3; i++) {
			assertThat(look(null, 10).locks()).hasSize(1);
		}
		await().untilAsserted(() -> assertThat(admin.clients()).hasSize((int) clients)
			.noneMatch((client) -> "scan".equals(client.getLastCommand())));
	}

	@Test
	void missingScanPermissionIsNamedInAnswer() {
		LettuceConnectionFactory user = server.user(DocumentedUser.NAME, DocumentedUser.rules().replace("+scan ", ""));
		try (RedisLocks limited = new RedisLocks(user, RedisServer.settings())) {
			assertThat(limited.survey().look(null, 10)).asInstanceOf(InstanceOfAssertFactories.type(Answer.Off.class))
				.extracting(Answer.Off::reason, InstanceOfAssertFactories.STRING)
				.contains("NOPERM", "'scan'", "ACL SETUSER <user> +scan");
			server.admin().setUser(DocumentedUser.NAME, DocumentedUser.rules() + " +scan");
			take(LockKey.of("orders"));
			assertThat(limited.survey().look(null, 10)).asInstanceOf(InstanceOfAssertFactories.type(Held.class))
				.extracting(Held::count)
				.isEqualTo(1);
		}
	}

	@Test
	void keysThatAreNoLocksAreOmittedAndCounted() {
		RedisAdmin admin = server.admin();
		admin.command("SET", "watchdog-lock:{foreign}", "something else");
		admin.command("HSET", "watchdog-lock:{hash}", "a", "b");
		admin.command("SET", "watchdog-lock:{%role:reports}", VALUE, "PX", "500000");
		admin.command("SET", "watchdog-lock:{%zz}", VALUE, "PX", "500000");
		admin.command("SET", "another", "x");
		admin.command("SCRIPT", "FLUSH");
		take(LockKey.of("orders"));
		Held answer = look(null, 10);
		assertThat(answer.locks()).extracting(LockState::key).containsExactly(LockKey.of("orders"));
		assertThat(answer.gaps()).containsExactly("2 keys below the prefix 'watchdog-lock' are not locks");
	}

	@Test
	void keyPrefixIsNotTreatedAsPattern() {
		try (RedisLocks odd = new RedisLocks(server.factory(), new RedisLockSettings("a*[b]?\\", "test",
				Duration.ofMinutes(2), false, Duration.ofSeconds(1), true, true))) {
			StoreCommands orders = StoreCommands.fresh();
			orders.acquire(odd.store());
			server.admin().command("SET", "axxb_:{orders}", VALUE, "PX", "500000");
			assertThat(((Held) odd.survey().look(null, 10)).locks()).extracting(LockState::key)
				.containsExactly(orders.key());
		}
	}

	@Test
	void surveyFailsWhenRedisIsUnreachable() {
		LettuceConnectionFactory nowhere = new RedisServer().factory();
		try (RedisLocks away = new RedisLocks(nowhere, RedisServer.settings())) {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> away.survey().look(null, 10))
				.withMessageStartingWith("Could not list the locks of all instances: ")
				.withMessageContaining("refused");
		}
		finally {
			nowhere.destroy();
		}
	}

	@Test
	void cursorOfClusterIsReportedAsUnknown() {
		assertThat(survey().look("00ff-17", 10)).isEqualTo(new Answer.UnknownCursor(
				"'cursor' is from a primary that no longer exists. Begin again without 'cursor'"));
		assertThat(List.of(look("0", 10))).isNotEmpty();
	}

	@Override
	protected RedisLocks locks() {
		return server.locks();
	}

	@Override
	protected void clear() {
		server.admin().command("FLUSHALL");
	}

}
