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
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.worker.Cycles;
import io.github.watchdoglock.benchmarks.worker.Span;

/**
 * A lock that is held after many that were not for long.
 *
 * @param settings how much is measured
 */
record LeftoverCase(Settings settings) implements Case {

	private static final int PERIODS = 4;

	@Override
	public String id() {
		return "leftovers";
	}

	@Override
	public String title() {
		return String.format("Renewals in a period for one held lock, after %,d times lock and unlock",
				this.settings.cycles());
	}

	@Override
	public List<Contender> contenders() {
		return List.of(Contender.WATCHDOG_LOCK, Contender.REDISSON);
	}

	/* Both renew every third of the lease. */
	@Override
	public Map<String, Double> round(Fleet fleet, Place place) throws IOException {
		fleet.give(new Cycles("leftovers", this.settings.cycles()));
		fleet.answers(Integer.class);
		Duration period = this.settings.cyclesLease().dividedBy(3);
		Span span = Span.in(period, period.multipliedBy(PERIODS));
		span.awaitBegin();
		RedisUsage before = place.redis().usage();
		span.awaitEnd();
		RedisUsage usage = place.redis().usage().since(before);
		return Map.of(Measure.PER_PERIOD, usage.calls(fleet.contender().commands()) / (double) PERIODS);
	}

}
