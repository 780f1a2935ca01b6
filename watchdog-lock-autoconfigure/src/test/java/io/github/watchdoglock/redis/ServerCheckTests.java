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

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the warnings about a server at the first connection.
 */
@ExtendWith(OutputCaptureExtension.class)
class ServerCheckTests {

	/* Other servers that have stopped meanwhile may cause other warnings. */
	private static final String WARNING = "WARN.*(ServerCheck|SubscriptionConnection)";

	private static final String NEEDED = DocumentedUser.rules();

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private final RedisAdmin admin = server.admin();

	@AfterEach
	void reset() {
		this.admin.set("maxmemory-policy", "noeviction");
	}

	@Test
	void suitableServerCausesNoWarning(CapturedOutput output) {
		connect(server.factory(), () -> {
		});
		assertThat(output).doesNotContainPattern(WARNING);
		await().until(() -> this.admin.keys().stream().allMatch((key) -> key.endsWith("}")));
	}

	@Test
	void evictionPolicyIsLoggedOnceWithRemedy(CapturedOutput output) {
		this.admin.set("maxmemory-policy", "allkeys-lru");
		connect(server.factory(), () -> awaitWarning(output, "maxmemory-policy allkeys-lru"));
		assertThat(output).containsOnlyOnce("maxmemory-policy allkeys-lru").contains("set noeviction");
	}

	@Test
	void serverThatStartsLateIsCheckedOnConnection(CapturedOutput output) {
		RedisServer late = new RedisServer();
		try (late; RedisLocks locks = new RedisLocks(late.factory(), RedisServer.settings())) {
			locks.connect();
			awaitWarning(output, "for locks: ");
			late.start("maxmemory-policy allkeys-lfu");
			awaitWarning(output, "maxmemory-policy allkeys-lfu");
		}
	}

	@ParameterizedTest
	@CsvSource({ "-pexpire -append -time, +append +pexpire +time", "resetkeys ~other:*, ~watchdog-lock:*" })
	void missingCommandsAndKeysOfUserAreNamed(String rules, String missing, CapturedOutput output) {
		connectUnable(server.user("lacking", NEEDED + " " + rules), output, "locks fail");
		assertThat(output).containsOnlyOnce("ACL SETUSER <user> " + missing).doesNotContain("+get");
		assertThat(this.admin.keys()).noneMatch((key) -> key.endsWith(":check"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-evalsha", "-evalsha -get -publish" })
	void allPermissionsAreNamedWhenScriptsCannotRun(String rules, CapturedOutput output) {
		connectUnable(server.user("lacking", NEEDED + " " + rules), output, "locks fail");
		assertThat(output).contains("ACL SETUSER <user> +append +eval +evalsha +get +getrange +pexpire +pttl +publish"
				+ " +script|load +set +setrange +subscribe +time");
	}

	@Test
	void missingSelectPermissionIsNamedForDatabase(CapturedOutput output) {
		connectUnable(server.user("confined", NEEDED, 2), output, "for locks: ");
		assertThat(output).contains("ACL SETUSER <user> +select");
	}

	@Test
	void missingChannelPermissionIsNamedWhileLocksWork(CapturedOutput output) {
		connect(server.user("mute", NEEDED + " resetchannels"), () -> awaitWarning(output, "waiting instances poll"));
		assertThat(output).contains("ACL SETUSER <user> &watchdog-lock:*").doesNotContain("locks fail");
	}

	@Test
	void missingSubscribePermissionIsNamed(CapturedOutput output) {
		LettuceConnectionFactory deaf = server.user("deaf", NEEDED + " -subscribe");
		try (RedisLocks locks = new RedisLocks(deaf, RedisServer.settings())) {
			locks.connect();
			locks.wakeUps().subscribe("somebody", new HintRecorder());
			awaitWarning(output, "Redis refuses the subscription to 'watchdog-lock:instance:somebody'");
		}
		assertThat(output).containsOnlyOnce("ACL SETUSER <user> +subscribe");
	}

	@Test
	void serverOlderThanRequiredVersionIsLogged(CapturedOutput output) {
		ServerCheck check = new ServerCheck(RedisServer.settings(), StoreCommands.TIMEOUTS, false);
		check.report(List.of("6.2.0", "noeviction"));
		check.report(List.of("10.0.1", ""));
		check.report(List.of("", ""));
		assertThat(output).doesNotContainPattern(WARNING);
		check.report(List.of("6.0.16", "noeviction"));
		awaitWarning(output, "upgrade the server");
		assertThat(output).containsOnlyOnce("Redis 6.0.16 is older than 6.2").contains("upgrade the server");
	}

	@Test
	void replicasAreNotQueriedWhenWarningIsDisabled() {
		RedisLockSettings told = RedisServer.settings();
		RedisLockSettings untold = new RedisLockSettings(told.keyPrefix(), told.clientName(), told.recordRetention(),
				told.wakeUps(), told.pollInterval(), false, true);
		List<ScriptCall<?>> calls = new ArrayList<>();
		new ServerCheck(untold, StoreCommands.TIMEOUTS, true).beginWithReplicas(calls::add);
		assertThat(calls).isEmpty();
		new ServerCheck(told, StoreCommands.TIMEOUTS, true).beginWithReplicas(calls::add);
		assertThat(calls).hasSize(1);
	}

	/* The error messages of Redis 7.2. */
	@Test
	void permissionErrorsOfNewerServersAreRecognized(CapturedOutput output) {
		new ServerCheck(RedisServer.settings(), StoreCommands.TIMEOUTS, false).report(List.of("7.2.4", "noeviction",
				"SET ERR ACL failure in script: User alice has no permissions to run the 'set' command",
				"GET ERR ACL failure in script: No permissions to access a key",
				"PUBLISH ERR ACL failure in script: No permissions to access a channel", "LSET ERR no such key"));
		awaitWarning(output, "ACL SETUSER <user> +set ~watchdog-lock:* &watchdog-lock:*");
	}

	private static void connect(LettuceConnectionFactory factory, Runnable meanwhile) {
		try (RedisLocks locks = new RedisLocks(factory, RedisServer.settings())) {
			assertThat(StoreCommands.fresh().acquire(locks.store())).isInstanceOf(Granted.class);
			meanwhile.run();
			// The answer arrives after that of the check, which was sent before.
			StoreCommands.fresh().acquire(locks.store());
		}
	}

	private static void connectUnable(LettuceConnectionFactory factory, CapturedOutput output, String warning) {
		try (RedisLocks locks = new RedisLocks(factory, RedisServer.settings())) {
			locks.connect();
			awaitWarning(output, warning);
			StoreCommands.refusal(locks);
		}
	}

	private static void awaitWarning(CapturedOutput output, String words) {
		await().untilAsserted(() -> assertThat(output).contains(words));
	}

}
