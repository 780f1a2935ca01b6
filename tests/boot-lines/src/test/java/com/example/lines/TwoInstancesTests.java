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
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for two instances of the application with one Redis.
 */
@ShopTest
class TwoInstancesTests {

	private static final LockRequest REQUEST = LockRequest.of("shared");

	@Autowired
	private LockService locks;

	@Test
	void releaseNotifiesWaiterOfOtherInstance() throws Exception {
		try (ConfigurableApplicationContext other = ShopInstance.start("watchdog-lock.poll-interval=5s",
				"watchdog-lock.lease-time=60s")) {
			LockHandle first = this.locks.acquire(REQUEST);
			CompletableFuture<LockHandle> waiting = other.getBean(LockService.class).acquireAsync(REQUEST);
			await().until(() -> this.locks.find(REQUEST.key()).orElseThrow().waiting() == 1);
			assertThat(waiting).isNotDone();
			first.close();
			try (LockHandle second = waiting.orTimeout(3, TimeUnit.SECONDS).join()) {
				assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
			}
		}
	}

	@Test
	void renewalKeepsLockBeyondItsLease() throws Exception {
		try (LockHandle handle = this.locks.acquire(LockRequest.of("renewed"))) {
			await().pollDelay(Duration.ofSeconds(4)).until(handle::isHeld);
			assertThat(this.locks.find(handle.key())).isPresent();
		}
	}

}
