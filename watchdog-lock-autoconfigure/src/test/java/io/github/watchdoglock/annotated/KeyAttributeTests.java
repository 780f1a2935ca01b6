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

package io.github.watchdoglock.annotated;

import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The attribute {@code key}.
 */
class KeyAttributeTests {

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class);

	private final Work work = application.bean(Work.class);

	@Test
	void eachKeyIsALockOfItsOwn() {
		try (var elsewhere = application.holdElsewhere(LockKey.of("orders", "42"))) {
			assertThat(elsewhere.isHeld()).isTrue();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.work.one("42"));
			assertThat(this.work.one("43")).contains(LockKey.of("orders", "43"));
		}
		assertThat(this.work.one("42")).containsExactly(LockKey.of("orders", "42"));
	}

	@Test
	void eachElementIsALockAndAllAreTakenOrNone() {
		assertThat(this.work.several(List.of("2", "1"))).containsExactlyInAnyOrder(LockKey.of("orders", "1"),
				LockKey.of("orders", "2"));
		try (var elsewhere = application.holdElsewhere(LockKey.of("orders", "2"))) {
			assertThat(elsewhere.isHeld()).isTrue();
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.work.several(List.of("1", "2")));
			assertThat(application.isTaken(LockKey.of("orders", "1"))).isFalse();
		}
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " " })
	void keyThatAllWouldShareIsAnErrorAndTheMethodDoesNotRun(String id) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.work.one(id))
			.withMessageContaining("'#id'")
			.withMessageContaining("Work.one(String)");
	}

	static class Work {

		@DistributedLock(name = "orders", key = "#id")
		List<LockKey> one(String id) {
			return keys();
		}

		@DistributedLock(name = "orders", key = "#ids")
		List<LockKey> several(List<String> ids) {
			return keys();
		}

		private List<LockKey> keys() {
			return application.held().stream().map((lock) -> lock.key()).toList();
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
