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
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.lock.Competitor.Held;
import io.github.watchdoglock.benchmarks.report.Measure;

/**
 * The case of a thread that acquires a lock which it holds already.
 */
final class Reentry implements Case.Round {

	private static final String KEY = "re-entry";

	/* Reading the clock must not distort calls that take nanoseconds. */
	private static final int BATCH = 16;

	@Override
	public void warmUp(Fleet fleet) throws IOException {
		Options options = fleet.place().options();
		measure(fleet, options.warmUp().dividedBy(2), options.ramp());
	}

	@Override
	public Map<Measure, Double> measure(Fleet fleet) throws IOException {
		Options options = fleet.place().options();
		return Map.of(Measure.NANOS, measure(fleet, options.ramp(), options.length().dividedBy(3)));
	}

	private static double measure(Fleet fleet, Duration ahead, Duration length) throws IOException {
		Span span = Span.in(ahead, length);
		return fleet.ask((place) -> nanos(place.only(), span));
	}

	/* Return the time for each pair. The time before the span is for the warm-up. */
	private static double nanos(Competitor competitor, Span span) throws InterruptedException {
		Held outer = competitor.lock(KEY);
		try {
			while (System.nanoTime() - span.from() < 0) {
				batch(competitor);
			}
			long start = System.nanoTime();
			long pairs = 0;
			long end;
			do {
				batch(competitor);
				pairs += BATCH;
				end = System.nanoTime();
			}
			while (end - span.until() < 0);
			return (end - start) / (double) pairs;
		}
		finally {
			outer.unlock();
		}
	}

	private static void batch(Competitor competitor) throws InterruptedException {
		for (int i = 0; i < BATCH; i++) {
			competitor.lock(KEY).unlock();
		}
	}

}
