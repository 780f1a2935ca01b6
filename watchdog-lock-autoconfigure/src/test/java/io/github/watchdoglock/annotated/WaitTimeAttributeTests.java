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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The attribute {@code waitTime}.
 */
class WaitTimeAttributeTests {

	private static final LockKey KEY = LockKey.of("orders");

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class, "watchdog-lock.wait-time=100ms");

	private final Work work = application.bean(Work.class);

	@Test
	void zeroTriesOnce() {
		try (LockHandle elsewhere = application.holdElsewhere(KEY)) {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::once)
				.satisfies((ex) -> assertThat(ex.getWaited()).isZero());
			assertThat(elsewhere.isHeld()).isTrue();
		}
		assertThat(this.work.once()).isTrue();
	}

	@Test
	void silenceIsTheProperty() {
		try (LockHandle elsewhere = application.holdElsewhere(KEY)) {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::silent)
				.satisfies((ex) -> assertThat(ex.getWaited()).isGreaterThanOrEqualTo(Duration.ofMillis(100)));
			assertThat(elsewhere.isHeld()).isTrue();
		}
	}

	@Test
	void timeIsWaitedAndNoLonger() {
		try (LockHandle elsewhere = application.holdElsewhere(KEY)) {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::longer)
				.satisfies((ex) -> assertThat(ex.getWaited()).isGreaterThanOrEqualTo(Duration.ofMillis(300)));
			assertThat(elsewhere.isHeld()).isTrue();
		}
	}

	@Test
	void minusOneWaitsUntilTheLockIsFree() {
		CompletableFuture<Boolean> endless;
		try (LockHandle elsewhere = application.holdElsewhere(KEY)) {
			endless = CompletableFuture.supplyAsync(this.work::endless);
			await().until(() -> application.held()
				.stream()
				.anyMatch((lock) -> lock.status() == LockSnapshot.Status.WAITING
						&& lock.elapsed().compareTo(Duration.ofMillis(300)) > 0));
			assertThat(elsewhere.isHeld()).isTrue();
			assertThat(endless).isNotDone();
		}
		assertThat(endless.join()).isTrue();
	}

	static class Work {

		@DistributedLock("orders")
		boolean silent() {
			return true;
		}

		@DistributedLock(name = "orders", waitTime = "0s")
		boolean once() {
			return true;
		}

		@DistributedLock(name = "orders", waitTime = "300ms")
		boolean longer() {
			return true;
		}

		@DistributedLock(name = "orders", waitTime = "-1")
		boolean endless() {
			return true;
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
