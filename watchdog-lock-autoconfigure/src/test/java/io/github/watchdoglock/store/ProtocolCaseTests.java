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

package io.github.watchdoglock.store;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.memory.ProtocolMemory;
import io.github.watchdoglock.redis.ProtocolRedis;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the scripts and the store in memory behave as each row of the tables of
 * contributing/protocol/cases.md says.
 */
@Tag("fast")
@Tag("topologies")
@SuppressWarnings("NullAway.Init")
class ProtocolCaseTests {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	/* No client is subscribed to the channel of 'u'. */
	private static final List<String> INSTANCES = List.of("a", "b", "c", "d");

	/* If a case took longer, its times prove nothing. */
	private static final long MAX_MILLIS = 150;

	private static final int TRIES = 20;

	private static final AtomicLong keys = new AtomicLong();

	private static ProtocolRedis redis;

	private static ProtocolMemory memory;

	@BeforeAll
	static void open() {
		redis = new ProtocolRedis(server, INSTANCES, new HintRecorder());
		memory = new ProtocolMemory(INSTANCES, new HintRecorder());
	}

	@Test
	void documentedCasesCoverEachCommand() throws IOException {
		assertThat(ProtocolCase.all()).hasSizeGreaterThan(130)
			.extracting((row) -> row.command().split(" ", 2)[0])
			.contains("acquire", "renew", "release", "force", "find");
	}

	@ParameterizedTest
	@MethodSource("cases")
	void redisStoreMatchesDocumentedCase(ProtocolCase row) {
		check(row, redis);
	}

	@ParameterizedTest
	@MethodSource("casesOfBoth")
	void memoryStoreMatchesDocumentedCase(ProtocolCase row) {
		check(row, memory);
	}

	static Stream<ProtocolCase> cases() throws IOException {
		return ProtocolCase.all().stream();
	}

	static Stream<ProtocolCase> casesOfBoth() throws IOException {
		return cases().filter((row) -> !row.redisAlone());
	}

	private static void check(ProtocolCase row, ProtocolSide side) {
		for (int i = 0; i < TRIES; i++) {
			if (checked(row, side, LockKey.of("case", Long.toString(keys.incrementAndGet())))) {
				return;
			}
		}
		throw new AssertionError("each try took longer than " + MAX_MILLIS + " ms");
	}

	private static boolean checked(ProtocolCase row, ProtocolSide side, LockKey key) {
		ProtocolText words = new ProtocolText();
		long start = System.nanoTime();
		long before = side.micros();
		side.put(key, row.record());
		String answer = new ProtocolCommand(row.command(), key, words).run(side.store(), side.inspector());
		long after = side.micros();
		String record = side.record(key, words);
		long elapsed = (System.nanoTime() - start) / 1_000_000 + 1;
		if (elapsed > MAX_MILLIS) {
			return false;
		}
		assertThat(ProtocolText.near(row.answer(), answer, elapsed)).as("answer").isEqualTo(row.answer());
		assertThat(ProtocolText.near(row.becomes(), record, elapsed)).as("record").isEqualTo(row.becomes());
		assertThat(told(side.told(key))).as("messages").isEqualTo(row.told());
		assertThat(words.isNowWithin(before, after)).as("the block begins at the clock").isTrue();
		return true;
	}

	private static String told(List<String> messages) {
		return messages.isEmpty() ? ProtocolSide.ABSENT : String.join(", ", messages);
	}

}
