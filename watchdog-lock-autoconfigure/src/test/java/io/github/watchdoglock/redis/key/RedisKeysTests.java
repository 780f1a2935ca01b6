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

package io.github.watchdoglock.redis.key;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import io.github.watchdoglock.LockKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisKeys}.
 */
class RedisKeysTests {

	@Test
	void recordNamesMatchDocumentedEncoding() {
		assertThat(RedisKeys.of("watchdog-lock", LockKey.of("orders", "a:{42}%é")))
			.isEqualTo("watchdog-lock:{orders:a%3A%7B42%7D%25%C3%A9}");
		assertThat(RedisKeys.of("p", LockKey.of("orders"))).isEqualTo("p:{orders}");
		assertThat(RedisKeys.of("p", LockKey.ofRole("nightly:report"))).isEqualTo("p:{%role:nightly%3Areport}");
	}

	@Test
	void keysOfRolesDifferFromKeysOfLocks() {
		LockKey role = LockKey.ofRole("reports");
		LockKey lock = LockKey.of("%role", "reports");
		assertThat(RedisKeys.decode(RedisKeys.encode(role))).isEqualTo(role).isNotEqualTo(lock);
		assertThat(RedisKeys.decode(RedisKeys.encode(lock))).isEqualTo(lock).isNotEqualTo(role);
		assertThat(RedisKeys.encode(role)).isNotEqualTo(RedisKeys.encode(lock));
		assertThat(RedisKeys.encode(role)).isNotEqualTo(RedisKeys.encode(LockKey.of("%role:reports")));
	}

	@Test
	void randomKeysAreDecodedAndHaveUniqueNames() {
		Random random = new Random(42);
		Set<LockKey> keys = new HashSet<>();
		Set<String> names = new HashSet<>();
		for (int i = 0; i < 20_000; i++) {
			LockKey key = random.nextBoolean() ? LockKey.of("n" + text(random), "i" + text(random))
					: LockKey.of("n" + text(random));
			String name = RedisKeys.encode(key);
			assertThat(name).matches("[ -~&&[^{}]]+");
			assertThat(RedisKeys.decode(name)).isEqualTo(key);
			keys.add(key);
			names.add(name);
		}
		assertThat(names).hasSameSizeAs(keys);
	}

	private static String text(Random random) {
		List<String> alphabet = List.of("a", ":", "%", "{", "}", " ", "+", "4", "1", "\u00E9", "\u0000", "\u0001",
				"\r\n", "\u007F", "\u07FF", "\u0800", "\uFFFF", "\u2028", "\uD83D\uDD12", "?", "\u20AC");
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(5); i > 0; i--) {
			text.append(alphabet.get(random.nextInt(alphabet.size())));
		}
		return text.toString();
	}

}
