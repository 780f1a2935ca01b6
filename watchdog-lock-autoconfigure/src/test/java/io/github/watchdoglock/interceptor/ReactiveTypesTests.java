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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.InterceptorFixture;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.processors.PublishProcessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ReactiveResultHandler}: methods that return reactive types of other
 * libraries than Reactor.
 */
class ReactiveTypesTests {

	private static final Duration SOON = InterceptorFixture.SOON;

	private final InterceptorFixture fixture = new InterceptorFixture();

	private final FakeLockService service = this.fixture.service;

	private final Work work = this.fixture.proxy(new Work());

	private final PublishProcessor<String> source = PublishProcessor.create();

	static Stream<Arguments> types() {
		return Stream.of(type("Flowable", Work::flowable), type("Observable", Work::observable),
				type("Single", Work::single), type("Maybe", Work::maybe), type("Completable", Work::completable),
				type("Publisher", Work::publisher), type("Flow.Publisher", Work::flowPublisher));
	}

	private static Arguments type(String name, BiFunction<Work, Flowable<String>, Object> method) {
		return Arguments.argumentSet(name, method);
	}

	@ParameterizedTest
	@MethodSource("types")
	void lockIsHeldFromSubscriptionUntilCompletion(BiFunction<Work, Flowable<String>, Object> method) {
		Flux<Object> result = flux(method.apply(this.work, this.source));
		assertThat(this.service.events).isEmpty();
		CompletableFuture<List<Object>> all = result.collectList().toFuture();
		assertThat(this.service.events).containsExactly("lock");
		assertThat(all).isNotDone();
		this.source.onNext("done");
		this.source.onComplete();
		assertThat(all).succeedsWithin(SOON);
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@ParameterizedTest
	@MethodSource("types")
	void cancelOfSubscriptionReleasesLock(BiFunction<Work, Flowable<String>, Object> method) {
		flux(method.apply(this.work, this.source)).subscribe().dispose();
		assertThat(this.source.hasSubscribers()).isFalse();
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@ParameterizedTest
	@MethodSource("types")
	void notAcquiredExceptionIsEmittedIfLockIsBusy(BiFunction<Work, Flowable<String>, Object> method) {
		this.service.busy = true;
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> flux(method.apply(this.work, this.source)).blockLast(SOON));
	}

	@Test
	void skippedMethodReturnsEmptyResultIfLockIsBusy() {
		this.service.busy = true;
		assertThat(this.work.skippedMaybe().isEmpty().blockingGet()).isTrue();
		assertThat(this.work.skippedList().blockingGet()).isEmpty();
		assertThat(flux(this.work.skippedCompletable()).collectList().block(SOON)).isEmpty();
		assertThat(flux(this.work.skippedPublisher()).collectList().block(SOON)).isEmpty();
		this.service.busy = false;
		assertThat(this.work.skippedList().blockingGet()).containsExactly("run");
	}

	@Test
	void onContentionSkipIsRejectedForTypeThatIsNeverEmpty() {
		InterceptorFixture.assertRefused(() -> this.fixture.lockedMethod(NeverEmpty.class, "work"), "",
				"NeverEmpty.work()", "returns a Single that is never empty");
	}

	private static Flux<Object> flux(Object result) {
		ReactiveAdapter adapter = Objects
			.requireNonNull(ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result));
		return Flux.from(adapter.toPublisher(result));
	}

	@DistributedLock("types")
	public static class Work {

		public Flowable<String> flowable(Flowable<String> source) {
			return source;
		}

		public Observable<String> observable(Flowable<String> source) {
			return source.toObservable();
		}

		public Single<String> single(Flowable<String> source) {
			return source.firstOrError();
		}

		public Maybe<String> maybe(Flowable<String> source) {
			return source.firstElement();
		}

		public Completable completable(Flowable<String> source) {
			return source.ignoreElements();
		}

		public Publisher<String> publisher(Flowable<String> source) {
			return source;
		}

		public Flow.Publisher<String> flowPublisher(Flowable<String> source) {
			return JdkFlowAdapter.publisherToFlowPublisher(source);
		}

		@DistributedLock(name = "types", onContention = OnContention.SKIP)
		Maybe<String> skippedMaybe() {
			return Maybe.just("run");
		}

		@DistributedLock(name = "types", onContention = OnContention.SKIP)
		Single<List<String>> skippedList() {
			return Single.just(List.of("run"));
		}

		@DistributedLock(name = "types", onContention = OnContention.SKIP)
		Completable skippedCompletable() {
			return Completable.error(new AssertionError("run"));
		}

		@DistributedLock(name = "types", onContention = OnContention.SKIP)
		Flow.Publisher<String> skippedPublisher() {
			return JdkFlowAdapter.publisherToFlowPublisher(Mono.just("run"));
		}

	}

	static class NeverEmpty {

		@DistributedLock(onContention = OnContention.SKIP)
		Single<String> work() {
			return Single.just("run");
		}

	}

}
