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
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.ObjectProvider;
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
	static final LocalApplication application = new LocalApplication(Beans.class, "watchdog-lock.max-hold-time=300ms");

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

	@Test
	void maximumOfTheInstanceDoesNotLimitAReEntry() {
		assertThat(this.work.outer()).isEmpty();
	}

	@Test
	void maximumOfTheInstanceLimitsAMethodThatSetsNone() {
		assertThat(this.work.unlimited()).isEqualTo(LockLoss.Reason.MAX_HOLD);
	}

	static class Work {

		private final LocalLocks locks;

		private final ObjectProvider<Work> proxy;

		Work(LocalLocks locks, ObjectProvider<Work> proxy) {
			this.locks = locks;
			this.proxy = proxy;
		}

		@DistributedLock(name = "nested", maxHoldTime = "1h")
		Optional<LockLoss> outer() {
			return this.proxy.getObject().inner();
		}

		@DistributedLock(name = "nested")
		Optional<LockLoss> inner() {
			LockHandle handle = this.locks.current().get(0);
			try {
				return Optional.of(handle.whenLost().toCompletableFuture().get(1, TimeUnit.SECONDS));
			}
			catch (TimeoutException ex) {
				return Optional.empty();
			}
			catch (InterruptedException | ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@DistributedLock(name = "unlimited")
		LockLoss.Reason unlimited() {
			return this.locks.current().get(0).whenLost().toCompletableFuture().join().reason();
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
