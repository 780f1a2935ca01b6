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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Renewals}.
 */
class RenewalsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final List<ScriptCall<?>> calls = Collections.synchronizedList(new ArrayList<>());

	private final Renewals renewals = renewals(false);

	private Renewals renewals(boolean clustered) {
		return new Renewals(this.calls::add, new ScriptArguments(RedisServer.settings(), true), clustered,
				StoreCommands.TIMEOUTS, new StoreFailures("Redis"));
	}

	@Test
	void renewalsWithAndWithoutNextBlockAreSentSeparately() {
		List<RenewCommand> commands = new ArrayList<>();
		for (boolean nextBlock : new boolean[] { false, true }) {
			commands(2).forEach((command) -> commands.add(new RenewCommand(command.key(), command.attempt(),
					command.firstToken(), command.lease(), nextBlock, TIMEOUT)));
		}
		List<CompletionStage<RenewAnswer>> answers = this.renewals.send(commands);
		assertThat(this.calls).extracting(RenewalsTests::keys).containsExactly(2, 2);
		answer(1, "cr", "77", "9000");
		assertThat(StoreCommands.join(answers.get(2))).isEqualTo(new Renewed(true, new TokenBlock(77, 1_100)));
		assertThat(StoreCommands.join(answers.get(3))).isEqualTo(new Renewed(false, new TokenBlock(9_000, 10_023)));
	}

	@Test
	void renewalsOfAClusterAreSentSlotBySlot() {
		List<RenewCommand> commands = new ArrayList<>(commands(5));
		commands.addAll(commands(5));
		renewals(true).send(commands);
		assertThat(this.calls).hasSize(5).allSatisfy((call) -> assertThat(keys(call)).isEqualTo(2));
	}

	@Test
	void renewalsAreSentSlotBySlotAfterCrossSlotError() {
		List<CompletionStage<RenewAnswer>> answers = this.renewals.send(commands(3));
		fail(0, new RedisCommandExecutionException("CROSSSLOT Keys in request don't hash to the same slot"));
		assertThat(this.calls).hasSize(4);
		answer(1, "r");
		answer(2, "r");
		answer(3, "r");
		assertThat(answers).allSatisfy((answer) -> assertThat(StoreCommands.join(answer)).isInstanceOf(Renewed.class));
		this.renewals.send(commands(3));
		assertThat(this.calls).as("commands after the CROSSSLOT error (one per slot)").hasSize(7);
	}

	@ParameterizedTest
	@ValueSource(strings = { "CROSSSLOT Keys in request don't hash to the same slot",
			"TRYAGAIN Multiple keys request during rehashing of slot", "ASK 3999 127.0.0.1:6381",
			"MOVED 3999 127.0.0.1:6381",
			"NOPERM this user has no permissions to access one of the keys used as arguments",
			"NOPERM No permissions to access a key",
			"ERR Error running script (call to f_): @user_script:16: The user executing the script can't access at "
					+ "least one of the keys mentioned in the command arguments",
			"ERR ACL failure in script: No permissions to access a key script: 3b" })
	void batchIsRepeatedKeyByKeyWhenErrorMayConcernOneKey(String error) {
		List<CompletionStage<RenewAnswer>> answers = this.renewals.send(commands(2));
		fail(0, new RedisCommandExecutionException(error));
		answer(1, "c");
		fail(2, new RedisCommandExecutionException(error));
		assertThat(StoreCommands.join(answers.get(0))).isEqualTo(new Renewed(true, null));
		StoreCommands.failure(answers.get(1), LockStoreException.class);
		assertThat(this.calls).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "NOREPLICAS Not enough good replicas to write.",
			"ERR Error running script (call to f_): @user_script:26: @user_script: 26: -NOREPLICAS Not enough good "
					+ "replicas to write.",
			"LOADING Redis is loading the dataset in memory", "BUSY Redis is busy running a script.",
			"READONLY You can't write against a read only replica.", "MASTERDOWN Link with MASTER is down",
			"OOM command not allowed when used memory > 'maxmemory'.", "MISCONF Redis is configured to save RDB",
			"CLUSTERDOWN The cluster is down", "ERR no",
			"NOPERM this user has no permissions to run the 'evalsha' command or its subcommand" })
	void batchIsNotSplitWhenServerRejectsAllRenewals(String error) {
		List<CompletionStage<RenewAnswer>> answers = this.renewals.send(commands(100));
		fail(0, new RedisCommandExecutionException(error));
		assertThat(answers).allSatisfy((answer) -> assertThat(StoreCommands.failure(answer, LockStoreException.class))
			.hasMessageContaining(error));
		assertThat(this.calls).hasSize(1);
	}

	@Test
	void failedBatchDoesNotAffectOtherBatch() {
		List<CompletionStage<RenewAnswer>> answers = this.renewals.send(commands(101));
		this.calls.get(0).send();
		this.calls.get(1).send();
		fail(0, new IllegalStateException("cut"));
		answer(1, "r");
		StoreCommands.failure(answers.get(0), OutcomeUnknownException.class);
		assertThat(StoreCommands.join(answers.get(100))).isInstanceOf(Renewed.class);
	}

	@Test
	void outcomeOfBatchIsUnknownAfterTimeout() {
		List<CompletionStage<RenewAnswer>> answers = this.renewals.send(commands(2));
		this.calls.get(0).send();
		assertThat(answers).allSatisfy((answer) -> StoreCommands.failure(answer, OutcomeUnknownException.class));
	}

	@Test
	void errorOfOneKeyFailsOnlyItsRenewal() {
		List<CompletionStage<RenewAnswer>> answers = this.renewals.send(commands(2));
		answer(0, "eg", "WRONGTYPE Operation against a key");
		StoreCommands.failure(answers.get(0), LockStoreException.class);
		assertThat(StoreCommands.join(answers.get(1))).isInstanceOf(RenewAnswer.Gone.class);
	}

	@Test
	void shortAnswerLeavesAllOutcomesUnknown() {
		List<CompletionStage<RenewAnswer>> answers = this.renewals.send(commands(2));
		this.calls.get(0).send();
		answer(0, "g");
		assertThat(answers).allSatisfy((answer) -> StoreCommands.failure(answer, OutcomeUnknownException.class));
	}

	/* Each key comes with its owner, after the script and before the lease. */
	private static int keys(ScriptCall<?> call) {
		return (call.arguments().count() - 4) / 2;
	}

	private void answer(int call, String... answers) {
		this.calls.get(call)
			.reply(Stream.of(answers).map((answer) -> answer.getBytes(StandardCharsets.UTF_8)).toList());
	}

	private void fail(int call, Throwable failure) {
		this.calls.get(call).fail(failure);
	}

	private static List<RenewCommand> commands(int count) {
		AttemptId attempt = new AttemptId("instance", 1);
		return IntStream.range(0, count)
			.mapToObj((i) -> new RenewCommand(LockKey.of("renewed", "key " + i), attempt, 1, Duration.ofSeconds(30),
					false, TIMEOUT))
			.toList();
	}

}
