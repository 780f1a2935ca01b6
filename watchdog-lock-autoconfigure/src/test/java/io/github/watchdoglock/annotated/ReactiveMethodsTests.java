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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

/**
 * Tests for methods that return a {@link Mono} or a {@link Flux}: each subscription holds
 * the lock until it ends.
 */
@ExtendWith(DroppedErrors.class)
class ReactiveMethodsTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@RegisterExtension
	static final LockedApplication application = new LockedApplication(Work.class);

	private final Work work = application.bean(Work.class);

	private final Work sameElsewhere = application.beanElsewhere(Work.class);

	private final Sinks.One<String> source = Sinks.one();

	@AfterEach
	void nothingIsLeft() {
		this.source.tryEmitEmpty();
		application.awaitAllFree();
	}

	@Test
	void lockIsHeldUntilMonoCompletesAndFreeWhenSubscriberIsNotified() throws Exception {
		CompletableFuture<Boolean> heldAtTheEnd = this.work.mono(this.source::asMono)
			.map((value) -> application.isHeld("reactive"))
			.toFuture();
		await().until(() -> application.isHeld("reactive"));
		assertThat(heldAtTheEnd).isNotDone();
		this.source.tryEmitValue("done");
		assertThat(heldAtTheEnd.get(10, TimeUnit.SECONDS)).as("lock held when the subscriber is notified").isFalse();
	}

	@Test
	void eachSubscriptionAcquiresLockAndInvokesMethod() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		Mono<String> mono = this.work
			.waiting(() -> (calls.incrementAndGet() == 1) ? this.source.asMono() : Mono.just("second"));
		CompletableFuture<String> first = mono.toFuture();
		await().untilAtomic(calls, is(1));
		CompletableFuture<String> second = mono.toFuture();
		CompletableFuture<String> elsewhere = this.sameElsewhere.waiting(() -> Mono.just("elsewhere")).toFuture();
		assertThat(second).isNotDone();
		assertThat(elsewhere).isNotDone();
		this.source.tryEmitValue("first");
		assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("first");
		assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("second");
		assertThat(elsewhere.get(10, TimeUnit.SECONDS)).isEqualTo("elsewhere");
		assertThat(calls).hasValue(2);
	}

	@Test
	void cancellationAtAnyMomentLeavesAllKeysFree() {
		for (int i = 0; i < 100; i++) {
			// If the lock cannot be acquired while the subscription is cancelled, the
			// subscriber would drop the error
			Disposable subscription = this.work.mono(Mono::never)
				.onErrorComplete(LockNotAcquiredException.class)
				.subscribe();
			LockSupport.parkNanos(i * 20_000L);
			subscription.dispose();
		}
		application.awaitAllFree();
	}

	@Test
	void subscribersWaitForLockWithoutBlockingThreads() throws Exception {
		int before = Thread.activeCount();
		List<CompletableFuture<String>> waiting = new ArrayList<>();
		try (LockHandle elsewhere = application.holdElsewhere("reactive")) {
			for (int i = 0; i < 200; i++) {
				waiting.add(this.work.waiting(() -> Mono.just("done")).toFuture());
			}
			await().until(() -> application.redis().places("reactive") > 0);
			assertThat(Thread.activeCount() - before).as("additional threads while 200 subscribers wait")
				.isLessThan(12);
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
			assertThat(elsewhere.isHeld()).isTrue();
		}
		for (CompletableFuture<String> each : waiting) {
			assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo("done");
		}
	}

	@Test
	void fluxEmitsOnDemandWhileLockIsHeld() {
		List<Boolean> held = new ArrayList<>();
		AtomicInteger produced = new AtomicInteger();
		Flux<Integer> flux = this.work.flux(() -> Flux.generate((sink) -> sink.next(produced.incrementAndGet())));
		assertThat(flux.doOnNext((value) -> held.add(application.isHeld("reactive"))).take(3).collectList().block(SOON))
			.containsExactly(1, 2, 3);
		assertThat(held).containsExactly(true, true, true);
		assertThat(produced).hasValueLessThan(500);
		application.awaitAllFree();
		assertThat(this.work.flux(() -> Flux.range(1, 1000)).count().block(SOON)).isEqualTo(1000);
		assertThat(application.isHeld("reactive")).isFalse();
	}

	@Test
	void reentryThroughReactorContextSendsNoCommandToRedis() {
		this.work.mono(() -> Mono.just("warm")).block(SOON);
		long before = application.redis().scripts();
		assertThat(this.work.mono(() -> Mono.just("plain")).block(SOON)).isEqualTo("plain");
		long plain = application.redis().scripts() - before;
		Mono<String> nested = this.work
			.mono(() -> this.work.flux(() -> Flux.range(1, 10).flatMap((i) -> this.work.mono(() -> Mono.just("n" + i))))
				.collectList()
				.map((all) -> all.size() + " within"));
		assertThat(nested.block(SOON)).isEqualTo("10 within");
		assertThat(application.redis().scripts() - before).isEqualTo(2 * plain);
	}

	@Test
	void subscriptionReentersLockHeldBySubscribingThread() {
		assertThat(this.work.plain(() -> this.work.mono(() -> Mono.just("within")).block(SOON))).isEqualTo("within");
	}

	@Test
	void lossCancelsWorkWithOnLossInterrupt() {
		AtomicInteger cancelled = new AtomicInteger();
		CompletableFuture<String> result = this.work
			.interrupting(() -> this.source.asMono().doOnCancel(cancelled::incrementAndGet))
			.toFuture();
		await().until(() -> application.isHeld("reactive"));
		application.bean(LockService.class).forceRelease(LockKey.of("reactive"));
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		assertThat(cancelled).hasValue(1);
	}

	static class Work {

		@DistributedLock("reactive")
		Mono<String> mono(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock("reactive")
		<T> Flux<T> flux(Supplier<Flux<T>> source) {
			return source.get();
		}

		@DistributedLock("reactive")
		<T> T plain(Supplier<T> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", waitTime = "20s")
		Mono<String> waiting(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", onLoss = OnLoss.INTERRUPT)
		Mono<String> interrupting(Supplier<Mono<String>> source) {
			return source.get();
		}

	}

}
