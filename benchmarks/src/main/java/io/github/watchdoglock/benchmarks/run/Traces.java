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
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.run.Task.Workplace;

/**
 * The leftovers of released locks: renewals, memory of Redis, bytes to its replicas.
 */
final class Traces {

	/* The number of new keys in results. */
	static final int PER_SECOND = 1000;

	private static final int PERIODS = 4;

	private static final int FIRST = 100;

	private static final int THREADS = 16;

	private Traces() {
	}

	/* A lock that is held after many locks that were held for a moment. */
	static Map<Measure, Double> leftovers(Fleet fleet) throws IOException {
		Redis redis = fleet.place().redis();
		cycle(fleet, "leftovers", fleet.place().options().cycles());
		// Both contenders renew every third of the lease.
		Duration period = fleet.place().options().cyclesLease().dividedBy(3);
		double calls = Span.in(period, period.multipliedBy(PERIODS))
			.growthOf(() -> redis.calls(fleet.contender().commands()));
		return Map.of(Measure.PER_PERIOD, calls / PERIODS);
	}

	/*
	 * All keys that are new while one record is kept, created at once: Redis has this
	 * number of records at any later time.
	 */
	static Map<Measure, Double> newKeys(Fleet fleet) throws IOException {
		Redis redis = fleet.place().redis();
		int newKeys = fleet.place().options().newKeys();
		fleet.ask((place) -> take(place, "first", FIRST));
		double seconds = redis.longestTtl() / 1e3;
		int keys = (int) (newKeys * Math.max(1, seconds));
		long start = System.nanoTime();
		long before = redis.memory();
		fleet.ask((place) -> take(place, "next", keys));
		long bytes = Math.max(0, redis.memory() - before);
		if (seconds > 0 && System.nanoTime() - start > seconds * 1e9) {
			throw new IllegalStateException(
					"The first of " + keys + " keys was forgotten before the last one came: the machine is too slow");
		}
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		values.put(Measure.REMEMBERED_MEGABYTES, bytes * (PER_SECOND / (double) newKeys) / 1e6);
		values.put(Measure.REMEMBERED_SECONDS, seconds);
		return values;
	}

	/*
	 * The scripts are loaded before bytes are counted, because scripts are replicated,
	 * too.
	 */
	static Map<Measure, Double> replication(Fleet fleet) throws IOException, InterruptedException {
		Redis redis = fleet.place().redis();
		int cycles = fleet.place().options().cycles();
		try (Redis replica = redis.startReplica()) {
			cycle(fleet, "first", 1);
			long before = redis.replicated();
			cycle(fleet, "next", cycles);
			return Map.of(Measure.REPLICA_BYTES, (redis.replicated() - before) / (double) cycles);
		}
	}

	/*
	 * Acquires and releases a lock many times, then acquires it once more and keeps it.
	 */
	private static void cycle(Fleet fleet, String key, int count) throws IOException {
		fleet.ask((place) -> {
			Competitor competitor = place.only();
			Workplace.share(1, (thread) -> () -> {
				for (int i = 0; i < count; i++) {
					competitor.lock(key).unlock();
				}
				return place.kept().add(competitor.lock(key));
			});
			return count;
		});
	}

	/*
	 * Acquires and releases locks with different keys, each once. Returns their number.
	 */
	static int take(Workplace place, String prefix, int count) throws Exception {
		Competitor competitor = place.only();
		LongAdder taken = new LongAdder();
		Workplace.share(THREADS, (first) -> () -> {
			for (int k = first; k < count; k += THREADS) {
				competitor.lock(prefix + "-" + k).unlock();
				taken.increment();
			}
			return null;
		});
		return taken.intValue();
	}

}
