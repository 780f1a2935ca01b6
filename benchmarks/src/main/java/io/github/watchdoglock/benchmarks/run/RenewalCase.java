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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.worker.FreeLocks;
import io.github.watchdoglock.benchmarks.worker.HoldMany;
import io.github.watchdoglock.benchmarks.worker.Span;
import io.github.watchdoglock.benchmarks.worker.Watch;

/**
 * Many locks that are held and renewed.
 *
 * @param settings how much is measured
 */
record RenewalCase(Settings settings) implements Case {

	private static final String KEYS = "renewal";

	@Override
	public String id() {
		return KEYS;
	}

	@Override
	public String title() {
		return String.format("Renewal of %,d held locks with a lease of %d s", this.settings.held(),
				this.settings.heldLease().toSeconds());
	}

	@Override
	public List<Contender> contenders() {
		return List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE, Contender.REDISSON);
	}

	/*
	 * Longer than the lease, so that what is not renewed is found missing; four periods,
	 * since not each renewal is like the others.
	 */
	@Override
	public Map<String, Double> round(Fleet fleet, Place place) throws IOException {
		int held = this.settings.held();
		Map<String, Double> values = new LinkedHashMap<>();
		long empty = place.redis().memory();
		fleet.give(new HoldMany(KEYS, held));
		values.put(Measure.HEAP_BYTES, fleet.answers(Double.class).get(0));
		values.put(Measure.HELD_BYTES, (place.redis().memory() - empty) / (double) held);
		Span span = Span.in(Duration.ofMillis(200), this.settings.heldLease().multipliedBy(4).dividedBy(3));
		fleet.give(new Watch(span));
		span.awaitBegin();
		double before = place.redis().usage().cpuSeconds();
		span.awaitEnd();
		double server = place.redis().usage().cpuSeconds() - before;
		long client = fleet.answers(Long.class).get(0);
		fleet.give(new FreeLocks(KEYS, held));
		int free = fleet.answers(Integer.class).get(0);
		if (free > 0) {
			throw new TaskFailedException("At least " + free + " of " + held + " locks were free after "
					+ this.settings.heldLease() + ": " + fleet.contender().title() + " did not renew them");
		}
		values.put(Measure.CLIENT_PERCENT, client / 1e7 / span.seconds());
		values.put(Measure.SERVER_PERCENT, server * 100 / span.seconds());
		return values;
	}

}
