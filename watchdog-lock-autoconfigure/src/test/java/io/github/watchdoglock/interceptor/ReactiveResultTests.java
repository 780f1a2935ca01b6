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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.LockUpgradeException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ReactiveResultHandler}: the work of the method begins with each
 * subscription, which has locks of its own.
 */
class ReactiveResultTests {

	private static final Duration SOON = InterceptorFixture.SOON;

	private static final LockKey KEY = LockKey.of("reactive");

	private final InterceptorFixture fixture = new InterceptorFixture();

	private final FakeLockService service = this.fixture.service;

	private final Work work = this.fixture.proxy(new Work());

	private final Sinks.One<String> source = Sinks.one();

	@Test
	void lockIsAcquiredOncePerSubscriptionAndNotBefore() {
		List<String> calls = new ArrayList<>();
		Mono<String> mono = this.work.mono(() -> {
			calls.add("call");
			return Mono.just("done");
		});
		assertThat(this.service.events).isEmpty();
		assertThat(mono.block(SOON)).isEqualTo("done");
		assertThat(mono.block(SOON)).isEqualTo("done");
		assertThat(calls).hasSize(2);
		assertThat(this.service.events).containsExactly("lock", "unlock", "lock", "unlock");
		assertThat(this.fixture.instrumentation.trail).containsExactly("ask null", "asked", "begin reactive",
				"end reactive", "ask null", "asked", "begin reactive", "end reactive");
	}

	@Test
	void conditionIsComputedOnEachSubscription() {
		AtomicBoolean needed = new AtomicBoolean();
		Mono<String> mono = this.work.conditional(needed);
		assertThat(mono.block(SOON)).isEqualTo("run");
		assertThat(this.service.events).isEmpty();
		needed.set(true);
		assertThat(mono.block(SOON)).isEqualTo("run");
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void lockIsReleasedWhenMonoCompletesAndBeforeSubscriberIsNotified() {
		CompletableFuture<Void> closing = new CompletableFuture<>();
		this.service.closing = closing;
		CompletableFuture<String> result = this.work.mono(this.source::asMono).toFuture();
		assertThat(this.service.events).containsExactly("lock");
		this.source.tryEmitValue("done");
		assertThat(this.service.events).containsExactly("lock", "unlock");
		assertThat(result).isNotDone();
		closing.complete(null);
		assertThat(result).isCompletedWithValue("done");
	}

	@Test
	void elementsAreEmittedWhileLockIsHeld() {
		List<String> seen = new ArrayList<>();
		Flux<Integer> flux = this.work.flux(() -> Flux.range(1, 3));
		assertThat(flux.doOnNext((value) -> seen.addAll(this.service.events)).collectList().block(SOON))
			.containsExactly(1, 2, 3);
		assertThat(seen).containsExactly("lock", "lock", "lock");
		assertThat(this.work.flux(() -> Flux.range(1, 1000)).take(2).collectList().block(SOON)).containsExactly(1, 2);
		assertThat(this.service.events).containsExactly("lock", "unlock", "lock", "unlock");
	}

	@Test
	void errorOfWorkIsEmittedAndLockIsReleased() {
		IllegalStateException business = new IllegalStateException("business");
		assertThatIllegalStateException().isThrownBy(() -> this.work.mono(() -> Mono.error(business)).block(SOON))
			.isSameAs(business);
		assertThatIllegalStateException().isThrownBy(() -> this.work.flux(() -> {
			throw new IllegalStateException("at once");
		}).blockLast(SOON)).withMessage("at once");
		assertThat(this.work.mono(() -> null).block(SOON)).isNull();
		assertThat(this.service.events).containsExactly("lock", "unlock", "lock", "unlock", "lock", "unlock");
		assertThat(this.fixture.instrumentation.trail.subList(2, 4)).containsExactly("begin reactive", "end reactive");
	}

	@Test
	void errorReachesSubscriberAfterLockIsReleased() {
		CompletableFuture<Void> closing = new CompletableFuture<>();
		this.service.closing = closing;
		CompletableFuture<String> result = this.work.mono(this.source::asMono).toFuture();
		this.source.tryEmitError(new IllegalStateException("business"));
		assertThat(result).isNotDone();
		closing.complete(null);
		assertThat(result).isCompletedExceptionally();
	}

	@Test
	void cancelOfSubscriptionCancelsWorkAndReleasesLock() {
		List<String> cancelled = new ArrayList<>();
		Disposable subscription = this.work
			.mono(() -> this.source.asMono().doOnCancel(() -> cancelled.add("cancelled")))
			.subscribe();
		assertThat(this.service.events).containsExactly("lock");
		subscription.dispose();
		assertThat(cancelled).hasSize(1);
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void cancelDuringWaitCancelsPendingRequest() {
		this.service.silent = true;
		Disposable subscription = this.work.mono(this.source::asMono).subscribe();
		assertThat(this.service.answers).singleElement().satisfies((answer) -> assertThat(answer).isNotDone());
		subscription.dispose();
		assertThat(this.service.answers.get(0)).isCancelled();
	}

	@Test
	void locksAreAcquiredInOrderWithinOneWaitTimeAndReleasedInReverse() {
		assertThat(this.work.several(List.of("b", "a")).block(SOON)).isEqualTo("done");
		assertThat(this.service.trail).containsExactly("lock account:a", "lock account:b", "unlock account:b",
				"unlock account:a");
		assertThat(this.service.requests).extracting(LockRequest::waitTime)
			.allSatisfy((wait) -> assertThat(wait).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10)));
	}

	@Test
	void acquiredLocksAreReleasedIfAnotherLockIsBusy() {
		this.service.taken.add(LockKey.of("account", "b"));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.work.several(List.of("c", "b", "a")).block(SOON))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(LockKey.of("account", "b")));
		assertThat(this.service.trail).containsExactly("lock account:a", "unlock account:a");
	}

	@Test
	void failedAcquisitionIsEmittedAsError() {
		this.service.failure = new LockStoreException("down", null);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.work.mono(this.source::asMono).block(SOON));
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.work.keyed(null).block(SOON));
		assertThat(this.service.events).isEmpty();
	}

	@Test
	void resultIsEmptyOrThatOfFallbackIfLockIsBusy() {
		this.service.busy = true;
		assertThat(this.work.skipped().block(SOON)).isNull();
		assertThat(this.work.skippedFlux().collectList().block(SOON)).isEmpty();
		assertThat(this.work.fallen().block(SOON)).isEqualTo("fallback");
		this.service.busy = false;
		assertThat(this.work.skipped().block(SOON)).isEqualTo("run");
		assertThat(this.work.skippedFlux().collectList().block(SOON)).containsExactly("run", "again");
		assertThat(this.work.fallen().block(SOON)).isEqualTo("run");
	}

	@Test
	void lockIsReenteredOnlyThroughReactorContext() {
		assertThat(this.work.mono(() -> this.work.mono(() -> Mono.just("within"))).block(SOON)).isEqualTo("within");
		assertThat(this.service.trail).containsExactly("lock reactive", "strengthen reactive", "unlock reactive");
		this.service.trail.clear();
		Mono<String> other = this.work
			.mono(() -> Mono.fromFuture(() -> this.work.mono(() -> Mono.just("no context")).toFuture()));
		assertThat(other.block(SOON)).isEqualTo("no context");
		assertThat(this.service.trail).containsExactly("lock reactive", "lock reactive", "unlock reactive",
				"unlock reactive");
	}

	@Test
	void writerReentersAsReaderButReaderCannotBecomeWriter() {
		Mono<String> reads = this.work.writes(() -> this.work.reads(() -> Mono.just("within")));
		assertThat(reads.block(SOON)).isEqualTo("within");
		Mono<String> both = this.work.reads(() -> this.work.reads(() -> Mono.just("both")));
		assertThat(both.block(SOON)).isEqualTo("both");
		assertThat(this.service.requests).extracting(LockRequest::mode).containsExactly(LockMode.WRITE, LockMode.READ);
		assertThatExceptionOfType(LockUpgradeException.class)
			.isThrownBy(() -> this.work.reads(() -> this.work.writes(() -> Mono.just("not run"))).block(SOON))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(LockKey.of("catalog")));
		assertThat(this.service.requests)
			.as("as('requests, the rejected upgrade from read to write not among them'): 3")
			.hasSize(3);
		assertThat(this.service.trail).endsWith("lock catalog", "unlock catalog");
	}

	@Test
	void permitIsReenteredButReaderWithinPermitRequestsLock() {
		Mono<String> nested = this.work.permit(() -> this.work.permit(() -> Mono.just("within")));
		assertThat(nested.block(SOON)).isEqualTo("within");
		assertThat(this.service.requests).extracting(LockRequest::permits).containsExactly(5);
		Mono<String> other = this.work.permit(() -> this.work.reads(() -> Mono.just("asked for")));
		assertThat(other.block(SOON)).isEqualTo("asked for");
		assertThat(this.service.requests).as("as('requests: the permit, and a reader within a permit'): 3").hasSize(3);
	}

	@Test
	void lockIsReleasedAfterLastNestedSubscriptionEnds() {
		Sinks.One<String> inner = Sinks.one();
		List<Disposable> within = new ArrayList<>();
		Mono<String> outer = this.work.mono(() -> Mono.deferContextual((context) -> {
			within.add(this.work.mono(inner::asMono).contextWrite(context).subscribe());
			return this.source.asMono();
		}));
		CompletableFuture<String> result = outer.toFuture();
		this.source.tryEmitValue("done");
		assertThat(result).isCompletedWithValue("done");
		assertThat(this.service.trail).containsExactly("lock reactive", "strengthen reactive");
		inner.tryEmitValue("inner");
		assertThat(this.service.trail).containsExactly("lock reactive", "strengthen reactive", "unlock reactive");
		assertThat(within).singleElement().matches(Disposable::isDisposed);
	}

	@Test
	void nestedSubscriptionAfterReleaseAcquiresLockAgain() {
		List<Mono<String>> late = new ArrayList<>();
		this.work.mono(() -> Mono.deferContextual((context) -> {
			late.add(this.work.mono(() -> Mono.just("late")).contextWrite(context));
			return Mono.just("done");
		})).block(SOON);
		assertThat(late.get(0).block(SOON)).isEqualTo("late");
		assertThat(this.service.trail).containsExactly("lock reactive", "unlock reactive", "lock reactive",
				"unlock reactive");
	}

	@Test
	void reentryIntoALostLockFails() {
		Mono<String> nested = this.work.mono(() -> {
			this.service.lose(KEY);
			return this.work.mono(() -> Mono.just("within"));
		});
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> nested.block(SOON));
		assertThat(this.service.trail).containsExactly("lock reactive", "unlock reactive");
	}

	@Test
	void workSeesContextOfSubscriberAndOfInstrumentation() {
		Mono<String> mono = this.work
			.mono(() -> Mono.deferContextual((context) -> Mono.just(context.get("user") + " " + context.get("key"))));
		assertThat(mono.contextWrite((context) -> context.put("user", "me")).block(SOON)).isEqualTo("me reactive");
		assertThat(this.fixture.instrumentation.trail).startsWith("ask me", "asked");
	}

	@Test
	void lossDoesNotChangeResultByDefault() {
		CompletableFuture<String> result = this.work.mono(this.source::asMono).toFuture();
		this.service.lose(KEY);
		this.source.tryEmitValue("done");
		assertThat(result).isCompletedWithValue("done");
	}

	@Test
	void lossIsEmittedInsteadOfNextElementWithOnLossFail() {
		Sinks.Many<String> elements = Sinks.many().unicast().onBackpressureBuffer();
		List<String> received = new ArrayList<>();
		CompletableFuture<List<String>> many = this.work.failing(elements::asFlux)
			.doOnNext(received::add)
			.collectList()
			.toFuture();
		elements.tryEmitNext("before");
		this.service.lose(KEY);
		assertThat(many).isNotDone();
		elements.tryEmitNext("after");
		assertLost(many);
		assertThat(received).containsExactly("before");
	}

	@Test
	void lossIsEmittedInsteadOfCompletionWithOnLossFail() {
		CompletableFuture<List<String>> empty = this.work.failing(() -> this.source.asMono().flux())
			.collectList()
			.toFuture();
		this.service.lose(KEY);
		this.source.tryEmitEmpty();
		assertLost(empty);
		this.service.lossAtClose = LockLoss.Reason.EXPIRED;
		assertLost(this.work.failing(() -> Flux.just("late")).collectList().toFuture());
		this.service.lossAtClose = null;
		assertThat(this.work.failing(() -> Flux.just("done")).collectList().block(SOON)).containsExactly("done");
	}

	@Test
	void lossDoesNotReplaceAnErrorOfTheWork() {
		IllegalStateException business = new IllegalStateException("business");
		CompletableFuture<List<String>> result = this.work.failing(() -> this.source.asMono().flux())
			.collectList()
			.toFuture();
		this.service.lose(KEY);
		this.source.tryEmitError(business);
		assertThat(result).failsWithin(SOON).withThrowableThat().withCause(business);
	}

	@Test
	void lossCancelsWorkWithOnLossInterrupt() {
		List<String> cancelled = new ArrayList<>();
		CompletableFuture<String> result = this.work
			.interrupting(() -> this.source.asMono().doOnCancel(() -> cancelled.add("cancelled")))
			.toFuture();
		this.service.lose(KEY);
		assertLost(result);
		assertThat(cancelled).hasSize(1);
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void lossIsEmittedEvenIfWorkCompletesOnCancel() {
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
		this.service.lose(KEY);
		assertLost(result);
	}

	@Test
	void lossAfterCompletionOfWorkDoesNotChangeResult() {
		CompletableFuture<Void> closing = new CompletableFuture<>();
		this.service.closing = closing;
		CompletableFuture<String> result = this.work.interrupting(this.source::asMono).toFuture();
		this.source.tryEmitValue("done");
		this.service.lose(KEY);
		closing.complete(null);
		assertThat(result).isCompletedWithValue("done");
		assertThat(this.work.interrupting(() -> Mono.just("again")).block(SOON)).isEqualTo("again");
	}

	private static void assertLost(CompletableFuture<?> result) {
		assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
	}

	static class Work {

		@DistributedLock(name = "catalog", mode = LockMode.READ)
		Mono<String> reads(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock("catalog")
		Mono<String> writes(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "catalog", permits = 5)
		Mono<String> permit(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock("reactive")
		Mono<String> mono(Supplier<@Nullable Mono<String>> source) {
			return Objects.requireNonNullElse(source.get(), Mono.empty());
		}

		@DistributedLock("reactive")
		Flux<Integer> flux(Supplier<Flux<Integer>> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", onLoss = OnLoss.FAIL)
		Flux<String> failing(Supplier<Flux<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "reactive", onLoss = OnLoss.INTERRUPT)
		Mono<String> interrupting(Supplier<Mono<String>> source) {
			return source.get();
		}

		@DistributedLock(name = "account", key = "#accounts", waitTime = "10m")
		Mono<String> several(List<String> accounts) {
			return Mono.just("done");
		}

		@DistributedLock(name = "reactive", key = "#key")
		Mono<String> keyed(@Nullable String key) {
			return Mono.just("run");
		}

		@DistributedLock(name = "reactive", condition = "#needed.get()")
		Mono<String> conditional(AtomicBoolean needed) {
			return Mono.just("run");
		}

		@DistributedLock(name = "reactive", onContention = OnContention.SKIP)
		Mono<String> skipped() {
			return Mono.just("run");
		}

		@DistributedLock(name = "reactive", onContention = OnContention.SKIP)
		Flux<String> skippedFlux() {
			return Flux.just("run", "again");
		}

		@DistributedLock(name = "reactive", fallback = "instead")
		Mono<String> fallen() {
			return Mono.just("run");
		}

		Mono<String> instead() {
			return Mono.just("fallback");
		}

	}

}
