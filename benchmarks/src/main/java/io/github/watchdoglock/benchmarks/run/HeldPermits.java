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
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

import io.github.watchdoglock.benchmarks.lock.Competitor.Kinds;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.run.Fleet.Shape;
import io.github.watchdoglock.benchmarks.run.Task.Workplace;

/**
 * The case of permits that several instances hold for long, until one of these instances
 * is killed. It also measures the cost of renewals in Redis, in comparison with as many
 * exclusive locks.
 */
final class HeldPermits {

	private static final int COUNT = 50;

	private static final String KEY = "permits-held";

	/* How long to check that waiting callers do not get a permit that is held. */
	private static final Duration WAITING = Duration.ofSeconds(2);

	private HeldPermits() {
	}

	static String title(Options options) {
		return String.format("%d permits with a lease of %d s held by 4 instances for %d s, one of which is killed",
				COUNT, options.permitLease().toSeconds(), options.permitTime().toSeconds());
	}

	static Map<Measure, Double> measure(Fleet fleet) throws IOException, InterruptedException {
		Options options = fleet.place().options();
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		double exclusive = exclusive(fleet, options);
		hold(fleet, (place, i) -> ((Kinds) place.only()).permit(KEY, COUNT));
		double permits = renewalMicros(fleet, options.permitTime());
		values.put(Measure.RENEWAL_MICROS, permits);
		values.put(Measure.EXCLUSIVE_RENEWAL_MICROS, exclusive);
		values.put(Measure.RENEWAL_RATIO, permits / exclusive);
		List<Long> freed = kill(fleet);
		double last = freed.stream().mapToLong(Long::longValue).max().orElseThrow() / 1e6;
		values.put(Measure.FREED_MILLIS, last);
		values.put(Measure.BEYOND_LEASE_MILLIS, last - options.permitLease().toMillis());
		return values;
	}

	/* Uses separate JVMs, because held locks are never released. */
	private static double exclusive(Fleet fleet, Options options) throws IOException {
		Shape shape = new Shape(fleet.jvms().size(), 1, options.permitLease(), 1);
		try (Fleet others = Fleet.start(fleet.contender(), shape, fleet.place())) {
			hold(others, (place, i) -> place.only().lock(KEY + "-" + place.first() + "-" + i));
			return renewalMicros(others, options.permitLease().multipliedBy(4));
		}
		finally {
			fleet.place().redis().clear();
		}
	}

	/* Each on its own thread, because a thread can hold only one permit of a key. */
	private static void hold(Fleet fleet, Taking taking) throws IOException {
		int instances = fleet.jvms().size();
		fleet.give((place) -> {
			int count = share(place.first(), instances);
			Workplace.share(count, (i) -> () -> place.kept().add(taking.take(place, i)));
			return count;
		}).await();
	}

	/* The share of an instance, as even as possible. */
	private static int share(int instance, int instances) {
		return COUNT / instances + ((instance <= COUNT % instances) ? 1 : 0);
	}

	/* The time of one renewal, every third of a lease. */
	private static double renewalMicros(Fleet fleet, Duration time) {
		Duration period = fleet.place().options().permitLease().dividedBy(3);
		Redis redis = fleet.place().redis();
		Span span = Span.in(period, time);
		double micros = span.growthOf(() -> redis.micros(fleet.contender().commands()));
		return micros / COUNT / (span.seconds() * 1e3 / period.toMillis());
	}

	/*
	 * Return how long each permit of the killed instance was held after the kill, in
	 * nanoseconds.
	 */
	private static List<Long> kill(Fleet fleet) throws IOException, InterruptedException {
		int lost = share(1, fleet.jvms().size());
		int survivors = fleet.jvms().size() - 1;
		WorkerProcess killed = fleet.jvms().remove(0);
		Fleet.Answers<long[]> answers = fleet.give((place) -> {
			int first = place.first() - 2;
			int count = lost / survivors + ((first < lost % survivors) ? 1 : 0);
			AtomicLongArray times = new AtomicLongArray(count);
			IntFunction<Callable<?>> waiter = (i) -> () -> {
				place.kept().add(((Kinds) place.only()).permit(KEY, COUNT));
				times.set(i, System.nanoTime());
				return null;
			};
			Workplace.share(count, waiter);
			return LongStream.range(0, count).map((i) -> times.get((int) i)).toArray();
		});
		Thread.sleep(WAITING.toMillis());
		long end = System.nanoTime();
		killed.close();
		List<Long> freed = new ArrayList<>();
		for (long[] times : answers.await()) {
			LongStream.of(times).forEach((time) -> freed.add(time - end));
		}
		if (freed.stream().anyMatch((after) -> after < 0)) {
			throw new IllegalStateException("More than " + COUNT + " permits were held at once");
		}
		return freed;
	}

	/**
	 * Acquires one lock or permit.
	 */
	@FunctionalInterface
	private interface Taking extends Serializable {

		Object take(Workplace place, int number) throws Exception;

	}

}
