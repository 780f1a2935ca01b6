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
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.lock.Competitor.Held;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.run.Task.Workplace;
import org.jspecify.annotations.Nullable;

/**
 * The case of many locks that are held and renewed.
 */
final class Renewal {

	private static final int THREADS = 16;

	private static final int STEP = 10;

	private static final int PERIODS = 4;

	private Renewal() {
	}

	/*
	 * Longer than the lease, so that locks which are not renewed are found missing;
	 * several periods, because renewals differ from each other.
	 */
	static Map<Measure, Double> measure(Fleet fleet) throws IOException {
		Redis redis = fleet.place().redis();
		Duration lease = fleet.place().options().heldLease();
		int count = fleet.place().options().held();
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		long empty = redis.memory();
		values.put(Measure.HEAP_BYTES, fleet.ask((place) -> hold(place, "renewal", count)));
		values.put(Measure.HELD_BYTES, (redis.memory() - empty) / (double) count);
		Span span = Span.in(Duration.ofMillis(200), lease.multipliedBy(PERIODS).dividedBy(3));
		double renewals = (double) count * PERIODS;
		Fleet.Answers<Double> cpuNanos = fleet.give((place) -> span.growthOf(Task::cpuNanos));
		double serverSeconds = span.growthOf(redis::cpuSeconds);
		double clientNanos = cpuNanos.await().get(0);
		values.put(Measure.CLIENT_PERCENT, clientNanos / 1e7 / span.seconds());
		values.put(Measure.SERVER_PERCENT, serverSeconds * 100 / span.seconds());
		values.put(Measure.CLIENT_RENEWAL_MICROS, clientNanos / 1e3 / renewals);
		values.put(Measure.SERVER_RENEWAL_MICROS, serverSeconds * 1e6 / renewals);
		int free = fleet.ask((place) -> free(place, "renewal", count));
		if (free > 0) {
			throw new IllegalStateException("At least " + free + " of " + count + " locks were free after " + lease
					+ ": " + fleet.contender().title() + " did not renew them");
		}
		return values;
	}

	/*
	 * Acquires locks with different keys, and keeps them until the JVM ends. Returns the
	 * bytes of heap for each, including the data that the caller keeps.
	 */
	static double hold(Workplace place, String prefix, int count) throws Exception {
		Competitor competitor = place.only();
		// Classes, connections and buffers must exist before memory is measured.
		place.kept().add(competitor.lock(prefix + "-first"));
		@Nullable Held[] held = new Held[count];
		place.kept().add(held);
		long before = usedHeap();
		Workplace.share(THREADS, (first) -> () -> {
			for (int k = first; k < count; k += THREADS) {
				held[k] = competitor.lock(prefix + "-" + k);
			}
			return null;
		});
		return (usedHeap() - before) / (double) count;
	}

	/* Checks every tenth of these locks, and returns how many of them are not held. */
	static int free(Workplace place, String prefix, int count) {
		if (!(place.only() instanceof Competitor.Renewed lock)) {
			throw new IllegalStateException("Nobody renews these locks");
		}
		int free = 0;
		for (int k = 0; k < count; k += STEP) {
			if (!lock.isTaken(prefix + "-" + k)) {
				free++;
			}
		}
		return free;
	}

	/* The minimum of several measurements, because renewals continue meanwhile. */
	private static long usedHeap() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

}
