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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for methods of each kind: they run under their lock, which is free in Redis
 * afterwards.
 */
@ShopTest
class AnnotatedMethodsTests {

	private static final LockKey KEY = LockKey.of("article", "phone");

	@Autowired
	private Shop shop;

	@Autowired
	private Holds holds;

	@Autowired
	private LockService locks;

	@AfterEach
	void lockIsFree() {
		assertThat(this.holds.describe(KEY)).isEqualTo("free");
		assertThat(this.locks.find(KEY)).isEmpty();
	}

	@Test
	void methodWithValueRunsUnderLock() {
		assertThat(this.shop.buy("phone")).isEqualTo("held");
	}

	@Test
	void skippedMethodReturnsEmptyWhenKeyIsHeld() throws Exception {
		try (LockHandle elsewhere = this.locks.acquire(LockRequest.of(KEY)).detach()) {
			assertThat(this.shop.find("phone")).isEmpty();
			assertThat(elsewhere.isHeld()).isTrue();
		}
		assertThat(this.shop.find("phone")).contains("held");
	}

	@Test
	void futureHoldsLockUntilCompletion() {
		CompletableFuture<String> ready = new CompletableFuture<>();
		CompletableFuture<String> order = this.shop.order("phone", ready);
		assertThat(this.locks.find(KEY)).as("lock is held while the future is incomplete").isPresent();
		ready.complete("now");
		assertThat(order.join()).isEqualTo("held");
	}

	@Test
	void monoHoldsLockDuringSubscription() {
		assertThat(this.shop.mono("phone").block()).isEqualTo("held");
	}

	@Test
	void fluxHoldsLockDuringSubscription() {
		assertThat(this.shop.flux("phone").collectList().block()).containsExactly("held", "held");
	}

	@Test
	void exceptionReportsWaitTimeWhenKeyIsHeld() throws Exception {
		try (LockHandle elsewhere = this.locks.acquire(LockRequest.of("article.tried", "phone")).detach()) {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.shop.tried("phone"))
				.satisfies((ex) -> assertThat(ex.getWaited()).isBetween(Duration.ofMillis(50), Duration.ofSeconds(9)));
			assertThat(elsewhere.isHeld()).isTrue();
		}
	}

}
