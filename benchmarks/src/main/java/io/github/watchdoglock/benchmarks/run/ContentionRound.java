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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.run.Contention.Result.CallerResult;

/**
 * A round in which callers acquire and release locks.
 *
 * @param id the prefix of the keys
 * @param ownKeys whether each caller has its own key
 * @param callers the number of callers of each instance
 * @param work how long a lock is held
 * @param interval the time from one request of a caller to its next; zero if it does not
 * pause
 * @param mix the mix of uses
 * @param ordered whether overtaken callers are counted
 * @param length how long a round is measured
 */
record ContentionRound(String id, boolean ownKeys, List<Integer> callers, Duration work, Duration interval, Mix mix,
		boolean ordered, Duration length) implements Case.Round {

	private static final int TRIES = 3;

	private static final int WAYS = 3;

	/*
	 * Longer if several instances share the calls, or if a lock can take more code paths,
	 * because it takes a while until all of them are compiled.
	 */
	@Override
	public void warmUp(Fleet fleet) throws IOException {
		int ways = (this.mix != Mix.EXCLUSIVE) ? WAYS : 1;
		int times = this.work.isZero() ? Math.max(ways, this.callers.size()) : 1;
		Duration length = fleet.place().options().warmUp().multipliedBy(times);
		var unused = measure(fleet, Span.in(Duration.ZERO, length));
	}

	/* If the machine is so busy that callers did not get started, they get more time. */
	@Override
	public Map<Measure, Double> measure(Fleet fleet) throws IOException {
		Duration ramp = fleet.place().options().ramp();
		for (int i = 0; i < TRIES; i++) {
			Map<Measure, Double> values = measure(fleet, Span.in(ramp, this.length));
			if (!values.isEmpty()) {
				return values;
			}
			ramp = ramp.multipliedBy(5);
		}
		throw new IllegalStateException("Nobody got the lock: " + this.id + ", " + fleet.contender().title());
	}

	/* Empty if no caller acquired the lock. */
	private Map<Measure, Double> measure(Fleet fleet, Span span) throws IOException {
		Place place = fleet.place();
		Redis redis = place.redis();
		Contender contender = fleet.contender();
		place.cells().forEach(ExclusionCell::clear);
		SentCommands commands = new SentCommands(redis, contender);
		Fleet.Answers<Contention.Result> answers = fleet.give(new Contention(
				this.id + "-" + contender.name().toLowerCase(Locale.ROOT), this.ownKeys, this.callers, this.work,
				this.interval, this.mix, this.ordered, span, place.folder().resolve(Place.CELLS).toString()));
		double serverSeconds = span.growthOf(redis::cpuSeconds);
		Contention.Result result = Contention.Result.sum(answers.await());
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		double acquired = result.acquired();
		if (acquired > 0) {
			double total = result.total();
			values.put(Measure.PER_SECOND, acquired / span.seconds());
			values.put(Measure.PAIR_MICROS, Contention.Result.micros(result.pairs(), 50));
			values.put(Measure.PAIR_MICROS_99, Contention.Result.micros(result.pairs(), 99));
			values.put(Measure.COMMANDS, commands.calls() / total);
			values.put(Measure.SERVER_RUN_MICROS, commands.micros() / total);
			values.put(Measure.CLIENT_MICROS, result.cpuNanos() / 1e3 / acquired);
			values.put(Measure.SERVER_MICROS, serverSeconds * 1e6 / acquired);
			values.put(Measure.ALLOCATED_BYTES, result.bytes() / acquired);
			if (!this.ownKeys && result.callers().size() > 1) {
				addSharing(values, result);
			}
		}
		return values;
	}

	private void addSharing(Map<Measure, Double> values, Contention.Result result) {
		List<CallerResult> callers = result.callers();
		long most = callers.stream().mapToLong(CallerResult::acquired).max().orElse(0);
		long fewest = callers.stream().mapToLong(CallerResult::acquired).min().orElse(0);
		values.put(Measure.LUCK, most / (double) Math.max(1, fewest));
		values.put(Measure.MAX_WAIT_MILLIS, longestWait(callers) / 1e6);
		if (this.mix == Mix.READERS) {
			values.put(Measure.MAX_WRITE_MILLIS,
					callers.stream().mapToLong(CallerResult::longestWrite).max().orElse(0) / 1e6);
		}
		if (this.ordered) {
			addOrder(values, Arrivals.overtakers(callers.stream().map(CallerResult::arrivals).toList()));
		}
		if (this.mix == Mix.EXCLUSIVE && this.callers.size() > 1 && result.gaps().getTotalCount() > 0) {
			values.put(Measure.GAP_MICROS, Contention.Result.micros(result.gaps(), 50));
		}
		int lonely = this.callers.indexOf(1) + 1;
		if (lonely > 0 && !this.work.isZero()) {
			long wait = longestWait(callers.stream().filter((caller) -> caller.instance() == lonely).toList());
			values.put(Measure.LONELY_WAIT_HOLDS, wait / (double) this.work.toNanos());
		}
	}

	private static void addOrder(Map<Measure, Double> values, int[] overtakers) {
		values.put(Measure.OVERTAKERS, IntStream.of(overtakers).average().orElse(0));
		values.put(Measure.MAX_OVERTAKERS, (double) IntStream.of(overtakers).max().orElse(0));
		values.put(Measure.OVERTAKEN_PERCENT,
				100.0 * IntStream.of(overtakers).filter((count) -> count > 0).count() / overtakers.length);
	}

	private static long longestWait(List<CallerResult> callers) {
		return callers.stream().mapToLong(CallerResult::longestWait).max().orElse(0);
	}

}
