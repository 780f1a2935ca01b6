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

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The attributes {@code minHoldTime} and {@code maxHoldTime}.
 */
class HoldTimeAttributesTests {

	private static final LockKey KEY = LockKey.of("quick");

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class);

	private final Work work = application.bean(Work.class);

	@Test
	void quickMethodLeavesItsLockTakenForTheRest() {
		long begun = System.nanoTime();
		this.work.quick();
		assertThat(application.held()).isEmpty();
		assertThat(application.isTaken(KEY)).isTrue();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::quick);
		await().until(() -> !application.isTaken(KEY));
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(1900));
	}

	@Test
	void methodThatTakesTooLongLosesItsLock() {
		assertThat(this.work.stuck()).isEqualTo(LockLoss.Reason.MAX_HOLD);
	}

	static class Work {

		private final LocalLocks locks;

		Work(LocalLocks locks) {
			this.locks = locks;
		}

		@DistributedLock(name = "quick", minHoldTime = "2s")
		void quick() {
		}

		@DistributedLock(name = "stuck", maxHoldTime = "200ms")
		LockLoss.Reason stuck() {
			return this.locks.current().get(0).whenLost().toCompletableFuture().join().reason();
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
