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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.ReactiveLockService;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

/**
 * Reactive work that is put under a lock in code, alone and beside annotated methods.
 */
@ExtendWith(DroppedErrors.class)
class ReactiveLockServiceTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private static final LockKey KEY = LockKey.of("reactive", "42");

	private static final LockRequest REQUEST = LockRequest.of(KEY);

	private static final LockRequest PATIENT = REQUEST.withWaitTime(Duration.ofSeconds(20));

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Work.class,
			"watchdog-lock.locks.strict.on-loss=fail", "watchdog-lock.locks.brief.lease-time=2s");

	private final ReactiveLockService locks = application.bean(ReactiveLockService.class);

	private final Work work = application.bean(Work.class);

	private final Sinks.One<String> source = Sinks.one();

	@AfterEach
	void end() {
		this.source.tryEmitEmpty();
	}

	@Test
	void lockIsHeldFromTheSubscriptionUntilTheEndOfTheWork() {
		AtomicInteger subscriptions = new AtomicInteger();
		Mono<Boolean> freeAtTheEnd = this.locks
			.withLock(REQUEST, this.source.asMono().doOnSubscribe((subscription) -> subscriptions.incrementAndGet()))
			.map((value) -> !application.isTaken(KEY));
		assertThat(subscriptions).hasValue(0);
		assertThat(application.isTaken(KEY)).isFalse();
		CompletableFuture<Boolean> free = freeAtTheEnd.toFuture();
		await().untilAtomic(subscriptions, is(1));
		assertThat(application.isTaken(KEY)).isTrue();
		assertThat(free).isNotDone();
		this.source.tryEmitValue("done");
		assertThat(free).succeedsWithin(SOON).isEqualTo(true);
	}

	@Test
	void eachSubscriptionTakesTheLockAnewAndWaitsForItsTurn() {
		AtomicInteger within = new AtomicInteger();
		Mono<String> mono = this.locks.withLock(PATIENT, Mono.defer(() -> {
			assertThat(within.incrementAndGet()).isOne();
			return this.source.asMono();
		}).doOnTerminate(within::decrementAndGet));
		int threads = Thread.activeCount();
		List<CompletableFuture<String>> results = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			results.add(mono.toFuture());
		}
		await().until(() -> this.source.currentSubscriberCount() == 1);
		assertThat(application.held()).filteredOn((lock) -> lock.status() == LockSnapshot.Status.WAITING).hasSize(49);
		assertThat(Thread.activeCount() - threads).isLessThan(12);
		this.source.tryEmitValue("done");
		assertThat(results).allSatisfy((result) -> assertThat(result).succeedsWithin(SOON).isEqualTo("done"));
	}

	@Test
	void valuesPassAsTheyAreAskedFor() {
		AtomicLong asked = new AtomicLong();
		List<Integer> received = new CopyOnWriteArrayList<>();
		BaseSubscriber<Integer> subscriber = new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				subscription.request(3);
			}

			@Override
			protected void hookOnNext(Integer value) {
				received.add(value);
			}

		};
		this.locks.withLock(REQUEST, Flux.range(1, 1_000).doOnRequest(asked::addAndGet)).subscribe(subscriber);
		await().until(() -> received.size() == 3);
		assertThat(asked).hasValue(3);
		assertThat(application.isTaken(KEY)).isTrue();
		subscriber.request(Long.MAX_VALUE);
		await().until(() -> received.size() == 1_000);
		await().until(() -> !application.isTaken(KEY));
	}

	@Test
	void errorsPassAndTheLockIsFree() {
		assertThatIllegalStateException()
			.isThrownBy(
					() -> this.locks.withLock(REQUEST, Mono.error(new IllegalStateException("business"))).block(SOON))
			.withMessage("business");
		assertThat(application.isTaken(KEY)).isFalse();
		assertThat(this.locks.withLock(REQUEST, Mono.empty()).block(SOON)).isNull();
		assertThat(application.isTaken(KEY)).isFalse();
	}

	@Test
	void cancelEndsTheWorkAndItsLock() {
		AtomicInteger cancelled = new AtomicInteger();
		Disposable subscription = this.locks
			.withLock(REQUEST, this.source.asMono().doOnCancel(cancelled::incrementAndGet))
			.subscribe();
		await().until(() -> this.source.currentSubscriberCount() == 1);
		assertThat(application.isTaken(KEY)).isTrue();
		subscription.dispose();
		await().untilAtomic(cancelled, is(1));
		await().until(() -> !application.isTaken(KEY));
	}

	@Test
	void cancelWhileWaitingEndsTheAttempt() {
		AtomicInteger subscriptions = new AtomicInteger();
		try (LockHandle elsewhere = application.holdElsewhere(KEY)) {
			Disposable subscription = this.locks.withLock(PATIENT, Mono.fromRunnable(subscriptions::incrementAndGet))
				.subscribe();
			assertThat(application.held()).hasSize(2);
			subscription.dispose();
			await().until(() -> application.held().size() == 1);
			assertThat(elsewhere.isHeld()).isTrue();
		}
		assertThat(subscriptions).hasValue(0);
	}

	@Test
	void failingToGetTheLockIsAnErrorSignal() {
		try (LockHandle elsewhere = application.holdElsewhere(KEY)) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.locks.withLock(REQUEST, Mono.just("run")).block(SOON))
				.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(KEY));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.locks.withLock(REQUEST, Flux.just("run")).blockLast(SOON));
			assertThat(elsewhere.isHeld()).isTrue();
		}
		Mono<String> refused = this.locks.withLock(REQUEST.withReleaseAfterTransaction(), Mono.just("run"));
		assertThatIllegalArgumentException().isThrownBy(() -> refused.block(SOON))
			.withMessageContaining("can't be released after a transaction");
	}

	@Test
	void lockOfAFixedLeaseIsRenewedWhereARequestWithinIsSilent() {
		Mono<Boolean> renewed = Mono.fromSupplier(() -> application.held().get(0).lease().renewed());
		LockRequest brief = REQUEST.withLease(Lease.fixed(Duration.ofSeconds(5)));
		assertThat(this.locks.withLock(brief, renewed).block(SOON)).isFalse();
		assertThat(this.locks.withLock(brief, this.locks.withLock(REQUEST, renewed)).block(SOON)).isTrue();
		assertThat(this.locks.withLock(brief, this.locks.withLock(brief, renewed)).block(SOON)).isFalse();
	}

	@Test
	void workReentersItsLockInCodeAndByAnnotationBothWays() {
		Mono<String> inner = this.locks.withLock(REQUEST, Mono.fromSupplier(() -> "within " + holds()));
		assertThat(this.locks.withLock(REQUEST, Mono.defer(() -> inner)).block(SOON)).isEqualTo("within 1");
		assertThat(this.work.annotated("42", () -> inner).block(SOON)).isEqualTo("within 1");
		assertThat(this.locks
			.withLock(REQUEST, this.work.annotated("42", () -> Mono.fromSupplier(() -> "annotated " + holds())))
			.block(SOON)).isEqualTo("annotated 1");
		assertThat(this.locks.withLock(REQUEST,
				Flux.range(1, 3).concatMap((i) -> this.locks.withLock(REQUEST, Flux.just(i, holds()))).collectList())
			.block(SOON)).containsExactly(1, 1, 2, 1, 3, 1);
	}

	@Test
	void reentryAsksForTheLeaseOfTheLocksProperty() {
		LockRequest brief = LockRequest.of("brief");
		Mono<Lease> lease = Mono.fromSupplier(() -> application.held().get(0).lease());
		assertThat(this.locks.withLock(brief, this.locks.withLock(brief, lease)).block(SOON))
			.isEqualTo(Lease.renewed(Duration.ofSeconds(2)));
		Lease longer = Lease.renewed(Duration.ofSeconds(9));
		assertThat(this.locks.withLock(brief, this.locks.withLock(brief.withLease(longer), lease)).block(SOON))
			.isEqualTo(longer);
	}

	@Test
	void otherContextsDoNotReenter() {
		Mono<String> other = Mono
			.fromFuture(() -> this.locks.withLock(REQUEST, Mono.just("no context of it")).toFuture());
		Mono<String> nested = this.locks.withLock(REQUEST, other);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> nested.block(SOON));
	}

	@Test
	void lossIsReportedOnlyUnlessTheRequestOrTheLocksPropertySaysOtherwise() {
		CompletableFuture<String> result = this.locks.withLock(REQUEST, this.source.asMono()).toFuture();
		lose(KEY);
		this.source.tryEmitValue("done");
		assertThat(result).succeedsWithin(SOON).isEqualTo("done");
		CompletableFuture<String> strict = this.locks
			.withLock(LockRequest.of("strict"), Mono.just("done").doFirst(() -> lose(LockKey.of("strict"))))
			.toFuture();
		assertThat(strict).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
	}

	@Test
	void lossFailsTheWorkInPlaceOfItsNextSignal() {
		Sinks.Many<String> elements = Sinks.many().unicast().onBackpressureBuffer();
		List<String> received = new CopyOnWriteArrayList<>();
		CompletableFuture<List<String>> result = this.locks.withLock(REQUEST.withOnLoss(OnLoss.FAIL), elements.asFlux())
			.doOnNext(received::add)
			.collectList()
			.toFuture();
		elements.tryEmitNext("before");
		await().until(() -> !received.isEmpty());
		lose(KEY);
		assertThat(result).isNotDone();
		elements.tryEmitNext("after");
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		assertThat(received).containsExactly("before");
	}

	@Test
	void lossCancelsTheWorkWhereTheRequestSaysSo() {
		AtomicInteger cancelled = new AtomicInteger();
		CompletableFuture<String> result = this.locks
			.withLock(REQUEST.withOnLoss(OnLoss.INTERRUPT), this.source.asMono().doOnCancel(cancelled::incrementAndGet))
			.toFuture();
		await().until(() -> this.source.currentSubscriberCount() == 1);
		lose(KEY);
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
		assertThat(cancelled).hasValue(1);
	}

	@Test
	@SuppressWarnings("NullAway")
	void requestAndWorkAreNeededAtOnce() {
		assertThatNullPointerException().isThrownBy(() -> this.locks.withLock(null, Mono.empty()))
			.withMessageContaining("'request'");
		assertThatNullPointerException().isThrownBy(() -> this.locks.withLock(REQUEST, (Flux<String>) null))
			.withMessageContaining("'work'");
	}

	private static int holds() {
		return application.held().size();
	}

	private static void lose(LockKey key) {
		await().until(() -> application.isTaken(key));
		application.bean(LockService.class).forceRelease(key);
		await().until(() -> application.held().isEmpty());
	}

	static class Work {

		@DistributedLock(name = "reactive", key = "#p0")
		Mono<String> annotated(String id, Supplier<Mono<String>> source) {
			return source.get();
		}

	}

}
