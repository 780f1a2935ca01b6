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

package io.github.watchdoglock.test;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigureTestLocks} where nothing else is configured, as in a
 * slice.
 */
@SpringJUnitConfig(PlainContextTests.Shop.class)
@AutoConfigureTestLocks
class PlainContextTests {

	@Autowired
	private Shop shop;

	@Autowired
	private TestLocks locks;

	@Test
	void methodsAreLocked() {
		this.shop.buy("phone");
		assertThat(this.locks.acquired()).containsExactly(LockKey.of("flash-sale", "phone"));
	}

	static class Shop {

		@DistributedLock(name = "flash-sale", key = "#sku")
		void buy(String sku) {
		}

	}

}
