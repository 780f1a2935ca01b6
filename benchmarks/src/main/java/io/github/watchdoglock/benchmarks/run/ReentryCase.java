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

package io.github.watchdoglock.benchmarks.run;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.worker.Reentry;
import io.github.watchdoglock.benchmarks.worker.Span;

/**
 * A thread that takes a lock that it has.
 *
 * @param settings how much is measured
 */
record ReentryCase(Settings settings) implements Case {

	@Override
	public String id() {
		return "re-entry";
	}

	@Override
	public String title() {
		return "Re-entry: the lock is held, and taken and released once more";
	}

	@Override
	public List<Contender> contenders() {
		return List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE, Contender.REDISSON,
				Contender.REGISTRY_SPIN, Contender.FAIR_LOCK);
	}

	@Override
	public void warmUp(Fleet fleet, Place place) throws IOException {
		measure(fleet, Span.in(this.settings.warmUp().dividedBy(2), this.settings.ramp()));
	}

	@Override
	public Map<String, Double> round(Fleet fleet, Place place) throws IOException {
		return Map.of(Measure.NANOS,
				measure(fleet, Span.in(this.settings.ramp(), this.settings.length().dividedBy(3))));
	}

	private static double measure(Fleet fleet, Span span) throws IOException {
		fleet.give(new Reentry("re-entry", span));
		return fleet.answers(Double.class).get(0);
	}

}
