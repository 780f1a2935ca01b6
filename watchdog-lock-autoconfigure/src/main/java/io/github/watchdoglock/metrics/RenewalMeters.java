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

package io.github.watchdoglock.metrics;

import java.time.Duration;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of the watchdog itself, which belong to no single lock. With histograms,
 * since their tails decide whether locks are lost.
 */
final class RenewalMeters {

	final Timer answer;

	final Timer lateness;

	RenewalMeters(MeterRegistry registry) {
		this.answer = Timer.builder("watchdog.lock.renewal")
			.description("Renewals of leases, from sending until the answer")
			.publishPercentileHistogram()
			.minimumExpectedValue(Duration.ofMillis(1))
			.maximumExpectedValue(Duration.ofSeconds(2))
			.register(registry);
		this.lateness = Timer.builder("watchdog.lock.renewal.lateness")
			.description("Renewals of leases, from when they were due until they were sent")
			.publishPercentileHistogram()
			.minimumExpectedValue(Duration.ofMillis(1))
			.maximumExpectedValue(Duration.ofSeconds(30))
			.register(registry);
	}

}
