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

package io.github.watchdoglock.interceptor;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LockInterceptor} and {@link FollowedStage}: methods that return a
 * stage, and hold their lock until it is complete.
 */
class StageResultTests {

	private static final LockKey KEY = LockKey.of("stage");

	private final InterceptorFixture fixture = new InterceptorFixture();

	private final FakeLockService service = this.fixture.service;

	private final Work work = this.fixture.proxy(new Work());

	private final CompletableFuture<String> source = new CompletableFuture<>();

	@Test
	void lockIsReleasedWhenStageCompletesAndBeforeCallerIsNotified() {
		CompletableFuture<Void> closing = new CompletableFuture<>();
		this.service.closing = closing;
		CompletableFuture<String> result = this.work.future(() -> this.source);
		assertThat(this.service.trail).containsExactly("lock stage", "detach stage");
		this.source.complete("done");
		assertThat(this.service.trail).containsExactly("lock stage", "detach stage", "unlock stage");
		assertThat(result).isNotDone();
		closing.complete(null);
		assertThat(result).isCompletedWithValue("done");
		assertThat(this.fixture.instrumentation.trail).containsExactly("begin stage", "end stage");
	}

	@Test
	void failedStageFailsResultAndReleasesLock() {
		IllegalStateException business = new IllegalStateException("business");
		CompletionStage<String> result = this.work.stage(() -> this.source);
		this.source.completeExceptionally(business);
		assertThat(result.toCompletableFuture()).isCompletedExceptionally()
			.failsWithin(InterceptorFixture.SOON)
			.withThrowableThat()
			.withCause(business);
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void exceptionWithoutStageIsThrownAndLockIsReleased() {
		assertThatIllegalStateException().isThrownBy(() -> this.work.future(() -> {
			throw new IllegalStateException("at once");
		})).withMessage("at once");
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void completedStageIsReturnedUnchangedAndLockIsReleased() {
		CompletableFuture<String> done = CompletableFuture.completedFuture("done");
		assertThat(this.work.future(() -> done)).isSameAs(done);
		assertThat(this.work.failing(() -> done)).isSameAs(done);
		assertThat(this.work.future(() -> null)).isNull();
		assertThat(this.service.trail).containsExactly("lock stage", "unlock stage", "lock stage", "unlock stage",
				"lock stage", "unlock stage");
	}

	@Test
	void lossFailsCompletedStageButNotFailedStageWithOnLossFail() {
		this.service.lossAtClose = LockLoss.Reason.GONE;
		CompletableFuture<String> done = CompletableFuture.completedFuture("done");
		assertLost(this.work.failing(() -> done));
		assertThat(this.work.future(() -> done)).isSameAs(done);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.work.failing(() -> null));
		CompletableFuture<String> failed = CompletableFuture.failedFuture(new IllegalStateException("business"));
		assertThat(this.work.failing(() -> failed)).isSameAs(failed);
	}

	@Test
	void cancelOfResultCancelsStageOfMethodAndReleasesLock() {
		assertThat(this.work.future(() -> this.source).cancel(true)).isTrue();
		assertThat(this.source).isCancelled();
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void completingResultExceptionallyFailsStageAndReleasesLock() {
		IllegalStateException late = new IllegalStateException("late");
		assertThat(this.work.future(() -> this.source).completeExceptionally(late)).isTrue();
		assertThat(this.source.isCancelled()).isFalse();
		assertThat(this.source).failsWithin(InterceptorFixture.SOON).withThrowableThat().withCause(late);
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void completingResultByCallerCompletesStageAndReleasesLock() {
		assertThat(this.work.future(() -> this.source).complete("by hand")).isTrue();
		assertThat(this.source).isCompletedWithValue("by hand");
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void lockOfMinimalStageIsReleasedAtCompletionOrCancel() {
		CompletableFuture<String> result = this.work.stage(this.source::minimalCompletionStage).toCompletableFuture();
		assertThat(this.service.events).containsExactly("lock");
		this.source.complete("done");
		assertThat(result).isCompletedWithValue("done");
		CompletableFuture<String> other = new CompletableFuture<>();
		this.work.stage(other::minimalCompletionStage).toCompletableFuture().cancel(true);
		assertThat(this.service.events).containsExactly("lock", "unlock", "lock", "unlock");
		assertThat(other).isNotDone();
	}

	@Test
	void lockOfStageWithoutFutureIsHeldUntilCancel() {
		CompletionStage<String> stage = onlyAStage(this.source);
		CompletableFuture<String> result = this.work.stage(() -> stage).toCompletableFuture();
		assertThat(this.service.events).containsExactly("lock");
		result.cancel(true);
		assertThat(this.source).isNotDone();
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void failedAcquisitionIsReturnedAsFailedStage() {
		this.service.busy = true;
		assertFailed(this.work.future(() -> this.source), LockNotAcquiredException.class);
		this.service.interrupted = true;
		assertFailed(this.work.future(() -> this.source), LockInterruptedException.class);
		assertThat(Thread.interrupted()).isTrue();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.work::interruptible);
		assertThat(Thread.interrupted()).isFalse();
		assertFailed(this.work.keyed(null), LockKeyException.class);
	}

	@Test
	void skippedMethodReturnsCompletedStageWithEmptyResult() {
		this.service.busy = true;
		assertThat(this.work.skippedList()).isCompletedWithValue(List.of());
		assertThat(this.work.skippedText().toCompletableFuture()).isCompletedWithValue(null);
		assertThat(this.work.fallen()).isCompletedWithValue("fallback");
		this.service.busy = false;
		assertThat(this.work.skippedList()).isCompletedWithValue(List.of("run"));
	}

	@Test
	void lossDoesNotChangeResultByDefault() {
		CompletableFuture<String> result = this.work.future(() -> this.source);
		this.service.lose(KEY);
		this.source.complete("done");
		assertThat(result).isCompletedWithValue("done");
	}

	@Test
	void lossReplacesResultOfStageWithOnLossFail() {
		CompletableFuture<String> result = this.work.failing(() -> this.source);
		this.service.lose(KEY);
		assertThat(result).isNotDone();
		this.source.complete("done");
		assertLost(result);
	}

	@Test
	void lossDoesNotReplaceTheStagesOwnException() {
		IllegalStateException business = new IllegalStateException("business");
		CompletableFuture<String> result = this.work.failing(() -> this.source);
		this.service.lose(KEY);
		this.source.completeExceptionally(business);
		assertThat(result).failsWithin(InterceptorFixture.SOON).withThrowableThat().withCause(business);
	}

	@Test
	void lossCancelsStageWithOnLossInterrupt() {
		CompletableFuture<String> result = this.work.interrupting(() -> this.source);
		this.service.lose(KEY);
		assertLost(result);
		assertThatExceptionOfType(CancellationException.class).isThrownBy(this.source::join);
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void lossAfterCompletionOfStageDoesNotChangeResult() {
		CompletableFuture<Void> closing = new CompletableFuture<>();
		this.service.closing = closing;
		CompletableFuture<String> result = this.work.interrupting(() -> this.source);
		this.source.complete("done");
		this.service.lose(KEY);
		assertThat(result).isNotDone();
		closing.complete(null);
		assertThat(result).isCompletedWithValue("done");
	}

	@Test
	void lockIsHeldUntilStageReturnedAsObjectCompletes() {
		Object result = this.work.any(this.source);
		String other = this.work.<String>generic(() -> "value");
		CompletableFuture<String> generic = this.work.generic(() -> this.source);
		assertThat(other).isEqualTo("value");
		assertThat(this.service.events).containsExactly("lock", "lock", "unlock", "lock");
		this.source.complete("done");
		assertThat(result).isInstanceOfSatisfying(CompletableFuture.class,
				(stage) -> assertThat(stage.join()).isEqualTo("done"));
		assertThat(generic).isCompletedWithValue("done");
		assertThat(this.service.events).containsExactly("lock", "lock", "unlock", "lock", "unlock", "unlock");
	}

	@Test
	void reactiveResultOrFutureReturnedAsObjectIsRejected() {
		for (Object result : List.of(Mono.just("later"), Flux.just("later"), new FutureTask<>(() -> "later"))) {
			assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> this.work.any(result))
				.withMessageContaining("Work.any(Object): it has returned a " + result.getClass().getName()
						+ " and declares Object: the lock would be released before the work is done")
				.satisfies((ex) -> assertThat(ex.getAction()).isEqualTo("Declare the type that it returns."));
		}
		assertThat(this.service.events).containsExactly("lock", "unlock", "lock", "unlock", "lock", "unlock");
	}

	/* A stage without a future, as stages of other libraries may be. */
	@SuppressWarnings("unchecked")
	private static <T> CompletionStage<T> onlyAStage(CompletableFuture<T> source) {
		return (CompletionStage<T>) Proxy.newProxyInstance(CompletionStage.class.getClassLoader(),
				new Class<?>[] { CompletionStage.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("toCompletableFuture")) {
						throw new UnsupportedOperationException();
					}
					return method.invoke(source, arguments);
				});
	}

	private static void assertLost(CompletableFuture<String> result) {
		assertFailed(result, LockLostException.class);
	}

	private static void assertFailed(CompletableFuture<String> result, Class<? extends Throwable> cause) {
		assertThat(result).failsWithin(InterceptorFixture.SOON).withThrowableThat().withCauseInstanceOf(cause);
	}

	@DistributedLock("stage")
	public static class Work {

		public CompletableFuture<String> future(Supplier<@Nullable CompletableFuture<String>> source) {
			return source.get();
		}

		public CompletionStage<String> stage(Supplier<CompletionStage<String>> source) {
			return source.get();
		}

		public Object any(Object result) {
			return result;
		}

		public <T> T generic(Supplier<T> source) {
			return source.get();
		}

		@DistributedLock(name = "stage", onLoss = OnLoss.FAIL)
		CompletableFuture<String> failing(Supplier<@Nullable CompletableFuture<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "stage", onLoss = OnLoss.INTERRUPT)
		CompletableFuture<String> interrupting(Supplier<CompletableFuture<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "stage", key = "#key")
		CompletableFuture<String> keyed(@Nullable String key) {
			return CompletableFuture.completedFuture("run");
		}

		public CompletableFuture<String> interruptible() throws InterruptedException {
			return CompletableFuture.completedFuture("run");
		}

		@DistributedLock(name = "stage", onContention = OnContention.SKIP)
		CompletableFuture<List<String>> skippedList() {
			return CompletableFuture.completedFuture(List.of("run"));
		}

		@DistributedLock(name = "stage", onContention = OnContention.SKIP)
		CompletionStage<@Nullable String> skippedText() {
			return CompletableFuture.completedFuture("run");
		}

		@DistributedLock(name = "stage", fallback = "instead")
		CompletableFuture<String> fallen() {
			return CompletableFuture.completedFuture("run");
		}

		CompletableFuture<String> instead() {
			return CompletableFuture.completedFuture("fallback");
		}

	}

}
