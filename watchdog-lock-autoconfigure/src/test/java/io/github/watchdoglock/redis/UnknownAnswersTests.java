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
import java.util.Arrays;
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.HolderState;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.OutcomeUnknownException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for answers without content, such as {@code null} inside a transaction or
 * pipeline: they mean neither success nor contention.
 */
class UnknownAnswersTests {

	static List<@Nullable Object> meaningless() {
		return Arrays.asList(null, "OK", 1L, List.of(), List.of("renewed"), List.of("granted"));
	}

	@ParameterizedTest
	@MethodSource("meaningless")
	void meaninglessAnswersAreUnknownOutcomes(@Nullable Object answer) {
		LeaseStore store = answering(answer);
		StoreCommands commands = StoreCommands.fresh();
		assertThat(StoreCommands.failure(store.acquire(commands.acquire()), OutcomeUnknownException.class))
			.hasMessageStartingWith("no answer from Redis (");
		StoreCommands.failure(store.release(commands.release()), OutcomeUnknownException.class);
		StoreCommands.failure(store.renew(List.of(commands.renew(1))).get(0), OutcomeUnknownException.class);
	}

	@Test
	void answerWithUnknownKindKeepsRemainingFields() {
		StoreCommands commands = StoreCommands.fresh();
		LeaseStore busy = answering("busy 1000 +/p65 somebody".getBytes(StandardCharsets.UTF_8));
		assertThat(busy.acquire(commands.acquire()).toCompletableFuture().join())
			.isEqualTo(new AcquireAnswer.Busy("somebody", Duration.ofSeconds(1), true, null));
		LockKey key = LockKey.of("orders");
		assertThat(ScriptAnswers.found(key, List.of("held 5 1000 2/s3 somebody")))
			.containsExactly(HolderState.of(key, "somebody", 5, Duration.ofSeconds(1), 2, Kind.EXCLUSIVE));
	}

	private static LeaseStore answering(@Nullable Object answer) {
		return new RedisLeaseStore((call) -> {
			assertThat(call.send()).isTrue();
			call.reply(answer);
		}, new ScriptArguments(RedisServer.settings(), true), false, StoreCommands.TIMEOUTS, "Redis");
	}

}
