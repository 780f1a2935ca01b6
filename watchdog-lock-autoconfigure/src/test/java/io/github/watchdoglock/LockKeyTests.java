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

package io.github.watchdoglock;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the identity of a lock, and for ids that consist of parts.
 */
class LockKeyTests {

	@Test
	void partsAreEncodedAndJoinedByColons() {
		assertThat(LockKey.of("orders", "acme", 42L)).isEqualTo(LockKey.of("orders", "acme:42"));
		assertThat(LockKey.of("orders", "a:b", "100%", "c")).isEqualTo(LockKey.of("orders", "a%3Ab:100%25:c"));
		UUID uuid = UUID.randomUUID();
		assertThat(LockKey.idOf(uuid)).isEqualTo(uuid.toString());
	}

	@Test
	void differentPartsAreDifferentKeys() {
		String[] texts = { "a", "b", ":", "%", "a:", ":a", "%3A", "%25", "a:b", "a%3Ab", "%:", ":%", "3A" };
		Map<String, List<String>> seen = new HashMap<>();
		for (String first : texts) {
			for (String second : texts) {
				assertThat(seen.put(LockKey.idOf(first, second), List.of(first, second))).isNull();
				for (String third : texts) {
					assertThat(seen.put(LockKey.idOf(first, second, third), List.of(first, second, third))).isNull();
				}
			}
		}
	}

	@Test
	void nameHasAtMost255Characters() {
		assertThat(LockKey.of("n".repeat(255), "42").name()).hasSize(255);
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("n".repeat(256), "42"))
			.withMessage("'name' of a lock may have at most 255 characters, and has 256. Use a shorter name,"
					+ " and an 'id' for the part that differs between calls");
	}

	@Test
	void keyOfRoleDiffersFromKeyOfLock() {
		LockKey role = LockKey.ofRole("reports");
		LockKey lock = LockKey.of("%role", "reports");
		assertThat(role).isEqualTo(LockKey.ofRole("reports")).isNotEqualTo(lock).isNotEqualTo(LockKey.ofRole("r"));
		assertThat(role.compareTo(lock)).isPositive().isEqualTo(-lock.compareTo(role));
		assertThat(role.shownBy((id) -> "hidden")).hasToString("%role:reports").matches(LockKey::isRole);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", " ", "012345678901234567890123456789012345678901234567890123456789012345678901234567890" })
	void blankOrTooLongRoleNameIsRejected(String role) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.ofRole(role))
			.withMessageContaining("80 characters");
	}

	@Test
	void idWithoutFurtherPartsIsNotEncoded() {
		assertThat(LockKey.of("orders", "a:b%").id()).isEqualTo("a:b%");
		assertThat(LockKey.of("orders", null).id()).isNull();
	}

	@Test
	void optionalPartUsesItsValueAndRejectsEmpty() {
		assertThat(LockKey.of("orders", Optional.of("acme"), 42).id()).isEqualTo("acme:42");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("orders", Optional.empty(), 42));
	}

	@Test
	void shownKeyHidesIdAndEqualsOriginal() {
		LockKey key = LockKey.of("orders", "secret");
		LockKey hidden = key.shownBy((id) -> "<" + id.length() + ">\n");
		assertThat(hidden).isEqualTo(key).hasSameHashCodeAs(key).hasToString("orders:<6>?");
		assertThat(hidden.id()).isEqualTo("secret");
		assertThat(hidden.printableId()).isEqualTo("<6>?");
		assertThat(hidden.shownBy(null)).hasToString("orders:secret");
		assertThat(key.shownBy(null)).isSameAs(key);
		assertThat(LockKey.of("orders").shownBy((id) -> "?")).hasToString("orders");
		assertThat(key).isNotEqualTo(LockKey.of("orders", "public")).isNotEqualTo(LockKey.of("orders"));
	}

	@Test
	@SuppressWarnings("NullAway")
	void partOfKeyThatIsNullIsRejected() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("orders", "acme", null))
			.withMessage("Part 2 of a key is null: all such callers would share one lock");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\uD800", "\uDC00", "\uDC00\uD800", "x\uD800", "\uD83Dx" })
	void unpairedSurrogateInKeyIsRejected(String text) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("n" + text))
			.withMessageContaining("unpaired surrogate");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("orders", text));
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.ofRole(text));
		assertThat(LockKey.of("n\uD83D\uDD12").name()).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t\n" })
	void partOfKeyThatIsBlankIsRejected(String blank) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("orders", "acme", "a", blank))
			.withMessage("Part 3 of a key is blank: all such callers would share one lock");
	}

	@Test
	void objectOrCollectionAsPartIsRejected() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("orders", new Object(), "a"))
			.withMessageStartingWith("Part 1 of a key is a java.lang.Object, which does not override toString()");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("orders", "a", List.of("b")))
			.withMessageStartingWith("Part 2 of a key is a collection or an array");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of("orders", "a", new byte[] { 1 }))
			.withMessageStartingWith("Part 2 of a key is a collection or an array");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.idOf())
			.withMessage("A key of parts needs at least one part: without parts, all callers would share one lock");
	}

}
