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

package io.github.watchdoglock.settings;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

import io.github.watchdoglock.LockKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for ids of any length: the length of their keys is limited, and different ids
 * have different keys.
 */
class LongKeysTests {

	@Test
	void idOfUpTo256BytesIsUnchanged() {
		LockKey key = LockKey.of("orders", "x".repeat(256));
		assertThat(LongKeys.bounded(key)).isSameAs(key);
		assertThat(LongKeys.bounded(LockKey.of("orders"))).isEqualTo(LockKey.of("orders"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "ä", "語", "😀" })
	void longIdsKeepPrefixAndStayDistinctWithinBound(String character) {
		String id = character.repeat(257);
		LockKey bounded = LongKeys.bounded(LockKey.of("orders", id));
		String shortened = Objects.requireNonNull(bounded.id());
		assertThat(shortened).startsWith(character.repeat(40)).doesNotContain("\uFFFD");
		assertThat(shortened.getBytes(StandardCharsets.UTF_8).length).isBetween(257, 280);
		assertThat(LongKeys.bounded(LockKey.of("orders", id + "y"))).isNotEqualTo(bounded);
		assertThat(LongKeys.bounded(LockKey.of("orders", id))).isEqualTo(bounded);
	}

}
