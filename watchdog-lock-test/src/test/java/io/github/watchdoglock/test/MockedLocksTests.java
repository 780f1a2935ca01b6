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

import java.util.Optional;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link AutoConfigureTestLocks} together with mocks and spies of the service
 * and the view of locks.
 */
@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
class MockedLocksTests {

	private static final LockKey PHONE = LockKey.of("flash-sale", "phone");

	@Nested
	class Mocked extends Shopping {

		@MockitoBean
		private LockService service;

		@MockitoBean
		private LocalLocks local;

		@Test
		void annotatedMethodAcquiresLockFromMockedService() throws InterruptedException {
			LockHandle handle = mock(LockHandle.class);
			given(handle.key()).willReturn(PHONE);
			given(this.service.acquire(any())).willReturn(handle);
			this.locks.holdElsewhere(PHONE);
			assertThat(this.shop.buy("phone")).isEqualTo("bought");
			then(handle).should().close();
			assertThat(this.locks.acquired()).isEmpty();
			assertThat(this.local.current()).isEmpty();
		}

		@Test
		void otherInstanceHoldsAndLosesLockDespiteMockedService() {
			LockHandle elsewhere = this.locks.holdElsewhere(PHONE);
			assertThat(this.locks.isTaken(PHONE)).isTrue();
			this.locks.lose(PHONE);
			assertThat(elsewhere.isHeld()).isFalse();
		}

	}

	@Nested
	class SpiedOn extends Shopping {

		@MockitoSpyBean
		private LockService service;

		@MockitoSpyBean
		private LocalLocks local;

		@Test
		void annotatedMethodAcquiresLockThroughSpiedService() throws InterruptedException {
			assertThat(this.shop.buy("phone")).isEqualTo("bought");
			assertThat(this.locks.acquired()).containsExactly(PHONE);
			assertThat(this.local.current(PHONE)).isEqualTo(Optional.empty());
			then(this.service).should().acquire(any());
			then(this.local).should().current(PHONE);
		}

		@Test
		void annotatedMethodFailsWhileOtherInstanceHoldsLock() throws InterruptedException {
			this.locks.holdElsewhere(PHONE);
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.shop.buy("phone"));
			then(this.service).should().acquire(any());
			then(this.service).should(never()).tryAcquire(any());
		}

	}

	@SpringJUnitConfig(Shop.class)
	@AutoConfigureTestLocks
	@TestPropertySource(properties = "watchdog-lock.wait-time=0s")
	abstract static class Shopping {

		@Autowired
		Shop shop;

		@Autowired
		TestLocks locks;

	}

	static class Shop {

		@DistributedLock(name = "flash-sale", key = "#sku")
		String buy(String sku) {
			return "bought";
		}

	}

}
