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

package io.github.watchdoglock.redis.connection;

import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.DocumentedUser;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreFailures}.
 */
class StoreFailuresTests {

	@ParameterizedTest
	@ValueSource(strings = { "READONLY You can't write against a read only replica.",
			"LOADING Redis is loading the dataset in memory", "TRYAGAIN Multiple keys request during rehashing of slot",
			"CLUSTERDOWN The cluster is down",
			"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set",
			"NOREPLICAS Not enough good replicas to write.",
			"BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
			"MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
			"OOM command not allowed when used memory > 'maxmemory'.",
			"ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
			"MOVED 866 127.0.0.1:7001" })
	void temporaryRedisErrorBecomesLockStoreException(String error) {
		assertThat(failure(true, new RedisCommandExecutionException(error)))
			.isExactlyInstanceOf(LockStoreException.class)
			.hasMessageContaining(error);
	}

	@ParameterizedTest
	@ValueSource(strings = { "NOPERM this user has no permissions to run the 'evalsha' command",
			"WRONGTYPE Operation against a key holding the wrong kind of value",
			"ERR Error running script (call to f_1): @user_script:3: attempt to compare nil with number",
			"ERR unknown command 'EVALSHA'" })
	void permanentRedisErrorBecomesCommandRefusedException(String error) {
		assertThat(failure(true, new RedisCommandExecutionException(error)))
			.isExactlyInstanceOf(CommandRefusedException.class)
			.hasMessageContaining(error);
	}

	@Test
	void wrongTypeErrorMentionsKeyPrefix() {
		assertThat(failure(true,
				new RedisCommandExecutionException(
						"WRONGTYPE Operation against a key holding the wrong kind of value")))
			.hasMessageContaining("key prefix");
	}

	@Test
	void unsentCommandFailsWithNotConnectedException() {
		assertThat(failure(false, new SocketException("the connection was lost")))
			.isExactlyInstanceOf(NotConnectedException.class);
		assertThat(failure(false, new RedisCommandExecutionException("LOADING Redis is loading the dataset in memory")))
			.isExactlyInstanceOf(NotConnectedException.class);
	}

	@Test
	void connectTimeoutMentionsTlsOnlyForTlsAddress() {
		RedisConnectionException frozen = new RedisConnectionException("Unable to connect to here:6379",
				new RedisConnectionException("Connection initialization timed out after 2 second(s)"));
		assertThat(failure(false, frozen)).hasMessage("no connection to Redis at here:6379 (no response within 2 s)");
		assertThat(failure("Redis at here:6379 by TLS", false, frozen))
			.hasMessageContaining("(no response within 2 s (if it never responds, this port may not use TLS");
	}

	@Test
	void timeoutsAndClosedChannelsAreDescribedInWords() {
		assertThat(StoreFailures.describe(new ExecutionException(new TimeoutException())))
			.isEqualTo("no response within 2 s");
		assertThat(
				StoreFailures.describe(new RedisCommandTimeoutException("PING. Command timed out after 2 second(s)")))
			.isEqualTo("no response within 2 s");
		assertThat(StoreFailures.describe(new ClosedChannelException())).isEqualTo("the connection was closed");
		assertThat(StoreFailures.noResponse(Duration.ofMillis(200))).hasMessage("no response within 200 ms");
	}

	@Test
	void rejectedLoginBecomesLockStoreException() {
		RedisCommandExecutionException error = new RedisCommandExecutionException("WRONGPASS invalid password");
		assertThat(failure(false, new RedisConnectionException("no", error)))
			.isExactlyInstanceOf(LockStoreException.class);
	}

	@Test
	void sentCommandWithoutAnswerHasUnknownOutcome() {
		assertThat(failure(true, new TimeoutException())).isExactlyInstanceOf(OutcomeUnknownException.class);
	}

	@Test
	void brokenPipeMessageAdvisesOnClientCertificate() {
		assertThat(StoreFailures.describe(new IllegalStateException("failed", new SocketException("Broken pipe"))))
			.startsWith("Broken pipe (")
			.contains("the server does not accept this application's certificate", "keystore of the SSL bundle");
	}

	@Test
	void permissionErrorNamesAllRequiredCommands() {
		String message = String.valueOf(failure(true, new RedisCommandExecutionException("NOPERM no")).getMessage());
		for (String rule : DocumentedUser.rules().split(" ", -1)) {
			if (rule.startsWith("+")) {
				assertThat(message).contains(rule);
			}
		}
	}

	@Test
	void longErrorMessageOfRedisIsShortened() {
		assertThat(failure(true, new RedisCommandExecutionException("ERR Error running script: " + "x".repeat(7_000))))
			.satisfies((failure) -> assertThat(failure.getMessage())
				.startsWith("Redis at here:6379 refused the command: ERR Error running script: xxx")
				.hasSizeLessThan(400));
	}

	@Test
	void connectionThatIsClosedOnItsFirstCommandNamesTheProtocol() {
		assertThat(failure(false, new RedisConnectionException("Connection closed prematurely"))).hasMessage(
				"no connection to Redis at here:6379 (Connection closed prematurely (the server or a proxy before it"
						+ " closed the connection: if it does not know the command HELLO, set ProtocolVersion.RESP2 in"
						+ " a LettuceClientOptionsBuilderCustomizer))");
	}

	private static LockStoreException failure(boolean sent, Throwable cause) {
		return failure("Redis at here:6379", sent, cause);
	}

	private static LockStoreException failure(String address, boolean sent, Throwable cause) {
		return new StoreFailures(address).of(sent, cause);
	}

}
