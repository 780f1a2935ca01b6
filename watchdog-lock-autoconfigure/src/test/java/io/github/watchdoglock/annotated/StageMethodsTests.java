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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for methods that return a stage: the lock is held until the stage is complete.
 */
class StageMethodsTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@RegisterExtension
	static final LockedApplication application = new LockedApplication(Work.class);

	private final LockService locks = application.bean(LockService.class);

	private final Work work = application.bean(Work.class);

	private final CompletableFuture<String> source = new CompletableFuture<>();

	@AfterEach
	void nothingIsLeft() {
		this.source.cancel(true);
		application.awaitAllFree();
	}

	@Tag("slow")
	@Test
	@SuppressWarnings("FutureReturnValueIgnored")
	void lockIsReleasedWhenUnfinishedStageIsGarbageCollected() {
		this.work.interrupting(CompletableFuture::new);
		assertThat(application.isHeld("stage")).isTrue();
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			System.gc();
			return !application.isHeld("stage");
		});
	}

	@Test
	void lockIsHeldUntilStageCompletesAndFreeWhenCallerIsNotified() throws Exception {
		CompletableFuture<String> result = this.work.future(() -> this.source);
		assertThat(application.isHeld("stage")).as("stage held before its completion").isTrue();
		assertThat(result).isNotDone();
		this.source.complete("done");
		assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
		assertThat(application.isHeld("stage")).as("stage held when the caller is notified").isFalse();
	}

	@Test
	@SuppressWarnings("FutureReturnValueIgnored")
	void stageFailsWhenCalledOnNonBlockingThread() {
		CompletableFuture<String> result = CompletableFuture
			.supplyAsync(() -> this.work.future(() -> this.source), Schedulers.parallel()::schedule)
			.thenCompose(Function.identity());
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(IllegalStateException.class);
		assertThat(application.isHeld("stage")).isFalse();
		CompletableFuture<CompletableFuture<String>> returned = CompletableFuture
			.supplyAsync(() -> this.work.future(() -> this.source), Schedulers.parallel()::schedule);
		assertThat(returned).as("the method itself throws nothing").succeedsWithin(SOON);
	}

	@Test
	void timeoutOfResultFailsSourceStageAndReleasesLock() {
		CompletableFuture<String> result = this.work.future(() -> this.source).orTimeout(50, TimeUnit.MILLISECONDS);
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
		assertThat(this.source).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
		application.awaitAllFree();
	}

	@Test
	void callingThreadCannotReenterLockAfterMethodReturns() throws Exception {
		CompletableFuture<String> result = this.work.future(() -> {
			assertThat(tryAcquire("stage")).isTrue();
			return this.source;
		});
		assertThat(tryAcquire("stage")).as("same thread acquires the lock after the method returned").isFalse();
		this.source.complete("done");
		result.get(10, TimeUnit.SECONDS);
		assertThat(tryAcquire("stage")).isTrue();
	}

	@Test
	void lossCancelsStageWithOnLossInterrupt() {
		CompletableFuture<String> result = this.work.interrupting(() -> this.source);
		this.locks.forceRelease(LockKey.of("stage"));
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		assertThatExceptionOfType(CancellationException.class).isThrownBy(this.source::join);
	}

	private boolean tryAcquire(String name) {
		Lock lock = this.locks.asLock(LockRequest.of(name));
		boolean locked = lock.tryLock();
		if (locked) {
			lock.unlock();
		}
		return locked;
	}

	static class Work {

		@DistributedLock("stage")
		<T> CompletableFuture<T> future(Supplier<@Nullable CompletableFuture<T>> source) {
			return source.get();
		}

		@DistributedLock(name = "stage", onLoss = OnLoss.INTERRUPT)
		<T> CompletableFuture<T> interrupting(Supplier<CompletableFuture<T>> source) {
			return source.get();
		}

	}

}
