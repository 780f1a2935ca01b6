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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.metrics.LockAcquireObservationConvention;
import io.github.watchdoglock.metrics.LockObservationMeters;
import io.github.watchdoglock.metrics.LockObservations;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the wiring of observations.
 */
class LockObservationWiringTests {

	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WatchdogLockAutoConfiguration.class,
				WatchdogLockAdviceAutoConfiguration.class, WatchdogLockObservationAutoConfiguration.class))
		.withPropertyValues("watchdog-lock.store=local");

	private final ApplicationContextRunner observed = this.plain
		.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
		.withBean(Recorder.class);

	@Test
	void locksAreObservedWhereThereIsARegistry() {
		this.observed.run((context) -> {
			context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			await().until(() -> context.getBean(Recorder.class).ended.size() == 2);
			assertThat(context.getBean(Recorder.class).ended).containsExactly("watchdog.lock.acquire",
					"watchdog.lock.hold");
		});
	}

	@Test
	void nothingIsObservedWithoutARegistry() {
		this.plain.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockObservations.class));
	}

	@Test
	void propertyOfSpringBootSwitchesThemOff() {
		this.observed
			.withPropertyValues("management.observations.enable.watchdog.lock=false",
					"management.observations.enable.watchdog.lock.hold=true")
			.run((context) -> {
				context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
				await().until(() -> !context.getBean(Recorder.class).ended.isEmpty());
				assertThat(context.getBean(Recorder.class).ended).containsExactly("watchdog.lock.hold");
			});
	}

	@Test
	void conventionOfTheApplicationIsUsed() {
		this.observed.withBean(Convention.class).run((context) -> {
			context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			await().until(() -> context.getBean(Recorder.class).ended.contains("my.wait"));
		});
	}

	@Test
	void micrometerMayBeAbsentOrBeThereInPart() {
		this.plain.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LockEngine.class)
				.doesNotHaveBean(LockObservations.class));
		this.observed.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("watchdogLockObservations")
				.doesNotHaveBean(LockObservationMeters.class));
	}

	static class Convention implements LockAcquireObservationConvention {

		@Override
		public String getName() {
			return "my.wait";
		}

	}

	static class Recorder implements ObservationHandler<Observation.Context> {

		private final List<String> ended = new CopyOnWriteArrayList<>();

		@Override
		public void onStop(Observation.Context context) {
			this.ended.add(String.valueOf(context.getName()));
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
