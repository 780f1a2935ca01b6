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
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Methods that return a stage, and have their lock until it is complete.
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

	@Test
	@SuppressWarnings("FutureReturnValueIgnored")
	void aLockIsFreeWhenAnUnfinishedStageThatALossWouldEndIsDropped() {
		this.work.interrupting(CompletableFuture::new);
		assertThat(application.isHeld("stage")).isTrue();
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			System.gc();
			return !application.isHeld("stage");
		});
	}

	@Test
	void lockIsHeldUntilTheStageIsCompleteAndFreeWhenTheCallerHearsOfIt() throws Exception {
		CompletableFuture<String> result = this.work.future(() -> this.source);
		assertThat(application.isHeld("stage")).isTrue();
		assertThat(result).isNotDone();
		this.source.complete("done");
		assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
		assertThat(application.isHeld("stage")).isFalse();
	}

	@Test
	void exceptionOfTheStagePassesAndTheLockIsFree() {
		IllegalStateException business = new IllegalStateException("business");
		CompletionStage<String> result = this.work.stage(() -> this.source);
		this.source.completeExceptionally(business);
		assertThat(result.toCompletableFuture()).failsWithin(SOON).withThrowableThat().withCause(business);
		assertThat(application.isHeld("stage")).isFalse();
	}

	@Test
	void exceptionBeforeThereIsAStageIsThrownAndTheLockIsFree() {
		assertThatIllegalStateException().isThrownBy(() -> this.work.future(() -> {
			throw new IllegalStateException("at once");
		})).withMessage("at once");
		assertThat(application.isHeld("stage")).isFalse();
	}

	@Test
	void lockOfAStageThatIsCompleteAlreadyIsFreeAtOnce() {
		CompletableFuture<String> done = CompletableFuture.completedFuture("done");
		assertThat(this.work.future(() -> done)).isSameAs(done);
		assertThat(application.isHeld("stage")).isFalse();
		CompletableFuture<String> failed = CompletableFuture.failedFuture(new IllegalStateException("business"));
		assertThat(this.work.failing(() -> failed)).isSameAs(failed);
		assertThat(this.work.future(() -> null)).isNull();
		assertThat(application.isHeld("stage")).isFalse();
	}

	@Test
	void cancellingEndsTheMethodsStageAndItsLock() {
		CompletableFuture<String> result = this.work.future(() -> this.source);
		assertThat(result.cancel(true)).isTrue();
		assertThat(this.source).isCancelled();
		application.awaitAllFree();
	}

	@Test
	void timeOutEndsTheMethodsStageAndItsLock() {
		CompletableFuture<String> result = this.work.future(() -> this.source).orTimeout(50, TimeUnit.MILLISECONDS);
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
		assertThat(this.source).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
		application.awaitAllFree();
	}

	@Test
	void completingByHandEndsTheMethodsStageAndItsLock() {
		assertThat(this.work.future(() -> this.source).complete("by hand")).isTrue();
		assertThat(this.source).isCompletedWithValue("by hand");
		application.awaitAllFree();
	}

	@Test
	void stageThatOnlyItsMakerCompletesIsFollowed() throws Exception {
		CompletableFuture<String> result = this.work.stage(this.source::minimalCompletionStage).toCompletableFuture();
		assertThat(application.isHeld("stage")).isTrue();
		this.source.complete("done");
		assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
		CompletableFuture<String> other = new CompletableFuture<>();
		this.work.stage(other::minimalCompletionStage).toCompletableFuture().cancel(true);
		application.awaitAllFree();
		assertThat(other).isNotDone();
	}

	@Test
	void lockBelongsToNoThreadOnceTheMethodHasReturned() throws Exception {
		CompletableFuture<String> result = this.work.future(() -> {
			assertThat(tryAcquire("stage")).isTrue();
			return this.source;
		});
		assertThat(tryAcquire("stage")).isFalse();
		this.source.complete("done");
		result.get(10, TimeUnit.SECONDS);
		assertThat(tryAcquire("stage")).isTrue();
	}

	@Test
	void failingToGetTheLockIsAFailedStage() {
		try (LockHandle elsewhere = application.holdElsewhere("stage")) {
			assertThat(this.work.future(() -> this.source)).failsWithin(SOON)
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class);
			Thread.currentThread().interrupt();
			assertThat(this.work.future(() -> this.source)).isCompletedExceptionally();
			assertThat(Thread.interrupted()).isTrue();
			assertThat(elsewhere.isHeld()).isTrue();
		}
		assertThat(this.work.keyed(null)).failsWithin(SOON)
			.withThrowableThat()
			.withCauseInstanceOf(LockKeyException.class);
		assertThat(this.work.runs()).isZero();
	}

	@Test
	void interruptIsAFailedStageAndTheFlagIsSet() {
		Thread.currentThread().interrupt();
		CompletableFuture<String> result = this.work.future(() -> this.source);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockInterruptedException.class);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.work::interruptible);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void skippedMethodReturnsAStageThatIsCompleteWithWhatIsEmpty() throws Exception {
		try (LockHandle elsewhere = application.holdElsewhere("stage")) {
			assertThat(this.work.skippedList().get()).isEmpty();
			assertThat(this.work.skippedText().toCompletableFuture().get()).isNull();
			assertThat(this.work.fallen().get()).isEqualTo("fallback");
			assertThat(elsewhere.isHeld()).isTrue();
		}
	}

	@Test
	void lossIsReportedOnlyUnlessTheMethodSaysOtherwise() throws Exception {
		CompletableFuture<String> result = this.work.future(() -> this.source);
		this.locks.forceRelease(LockKey.of("stage"));
		this.source.complete("done");
		assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
	}

	@Test
	void lossFailsTheStageInPlaceOfItsResult() {
		CompletableFuture<String> result = this.work.failing(() -> this.source);
		this.locks.forceRelease(LockKey.of("stage"));
		this.source.complete("done");
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
	}

	@Test
	void lossDoesNotReplaceTheStagesOwnException() {
		IllegalStateException business = new IllegalStateException("business");
		CompletableFuture<String> result = this.work.failing(() -> this.source);
		this.locks.forceRelease(LockKey.of("stage"));
		this.source.completeExceptionally(business);
		assertThat(result).failsWithin(SOON).withThrowableThat().withCause(business);
	}

	@Test
	void lossCancelsTheStageWhereTheMethodSaysSo() {
		CompletableFuture<String> result = this.work.interrupting(() -> this.source);
		this.locks.forceRelease(LockKey.of("stage"));
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		assertThatExceptionOfType(CancellationException.class).isThrownBy(this.source::join);
	}

	private boolean tryAcquire(String name) {
		try {
			return this.locks.tryAcquire(LockRequest.of(name).withWaitTime(Duration.ZERO))
				.map((handle) -> closed(handle))
				.orElse(false);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean closed(LockHandle handle) {
		handle.close();
		return true;
	}

	static class Work {

		private int runs;

		int runs() {
			return this.runs;
		}

		@DistributedLock("stage")
		<T> CompletableFuture<T> future(Supplier<@Nullable CompletableFuture<T>> source) {
			return source.get();
		}

		@DistributedLock("stage")
		<T> CompletionStage<T> stage(Supplier<CompletionStage<T>> source) {
			return source.get();
		}

		@DistributedLock(name = "stage", onLoss = OnLoss.FAIL)
		<T> CompletableFuture<T> failing(Supplier<CompletableFuture<T>> source) {
			return source.get();
		}

		@DistributedLock(name = "stage", onLoss = OnLoss.INTERRUPT)
		<T> CompletableFuture<T> interrupting(Supplier<CompletableFuture<T>> source) {
			return source.get();
		}

		@DistributedLock(name = "stage", key = "#key")
		CompletableFuture<String> keyed(@Nullable String key) {
			this.runs++;
			return CompletableFuture.completedFuture("run");
		}

		@DistributedLock("stage")
		CompletableFuture<String> interruptible() throws InterruptedException {
			this.runs++;
			return CompletableFuture.completedFuture("run");
		}

		@DistributedLock(name = "stage", onContention = OnContention.SKIP)
		CompletableFuture<List<String>> skippedList() {
			this.runs++;
			return CompletableFuture.completedFuture(List.of("run"));
		}

		@DistributedLock(name = "stage", onContention = OnContention.SKIP)
		CompletionStage<String> skippedText() {
			this.runs++;
			return CompletableFuture.completedFuture("run");
		}

		@DistributedLock(name = "stage", fallback = "instead")
		CompletableFuture<String> fallen() {
			this.runs++;
			return CompletableFuture.completedFuture("run");
		}

		CompletableFuture<String> instead() {
			return CompletableFuture.completedFuture("fallback");
		}

	}

}
