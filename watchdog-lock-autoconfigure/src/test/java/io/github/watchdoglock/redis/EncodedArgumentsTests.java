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
import java.util.List;

import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EncodedArguments}, which are compared with Lettuce's own.
 */
class EncodedArgumentsTests {

	private static final byte[] KEY = bytes("locks:{ä}");

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String encoded(CommandArgs<byte[], byte[]> arguments) {
		ByteBuf buffer = Unpooled.buffer();
		arguments.encode(buffer);
		return arguments.count() + " " + buffer.toString(StandardCharsets.UTF_8);
	}

	private static CommandArgs<byte[], byte[]> expected(String script) {
		return new CommandArgs<>(ByteArrayCodec.INSTANCE).add(script).add(1).addKey(KEY);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 9, 10, 99, 100, 1_795_944_356_563_643L, Long.MAX_VALUE })
	void numbersAreEncodedAsLettuceEncodesThem(long number) {
		assertThat(encoded(new EncodedArguments(LockScript.FIND, List.of(KEY)).add(number)))
			.isEqualTo(encoded(expected(LockScript.FIND.sha1()).add(number)));
	}

	@Test
	void digitsArePaddedWithLeadingZeros() {
		assertThat(encoded(new EncodedArguments(KEY).addDigits(42, 16).addDigits(0, 3))).isEqualTo(
				encoded(new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(KEY).add("0000000000000042").add("000")));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 35, 36, 123_456_789, Long.MAX_VALUE })
	void attemptsAreEncodedAsTheirText(long number) {
		for (Kind kind : new Kind[] { Kind.EXCLUSIVE, Kind.READ, Kind.permits(5) }) {
			AttemptId attempt = new AttemptId("3g7bp5ydorl9i", number, kind);
			assertThat(encoded(new EncodedArguments(KEY).add(attempt).add(7, 16, attempt)))
				.isEqualTo(encoded(new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(KEY)
					.add(attempt.toString())
					.add("0000000000000007 " + attempt + " ")));
		}
	}

	@Test
	void argumentsOfAnyLengthAreEncodedCompletely() {
		EncodedArguments arguments = new EncodedArguments(LockScript.RENEW, List.of(KEY));
		CommandArgs<byte[], byte[]> expected = expected(LockScript.RENEW.sha1());
		for (int length : new int[] { 0, 1, 300, 5_000, 9 }) {
			arguments.add("x".repeat(length));
			expected.add("x".repeat(length));
		}
		assertThat(encoded(arguments)).isEqualTo(encoded(expected));
	}

	@Test
	void secondEncodingOfCommandHasSameBytes() {
		EncodedArguments arguments = new EncodedArguments(LockScript.ACQUIRE, List.of(KEY)).add(5);
		assertThat(encoded(arguments)).isEqualTo(encoded(arguments));
		assertThat(arguments.getFirstEncodedKey().array()).as("the key for the slot").isEqualTo(KEY);
	}

	@Test
	void sourceReplacesDigestIfRedisDoesNotKnowScript() {
		EncodedArguments arguments = new EncodedArguments(LockScript.FIND, List.of(KEY)).add(5);
		String source = new String(LockScript.FIND.text(), StandardCharsets.UTF_8);
		assertThat(encoded(arguments.withSource(LockScript.FIND))).isEqualTo(encoded(expected(source).add(5)));
	}

}
