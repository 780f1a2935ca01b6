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

package io.github.watchdoglock.text;

import io.github.watchdoglock.LockKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the characters of external strings that may appear in a log.
 */
class PrintableTextTests {

	@ParameterizedTest
	@ValueSource(ints = { '\n', '\r', '\t', 0, 0x1B, 0x7F, 0x85, 0xAD, 0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F,
			0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF,
			0xE0001 })
	void controlAndFormatCharactersAreReplaced(int point) {
		assertThat(PrintableText.of("a" + Character.toString(point) + "b")).isEqualTo("a?b");
		assertThat(LockKey.of("x" + Character.toString(point), "y" + Character.toString(point))).hasToString("x?:y?");
	}

	@Test
	void unpairedSurrogatesAreReplaced() {
		assertThat(PrintableText.of("a\uD800b\uDFFF")).isEqualTo("a?b?");
	}

	@Test
	void printableCharactersAreUnchanged() {
		String text = "Zürich 東京 \u05D0 e\u0301 \uD83D\uDE00 ~:%";
		assertThat(PrintableText.of(text)).isEqualTo(text);
	}

	@Test
	void longTextIsCutBetweenCharacters() {
		assertThat(PrintableText.of("x".repeat(128))).isEqualTo("x".repeat(128));
		assertThat(PrintableText.of("x".repeat(129))).isEqualTo("x".repeat(128) + "...");
		assertThat(PrintableText.of("abc\uD83D\uDE00", 4)).isEqualTo("abc...");
		assertThat(PrintableText.of("abc", 0)).isEqualTo("...");
		assertThat(PrintableText.of("x".repeat(9_999), Integer.MAX_VALUE)).hasSize(9_999);
	}

}
