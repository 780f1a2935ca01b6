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
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.LeaseSurvey.Answer;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The locks of all instances in a single Redis.
 */
@SuppressWarnings("NullAway.Init")
class RedisSurveyTests extends RedisSurveyContract {

	private static final String VALUE = "2 o- 0000000120000 1795288256253535 1795288256253535 other.1 shop@host/main";

	private static final String FILL = "for i = 1, ARGV[1] do redis.call('SET', 'watchdog-lock:{many:' .. i .. '}', '"
			+ VALUE + "', 'PX', 500000) end return 'done'";

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static RedisLocks locks;

	@BeforeAll
	static void connect() {
		locks = new RedisLocks(server.factory(), RedisLockSettings.defaults());
		locks.connect();
	}

	@AfterAll
	static void disconnect() {
		locks.close();
	}

	@Test
	void anAnswerIsBoundedAndFollowedByOthersUntilAllAreSeen() {
		RedisAdmin admin = new RedisAdmin(server.factory());
		admin.command("EVAL", FILL, "0", "25000");
		long before = admin.scripts();
		Held first = look(null, 0);
		assertThat(first.locks()).isEmpty();
		assertThat(first.count()).isBetween(1, 10_000);
		assertThat(first.cursor()).isNotNull();
		assertThat(admin.scripts() - before).isLessThanOrEqualTo(10_000);
		Set<LockKey> seen = new HashSet<>();
		String cursor = null;
		do {
			Held answer = look(cursor, 1_000);
			assertThat(answer.locks()).hasSizeBetween(1, 1_000);
			answer.locks().forEach((state) -> seen.add(state.key()));
			cursor = answer.cursor();
		}
		while (cursor != null);
		assertThat(seen).hasSize(25_000).contains(LockKey.of("many", "1"), LockKey.of("many", "25000"));
	}

	@Test
	void connectionsAreOfTheirOwnAndClosed() {
		take(LockKey.of("orders"));
		RedisAdmin admin = new RedisAdmin(server.factory());
		String own = String.valueOf(admin.command("CLIENT", "LIST"));
		long clients = own.lines().count();
		for (int i = 0; i < 3; i++) {
			assertThat(look(null, 10).locks()).hasSize(1);
		}
		await().untilAsserted(
				() -> assertThat(String.valueOf(admin.command("CLIENT", "LIST")).lines()).hasSize((int) clients)
					.noneMatch((client) -> client.contains("cmd=scan")));
	}

	@Test
	void aUserWhoMayNotScanIsToldWhichPermissionThatIs() {
		RedisAdmin admin = new RedisAdmin(server.factory());
		admin.command("ACL", DocumentedUser.setUser(DocumentedUser.rules().replace("+scan ", "")));
		LettuceConnectionFactory user = DocumentedUser.factory(server.port());
		try (RedisLocks limited = new RedisLocks(user, RedisLockSettings.defaults())) {
			assertThat(limited.survey().look(null, 10)).asInstanceOf(InstanceOfAssertFactories.type(Answer.Off.class))
				.extracting(Answer.Off::reason, InstanceOfAssertFactories.STRING)
				.contains("NOPERM", "'scan'", "ACL SETUSER <user> +scan");
			admin.command("ACL", DocumentedUser.setUser(DocumentedUser.rules() + " +scan"));
			take(LockKey.of("orders"));
			assertThat(limited.survey().look(null, 10)).asInstanceOf(InstanceOfAssertFactories.type(Held.class))
				.extracting(Held::count)
				.isEqualTo(1);
		}
		finally {
			user.destroy();
		}
	}

	@Test
	void whatIsNoLockIsLeftOut() {
		RedisAdmin admin = new RedisAdmin(server.factory());
		admin.command("SET", "watchdog-lock:{foreign}", "something else");
		admin.command("HSET", "watchdog-lock:{hash}", "a", "b");
		admin.command("SET", "watchdog-lock:{%role:reports}", VALUE, "PX", "500000");
		admin.command("SET", "watchdog-lock:{%zz}", VALUE, "PX", "500000");
		admin.command("SET", "another", "x");
		admin.command("SCRIPT", "FLUSH");
		take(LockKey.of("orders"));
		Held answer = look(null, 10);
		assertThat(answer.locks()).extracting(LockState::key).containsExactly(LockKey.of("orders"));
		assertThat(answer.gaps()).containsExactly("2 keys below the prefix 'watchdog-lock' are no locks");
	}

	@Test
	void aPrefixIsNoPattern() {
		try (RedisLocks odd = new RedisLocks(server.factory(),
				new RedisLockSettings("a*[b]?\\", "test", Duration.ofMinutes(2), false, Duration.ofSeconds(1), true))) {
			StoreCommands orders = StoreCommands.fresh();
			orders.acquire(odd.store());
			new RedisAdmin(server.factory()).command("SET", "axxb_:{orders}", VALUE, "PX", "500000");
			assertThat(((Held) odd.survey().look(null, 10)).locks()).extracting(LockState::key)
				.containsExactly(orders.key());
		}
	}

	@Test
	void aRedisThatIsAwayIsAFailure() {
		LettuceConnectionFactory nowhere = RedisServerExtension.factory(RedisServerExtension.freePort());
		try (RedisLocks away = new RedisLocks(nowhere, RedisLockSettings.defaults())) {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> away.survey().look(null, 10))
				.withMessageStartingWith("Could not list the locks of all instances: ")
				.withMessageContaining("refused");
		}
		finally {
			nowhere.destroy();
		}
	}

	@Test
	void aCursorOfAClusterIsUnknown() {
		assertThat(survey().look("00ff-17", 10))
			.isEqualTo(new Answer.UnknownCursor("'cursor' is of no primary that there is now: begin without one"));
		assertThat(List.of(look("0", 10))).isNotEmpty();
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
