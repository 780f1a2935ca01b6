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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for methods whose work is done when they return or throw.
 */
class PlainMethodsTests {

	@RegisterExtension
	static final LockedApplication application = new LockedApplication(Beans.class);

	private final Work work = application.bean(Work.class);

	@AfterEach
	void nothingIsLeft() {
		application.awaitAllFree();
	}

	@Test
	void interruptSetByMethodIsPreservedAndLockIsReleased() {
		assertThat(this.work.run(() -> {
			Thread.currentThread().interrupt();
			return "done";
		})).isEqualTo("done");
		assertThat(Thread.interrupted()).as("interrupt of the method is preserved").isTrue();
		assertThat(application.isHeld("plain")).as("lock held after an interrupted method").isFalse();
	}

	@Test
	void interruptedThreadFailsCallWithoutAcquiringLock() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.work.run(() -> "run"));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(application.isHeld("plain")).isFalse();
	}

	@Test
	void interruptEndsWaitWithoutAffectingHolder() {
		interruptedWhileWaiting(() -> this.work.run(() -> "run"));
	}

	@Test
	void interruptEndsWaitForLockOfStageWithoutAffectingHolder() {
		interruptedWhileWaiting(() -> this.work.stage().join());
	}

	private void interruptedWhileWaiting(Supplier<String> call) {
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		AtomicBoolean flag = new AtomicBoolean();
		try (LockHandle elsewhere = application.holdElsewhere("plain")) {
			Thread caller = new Thread(() -> {
				try {
					var unused = call.get();
				}
				catch (RuntimeException ex) {
					failure.set((ex.getCause() instanceof LockInterruptedException cause) ? cause : ex);
				}
				flag.set(Thread.interrupted());
			});
			caller.start();
			await().until(() -> application.bean(LocalLocks.class)
				.list()
				.stream()
				.anyMatch((lock) -> lock.status() == LockSnapshot.Status.WAITING));
			caller.interrupt();
			await().until(() -> !caller.isAlive());
			assertThat(failure.get()).isInstanceOf(LockInterruptedException.class);
			assertThat(flag).isTrue();
			assertThat(elsewhere.isHeld()).isTrue();
		}
		assertThat(this.work.run(() -> "next")).isEqualTo("next");
	}

	static class Work {

		@DistributedLock(name = "plain", waitTime = "-1")
		String run(Supplier<String> work) {
			return work.get();
		}

		@DistributedLock(name = "plain", waitTime = "-1")
		CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("run");
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
