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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.FakeLockService;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.processors.PublishProcessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

import org.springframework.core.ReactiveAdapterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Methods that return other reactive types than Reactor's.
 */
class ReactiveTypesTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@RegisterExtension
	static final LockedApplication application = new LockedApplication(Work.class);

	private final Work work = application.bean(Work.class);

	@AfterEach
	void nothingIsLeft() {
		application.awaitAllFree();
	}

	static Stream<Arguments> types() {
		return Stream.of(arguments("Flowable", Work::flowable), arguments("Observable", Work::observable),
				arguments("Single", Work::single), arguments("Maybe", Work::maybe),
				arguments("Completable", Work::completable), arguments("Publisher", Work::publisher),
				arguments("Flow.Publisher", Work::flowPublisher));
	}

	private static Arguments arguments(String name, Function<Work, Object> method) {
		return Arguments.argumentSet(name, method);
	}

	@ParameterizedTest
	@MethodSource("types")
	void lockIsHeldFromTheSubscriptionToItsEnd(Function<Work, Object> method) {
		Object result = method.apply(this.work);
		assertThat(application.isHeld("types")).isFalse();
		CompletableFuture<List<Object>> all = publisher(result).collectList().toFuture();
		await().until(() -> application.isHeld("types"));
		await().until(() -> this.work.source().hasSubscribers());
		assertThat(all).isNotDone();
		this.work.source().onNext("done");
		this.work.source().onComplete();
		assertThat(all).succeedsWithin(SOON);
		assertThat(application.isHeld("types")).isFalse();
	}

	@ParameterizedTest
	@MethodSource("types")
	void lockIsFreeAfterACancel(Function<Work, Object> method) {
		reactor.core.Disposable subscription = publisher(method.apply(this.work)).subscribe();
		await().until(() -> this.work.source().hasSubscribers());
		subscription.dispose();
		await().until(() -> !this.work.source().hasSubscribers());
		application.awaitAllFree();
	}

	@ParameterizedTest
	@MethodSource("types")
	void failingToGetTheLockIsAnErrorSignal(Function<Work, Object> method) {
		try (LockHandle elsewhere = application.holdElsewhere("types")) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> publisher(method.apply(this.work)).blockLast(SOON));
			assertThat(elsewhere.isHeld()).isTrue();
		}
	}

	@Test
	void disposedSubscriptionOfRxJavaFreesTheLock() {
		Disposable subscription = this.work.single().subscribe();
		await().until(() -> this.work.source().hasSubscribers());
		assertThat(application.isHeld("types")).isTrue();
		subscription.dispose();
		application.awaitAllFree();
		assertThat(this.work.source().hasSubscribers()).isFalse();
	}

	@Test
	void skippedMethodReturnsWhatIsEmpty() {
		try (LockHandle elsewhere = application.holdElsewhere("types")) {
			assertThat(this.work.skippedMaybe().isEmpty().blockingGet()).isTrue();
			assertThat(this.work.skippedList().blockingGet()).isEmpty();
			assertThat(this.work.skippedCompletable().blockingAwait(10, java.util.concurrent.TimeUnit.SECONDS))
				.isTrue();
			assertThat(publisher(this.work.skippedPublisher()).collectList().block(SOON)).isEmpty();
			assertThat(elsewhere.isHeld()).isTrue();
		}
	}

	@Test
	void whatIsNeverEmptyCantBeSkipped() {
		assertRefused(new NeverEmpty(), "NeverEmpty.work()", "returns a Single that is never empty");
	}

	@Test
	void kindsThatCantBeMadeAnewAreRefused() {
		assertRefused(new OfParallelFlux(), "OfParallelFlux.work()",
				"it returns a ParallelFlux, which can't be made anew");
		assertRefused(new OfSource(), "OfSource.work()", "it returns a SingleSource, which can't be followed");
	}

	private static void assertRefused(Object bean, String method, String problem) {
		assertThatExceptionOfType(LockConfigurationException.class)
			.isThrownBy(() -> LockedProxy.of(bean, new FakeLockService()))
			.withMessageContaining(method)
			.withMessageContaining(problem);
	}

	private static Flux<Object> publisher(Object result) {
		var adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result);
		assertThat(adapter).isNotNull();
		return Flux.from(adapter.toPublisher(result));
	}

	static class Work {

		private volatile PublishProcessor<String> source = PublishProcessor.create();

		PublishProcessor<String> source() {
			return this.source;
		}

		private PublishProcessor<String> newSource() {
			this.source = PublishProcessor.create();
			return this.source;
		}

		@DistributedLock("types")
		Flowable<String> flowable() {
			return newSource();
		}

		@DistributedLock("types")
		Observable<String> observable() {
			return newSource().toObservable();
		}

		@DistributedLock("types")
		Single<String> single() {
			return newSource().firstOrError();
		}

		@DistributedLock("types")
		Maybe<String> maybe() {
			return newSource().firstElement();
		}

		@DistributedLock("types")
		Completable completable() {
			return newSource().ignoreElements();
		}

		@DistributedLock("types")
		Publisher<String> publisher() {
			return newSource();
		}

		@DistributedLock("types")
		Flow.Publisher<String> flowPublisher() {
			return JdkFlowAdapter.publisherToFlowPublisher(newSource());
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

	public static class NeverEmpty {

		@DistributedLock(onContention = OnContention.SKIP)
		public Single<String> work() {
			return Single.just("run");
		}

	}

	public static class OfParallelFlux {

		@DistributedLock
		public @Nullable ParallelFlux<String> work() {
			return null;
		}

	}

	public static class OfSource {

		@DistributedLock
		public io.reactivex.rxjava3.core.@Nullable SingleSource<String> work() {
			return null;
		}

	}

}
