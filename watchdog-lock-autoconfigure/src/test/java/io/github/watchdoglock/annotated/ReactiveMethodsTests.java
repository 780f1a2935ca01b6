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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

/**
 * Methods that return a {@link Mono} or a {@link Flux}, and have their lock from each
 * subscription to its end.
 */
@ExtendWith(DroppedErrors.class)
class ReactiveMethodsTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@RegisterExtension
	static final LockedApplication application = new LockedApplication(Work.class);

	private final LockService locks = application.bean(LockService.class);

	private final Work work = application.bean(Work.class);

	private final Work sameElsewhere = application.beanElsewhere(Work.class);

	private final Sinks.One<String> source = Sinks.one();

	private final List<String> received = new CopyOnWriteArrayList<>();

	@AfterEach
	void nothingIsLeft() {
		this.source.tryEmitEmpty();
		application.awaitAllFree();
	}

	@Test
	void nothingHappensBeforeTheSubscription() {
		AtomicInteger calls = new AtomicInteger();
		Mono<String> mono = this.work.mono(() -> {
			calls.incrementAndGet();
			return Mono.just("done");
		});
		assertThat(calls).hasValue(0);
		assertThat(application.isHeld("reactive")).isFalse();
		assertThat(mono.block(SOON)).isEqualTo("done");
		assertThat(calls).hasValue(1);
	}

	@Test
	void lockIsHeldUntilTheMonoIsCompleteAndFreeWhenTheSubscriberHearsOfIt() throws Exception {
		CompletableFuture<Boolean> heldAtTheEnd = this.work.mono(this.source::asMono)
			.map((value) -> application.isHeld("reactive"))
			.toFuture();
		await().until(() -> application.isHeld("reactive"));
		assertThat(heldAtTheEnd).isNotDone();
		this.source.tryEmitValue("done");
		assertThat(heldAtTheEnd.get(10, TimeUnit.SECONDS)).isFalse();
	}

	@Test
	void eachSubscriptionHasItsOwnLockAndCallsTheMethodAnew() throws Exception {
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
	void lockOfAFixedLeaseIsRenewedWhereWhatIsWithinAsksForThat() throws Exception {
		CompletableFuture<String> result = this.work.brief(() -> this.work.mono(this.source::asMono)).toFuture();
		await().atMost(SOON)
			.until(() -> application.bean(LocalLocks.class).list().stream().anyMatch((lock) -> lock.lease().renewed()));
		this.source.tryEmitValue("done");
		assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("done");
	}

	@Test
	void retryTakesTheLockAnew() {
		List<Boolean> held = new ArrayList<>();
		Mono<String> mono = this.work.mono(() -> {
			held.add(application.isHeld("reactive"));
			return (held.size() < 3) ? Mono.error(new IllegalStateException("again")) : Mono.just("done");
		});
		assertThat(mono.retry(2).block(SOON)).isEqualTo("done");
		assertThat(held).containsExactly(true, true, true);
	}

	@Test
	void errorsPassAndTheLockIsFree() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.work.mono(() -> Mono.error(new IllegalStateException("business"))).block(SOON))
			.withMessage("business");
		assertThat(application.isHeld("reactive")).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> this.work.flux(() -> {
			throw new IllegalStateException("at once");
		}).blockLast(SOON)).withMessage("at once");
		assertThat(application.isHeld("reactive")).isFalse();
		assertThat(this.work.mono(Mono::empty).block(SOON)).isNull();
		assertThat(this.work.mono(() -> null).block(SOON)).isNull();
		assertThat(application.isHeld("reactive")).isFalse();
	}

	@Test
	void cancellingEndsTheWorkAndItsLock() {
		AtomicInteger cancelled = new AtomicInteger();
		Disposable subscription = this.work.mono(() -> Mono.<String>never().doOnCancel(cancelled::incrementAndGet))
			.subscribe();
		await().until(() -> application.isHeld("reactive"));
		subscription.dispose();
		await().untilAtomic(cancelled, is(1));
		application.awaitAllFree();
	}

	@Test
	void cancellingWhileWaitingEndsTheAttempt() {
		AtomicInteger calls = new AtomicInteger();
		try (LockHandle elsewhere = application.holdElsewhere("reactive")) {
			Disposable subscription = this.work.waiting(() -> {
				calls.incrementAndGet();
				return Mono.just("done");
			}).subscribe();
			await().until(() -> application.redis().places("reactive") > 0);
			subscription.dispose();
			await().until(() -> application.redis().places("reactive") == 0);
			assertThat(elsewhere.isHeld()).isTrue();
		}
		application.awaitAllFree();
		assertThat(calls).hasValue(0);
	}

	@Test
	void subscriptionsThatAreCancelledAtAnyMomentLeaveNothingBehind() {
		for (int i = 0; i < 100; i++) {
			// A refusal that crosses the cancel would be dropped by the subscriber
			Disposable subscription = this.work.mono(Mono::never)
				.onErrorComplete(LockNotAcquiredException.class)
				.subscribe();
			LockSupport.parkNanos(i * 20_000L);
			subscription.dispose();
		}
		application.awaitAllFree();
	}

	@Test
	void noThreadWaits() throws Exception {
		int before = Thread.activeCount();
		List<CompletableFuture<String>> waiting = new ArrayList<>();
		try (LockHandle elsewhere = application.holdElsewhere("reactive")) {
			for (int i = 0; i < 200; i++) {
				waiting.add(this.work.waiting(() -> Mono.just("done")).toFuture());
			}
			await().until(() -> application.redis().places("reactive") > 0);
			assertThat(Thread.activeCount() - before).isLessThan(12);
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
			assertThat(elsewhere.isHeld()).isTrue();
		}
		for (CompletableFuture<String> each : waiting) {
			assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo("done");
		}
	}

	@Test
	void elementsPassAsTheyAreAskedForWhileTheLockIsHeld() {
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
	void workReentersItsLockThroughTheContextWithoutAskingRedis() {
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
	void lockEndsWithTheLastOfItsUsers() {
		Sinks.One<String> inner = Sinks.one();
		Mono<String> nested = this.work
			.mono(() -> Mono.firstWithSignal(this.work.mono(inner::asMono), this.source.asMono()));
		CompletableFuture<String> result = nested.toFuture();
		await().until(() -> application.isHeld("reactive"));
		inner.tryEmitValue("inner");
		assertThat(result).succeedsWithin(SOON).isEqualTo("inner");
		assertThat(application.isHeld("reactive")).isFalse();
	}

	@Test
	void otherContextsDoNotReenter() {
		Mono<String> nested = this.work
			.mono(() -> Mono.fromFuture(() -> this.work.mono(() -> Mono.just("no context")).toFuture()));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> nested.block(SOON));
		Mono<String> elsewhere = this.work.mono(() -> this.sameElsewhere.mono(() -> Mono.just("another instance")));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> elsewhere.block(SOON));
	}

	@Test
	void threadThatHoldsTheLockReentersWithWhatItSubscribesTo() {
		assertThat(this.work.plain(() -> this.work.mono(() -> Mono.just("within")).block(SOON))).isEqualTo("within");
	}

	@Test
	void reentryIntoALostLockFails() {
		Mono<String> nested = this.work.mono(() -> {
			this.locks.forceRelease(LockKey.of("reactive"));
			return this.work.mono(() -> Mono.just("within")).delaySubscription(Duration.ofMillis(100));
		});
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> nested.block(SOON));
	}

	@Test
	void failingToGetTheLockIsAnErrorSignal() {
		try (LockHandle elsewhere = application.holdElsewhere("reactive")) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.work.mono(() -> Mono.just("run")).block(SOON));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.work.flux(() -> Flux.just("run")).blockLast(SOON));
			assertThat(elsewhere.isHeld()).isTrue();
		}
		Mono<String> keyless = this.work.keyed(null);
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> keyless.block(SOON));
	}

	@Test
	void skippedMethodIsEmptyAndFallbackIsSubscribedTo() {
		try (LockHandle elsewhere = application.holdElsewhere("reactive")) {
			assertThat(this.work.skippedMono().block(SOON)).isNull();
			assertThat(this.work.skippedFlux().collectList().block(SOON)).isEmpty();
			assertThat(this.work.fallen().block(SOON)).isEqualTo("fallback");
			assertThat(elsewhere.isHeld()).isTrue();
		}
		assertThat(this.work.skippedMono().block(SOON)).isEqualTo("run");
		assertThat(this.work.fallen().block(SOON)).isEqualTo("run");
	}

	@Test
	void severalLocksAreAllHeldOrNone() {
		assertThat(this.work.several(List.of("b", "a")).block(SOON)).containsExactly("account:a", "account:b",
				"several");
		try (LockHandle elsewhere = application.holdElsewhere("several")) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.work.several(List.of("b", "a")).block(SOON))
				.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(LockKey.of("several")));
			assertThat(elsewhere.isHeld()).isTrue();
		}
		assertThat(this.work.twice().block(SOON)).isEqualTo("run");
	}

	@Test
	void lossIsReportedOnlyUnlessTheMethodSaysOtherwise() {
		CompletableFuture<String> result = this.work.mono(this.source::asMono).toFuture();
		loseTheLock();
		this.source.tryEmitValue("done");
		assertThat(result).succeedsWithin(SOON).isEqualTo("done");
	}

	@Test
	void lossFailsTheWorkInPlaceOfItsNextSignal() {
		CompletableFuture<String> result = this.work.failing(this.source::asMono).toFuture();
		loseTheLock();
		this.source.tryEmitValue("done");
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		Sinks.Many<String> elements = Sinks.many().unicast().onBackpressureBuffer();
		CompletableFuture<List<String>> many = this.work.failingFlux(elements::asFlux)
			.doOnNext(this.received::add)
			.collectList()
			.toFuture();
		elements.tryEmitNext("before");
		await().until(() -> !this.received.isEmpty());
		loseTheLock();
		assertThat(many).isNotDone();
		elements.tryEmitNext("after");
		assertThat(many).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		assertThat(this.received).containsExactly("before");
	}

	@Test
	void lossOfAnEmptyMonoFailsItToo() {
		CompletableFuture<String> result = this.work.failing(this.source::asMono).toFuture();
		loseTheLock();
		this.source.tryEmitEmpty();
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
	}

	@Test
	void lossDoesNotReplaceAnErrorOfTheWork() {
		IllegalStateException business = new IllegalStateException("business");
		CompletableFuture<String> result = this.work.failing(this.source::asMono).toFuture();
		loseTheLock();
		this.source.tryEmitError(business);
		assertThat(result).failsWithin(SOON).withThrowableThat().withCause(business);
	}

	@Test
	void lossCancelsTheWorkWhereTheMethodSaysSo() {
		AtomicInteger cancelled = new AtomicInteger();
		CompletableFuture<String> result = this.work
			.interrupting(() -> this.source.asMono().doOnCancel(cancelled::incrementAndGet))
			.toFuture();
		loseTheLock();
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void whatALossHasCutIsNoResultThoughTheWorkEndsAtThatMoment() {
		CompletableFuture<String> result = this.work
			.interrupting(() -> Mono.from((subscriber) -> subscriber.onSubscribe(new Subscription() {

				@Override
				public void request(long n) {
				}

				@Override
				public void cancel() {
					subscriber.onComplete();
				}

			})))
			.toFuture();
		loseTheLock();
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
	}

	private void loseTheLock() {
		await().until(() -> application.isHeld("reactive"));
		this.locks.forceRelease(LockKey.of("reactive"));
		await().until(() -> application.bean(LocalLocks.class)
			.list()
			.stream()
			.noneMatch((lock) -> lock.status() == LockSnapshot.Status.HELD));
	}

	static class Work {

		@DistributedLock("reactive")
		Mono<String> mono(Supplier<@Nullable Mono<String>> source) {
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

		@DistributedLock(name = "reactive", leaseTime = "5s")
		Mono<String> brief(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", waitTime = "20s")
		Mono<String> waiting(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", onLoss = OnLoss.FAIL)
		Mono<String> failing(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", onLoss = OnLoss.FAIL)
		Flux<String> failingFlux(Supplier<Flux<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", onLoss = OnLoss.INTERRUPT)
		Mono<String> interrupting(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", key = "#key")
		Mono<String> keyed(@Nullable String key) {
			return Mono.just("run");
		}

		@DistributedLock(name = "reactive", onContention = OnContention.SKIP)
		Mono<String> skippedMono() {
			return Mono.just("run");
		}

		@DistributedLock(name = "reactive", onContention = OnContention.SKIP)
		Flux<String> skippedFlux() {
			return Flux.just("run");
		}

		@DistributedLock(name = "reactive", fallback = "instead")
		Mono<String> fallen() {
			return Mono.just("run");
		}

		Mono<String> instead() {
			return Mono.just("fallback");
		}

		@DistributedLock(name = "account", key = "#accounts")
		@DistributedLock("several")
		Mono<List<String>> several(List<String> accounts) {
			return Mono.fromSupplier(() -> application.redis()
				.keys()
				.stream()
				.map((key) -> key.replaceAll(".*\\{|\\}.*", ""))
				.filter((lock) -> application.redis().isTaken(lock))
				.sorted()
				.toList());
		}

		@DistributedLock("reactive")
		@DistributedLock("reactive")
		Mono<String> twice() {
			return Mono.just("run");
		}

	}

}
