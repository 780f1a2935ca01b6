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

package com.example.lines;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.test.AutoConfigureTestLocks;
import io.github.watchdoglock.test.TestLocks;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AutoConfigureTestLocks} without a Redis.
 */
@SpringBootTest(properties = "spring.data.redis.url=redis://localhost:1")
@AutoConfigureTestLocks
class TestSupportTests {

	@Autowired
	private Shop shop;

	@Autowired
	private TestLocks locks;

	@Test
	void testLocksReportAcquiredKeys() {
		assertThat(this.shop.buy("phone")).isEqualTo("held");
		assertThat(this.locks.acquired()).containsExactly(LockKey.of("article", "phone"));
	}

	@Test
	void methodFailsWhenTestHoldsKeyAsOtherInstance() {
		this.locks.holdElsewhere(LockKey.of("article.tried", "phone"));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.shop.tried("phone"));
	}

	@Test
	void methodFailsWhenTestLosesItsLock() {
		LockKey key = LockKey.of("article", "lost in a test");
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.shop.put("lost in a test", () -> this.locks.lose(key)));
	}

}
