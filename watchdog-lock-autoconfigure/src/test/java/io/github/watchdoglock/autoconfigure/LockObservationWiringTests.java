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

package io.github.watchdoglock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.ReactiveLockService;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.metrics.LockAcquireObservationConvention;
import io.github.watchdoglock.metrics.LockObservations;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the auto-configuration of observations.
 */
class LockObservationWiringTests {

	private final ApplicationContextRunner plain = LockContexts.local();

	private final ApplicationContextRunner observed = LockContexts.local(ObservationAutoConfiguration.class)
		.withBean(Recorder.class);

	@Test
	void locksAreObservedWhenRegistryIsPresent() {
		this.observed.run((context) -> {
			context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			await().until(() -> context.getBean(Recorder.class).ended.size() == 2);
			assertThat(context.getBean(Recorder.class).ended).containsExactly("watchdog.lock.acquire",
					"watchdog.lock.hold");
		});
	}

	@Test
	void observationsAreAbsentWithoutRegistry() {
		this.plain.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockObservations.class));
	}

	@Test
	void acquireObservationUsesConventionOfApplication() {
		this.observed.withBean(Convention.class).run((context) -> {
			context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			await().until(() -> context.getBean(Recorder.class).ended.contains("my.wait"));
		});
	}

	@Test
	void reactiveMethodIsObservedAsChildOfReactorContextObservation() {
		this.observed.withBean(Work.class).run((context) -> {
			Observation request = Observation.start("request", context.getBean(ObservationRegistry.class));
			Recorder recorder = context.getBean(Recorder.class);
			LockHandle theirs = context.getBean(LockService.class)
				.acquireAsync(LockRequest.of("reactive"))
				.get(10, TimeUnit.SECONDS);
			CompletableFuture<String> result = context.getBean(Work.class)
				.reactive()
				.contextWrite((view) -> view.put(ObservationThreadLocalAccessor.KEY, request))
				.toFuture();
			assertThat(context.getBean(ObservationRegistry.class).getCurrentObservation()).isNull();
			theirs.close();
			assertThat(result).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("watchdog.lock.hold");
			await().until(() -> recorder.ended.size() == 5);
			assertThat(recorder.parents).filteredOn("request"::equals).hasSize(2);
			assertThat(recorder.work).isEqualTo("watchdog.lock.hold");
		});
	}

	@Test
	void reactiveWorkInCodeIsObservedAsChildOfReactorContext() {
		this.observed.withConfiguration(AutoConfigurations.of(WatchdogLockReactiveAutoConfiguration.class))
			.run((context) -> {
				Observation request = Observation.start("request", context.getBean(ObservationRegistry.class));
				Recorder recorder = context.getBean(Recorder.class);
				assertThat(context.getBean(ReactiveLockService.class)
					.withLock(LockRequest.of("reactive"), Work.current())
					.contextWrite((view) -> view.put(ObservationThreadLocalAccessor.KEY, request))
					.block(Duration.ofSeconds(20))).isEqualTo("watchdog.lock.hold");
				await().until(() -> recorder.ended.size() == 2);
				assertThat(recorder.ended).containsExactlyInAnyOrder("watchdog.lock.acquire", "watchdog.lock.hold");
				assertThat(recorder.parents).containsExactly("request", "request");
			});
	}

	@Test
	void reactiveMethodIsObservedWithoutParentOutsideObservation() {
		this.observed.withBean(Work.class).run((context) -> {
			assertThat(context.getBean(Work.class).reactive().block(Duration.ofSeconds(20)))
				.isEqualTo("watchdog.lock.hold");
			await().until(() -> context.getBean(Recorder.class).ended.size() == 3);
			assertThat(context.getBean(Recorder.class).parents).containsOnly("none", "watchdog.lock.hold");
		});
	}

	static class Convention implements LockAcquireObservationConvention {

		@Override
		public String getName() {
			return "my.wait";
		}

	}

	static class Work {

		private final ObservationRegistry registry;

		Work(ObservationRegistry registry) {
			this.registry = registry;
		}

		@DistributedLock("reactive")
		Mono<String> reactive() {
			Observation.createNotStarted("work", this.registry).observe(() -> {
			});
			return current();
		}

		static Mono<String> current() {
			return Mono.deferContextual((context) -> {
				Observation current = context.get(ObservationThreadLocalAccessor.KEY);
				return Mono.just(String.valueOf(current.getContextView().getName()));
			});
		}

	}

	static class Recorder implements ObservationHandler<Observation.Context> {

		private final List<String> ended = new CopyOnWriteArrayList<>();

		private final List<String> parents = new CopyOnWriteArrayList<>();

		private volatile String work = "";

		@Override
		public void onStop(Observation.Context context) {
			ObservationView parent = context.getParentObservation();
			String name = (parent != null) ? String.valueOf(parent.getContextView().getName()) : "none";
			this.parents.add(name);
			if ("work".equals(context.getName())) {
				this.work = name;
			}
			this.ended.add(String.valueOf(context.getName()));
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
