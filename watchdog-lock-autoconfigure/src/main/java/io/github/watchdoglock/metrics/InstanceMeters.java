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
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.watchdoglock.listener.SelectiveListener.End;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

/**
 * The meters that do not belong to a single lock. Those of the watchdog have histograms,
 * because their tails decide whether locks are lost. Those of repeated releases have no
 * lock name, because most of these releases fail together.
 */
final class InstanceMeters {

	final Timer renewalAnswer;

	final Timer renewalLateness;

	final EnumMeters<End, Counter> repeatedReleases;

	final CommandMeters commands;

	InstanceMeters(MeterRegistry registry, Supplier<Duration> watchdogDelay) {
		this.renewalAnswer = Guard.register(registry, (target) -> timer(target, "watchdog.lock.renewal",
				"Renewals of leases, from sending until the answer", Duration.ofSeconds(2)));
		this.renewalLateness = Guard.register(registry, (target) -> timer(target, "watchdog.lock.renewal.lateness",
				"Renewals of leases, from when they were due until they were sent", Duration.ofSeconds(30)));
		this.repeatedReleases = Guard.register(registry, InstanceMeters::counters);
		this.commands = new CommandMeters(registry);
		Guard.register(registry,
				(target) -> TimeGauge
					.builder("watchdog.lock.watchdog.silent", () -> watchdogDelay.get().toNanos(), TimeUnit.NANOSECONDS)
					.description("How long the watchdog has not done work that was due")
					.register(target));
	}

	private static Timer timer(MeterRegistry registry, String name, String description, Duration longest) {
		return Timer.builder(name)
			.description(description)
			.publishPercentileHistogram()
			.minimumExpectedValue(Duration.ofMillis(1))
			.maximumExpectedValue(longest)
			.register(registry);
	}

	private static EnumMeters<End, Counter> counters(MeterRegistry registry) {
		TaggedMeters meters = new TaggedMeters(registry, Tags.empty());
		return new EnumMeters<>(EnumSet.allOf(End.class), (end) -> meters.counter("watchdog.lock.releases.repeated",
				"Releases that had failed, by the outcome of their repetition", "outcome", end));
	}

}
