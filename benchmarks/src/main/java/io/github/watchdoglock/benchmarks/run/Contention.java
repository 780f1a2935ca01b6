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

import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import org.HdrHistogram.Histogram;

/**
 * Callers take and release locks until a span is over.
 *
 * @param key the key, or what keys begin with
 * @param ownKeys whether each caller has a key of its own
 * @param callers how many callers each instance has, those of other JVMs included
 * @param work how long a lock is held
 * @param mix what for
 * @param ordered whether it is noted who asked when
 * @param span what is measured; what comes before is for getting going
 * @param cells the file for the checks, or where there is none yet
 */
record Contention(String key, boolean ownKeys, List<Integer> callers, Duration work, Mix mix, boolean ordered,
		Span span, String cells) implements Task<Contention.Result> {

	private static final Duration ENDING = Duration.ofSeconds(60);

	@Override
	public Result run(Workplace place) throws Exception {
		Map<Thread, FutureTask<Result>> started = callers(place);
		started.keySet().forEach(Thread::start);
		List<Result> parts = new ArrayList<>();
		parts.add(Result.ofCpu(this.span.growthOf(Task::cpuNanos)));
		long deadline = System.nanoTime() + ENDING.toNanos();
		for (Map.Entry<Thread, FutureTask<Result>> caller : started.entrySet()) {
			try {
				parts.add(caller.getValue().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
			}
			catch (TimeoutException ex) {
				Thread thread = caller.getKey();
				throw new IllegalStateException(thread.getName() + " still waits: " + List.of(thread.getStackTrace()),
						ex);
			}
		}
		return Result.sum(parts);
	}

	/* Those of the instances that are here. */
	private Map<Thread, FutureTask<Result>> callers(Workplace place) throws Exception {
		List<ExclusionCell> mapped = ExclusionCell.map(Path.of(this.cells));
		Map<Thread, FutureTask<Result>> callers = new LinkedHashMap<>();
		int number = 0;
		for (int instance = 1; instance <= this.callers.size(); instance++) {
			int index = instance - place.first();
			for (int i = 0; i < this.callers.get(instance - 1); i++) {
				number++;
				if (index >= 0 && index < place.instances().size()) {
					Competitor competitor = place.instances().get(index);
					FutureTask<Result> caller = new FutureTask<>(
							new Caller(competitor, this.ownKeys ? this.key + "-" + number : this.key, instance, number,
									mapped.get(this.ownKeys ? number : 0), this));
					Thread thread = new Thread(caller, "caller-" + instance + "-" + number);
					thread.setDaemon(true);
					callers.put(thread, caller);
				}
			}
		}
		return callers;
	}

	/**
	 * What the callers of a JVM, or of several, had.
	 *
	 * @param callers each of them
	 * @param total how often any got the lock, outside the span too
	 * @param pairs how long it took to get and give back a lock, work left out, in the
	 * span
	 * @param gaps for how long nobody was inside from one instance to another, in the
	 * span
	 * @param cpuNanos processor time of the JVMs in the span
	 */
	record Result(List<CallerResult> callers, long total, Histogram pairs, Histogram gaps,
			double cpuNanos) implements Serializable {

		static Result ofCpu(double nanos) {
			return new Result(List.of(), 0, histogram(), histogram(), nanos);
		}

		static Result sum(List<Result> parts) {
			List<CallerResult> callers = new ArrayList<>();
			Histogram pairs = histogram();
			Histogram gaps = histogram();
			for (Result part : parts) {
				callers.addAll(part.callers);
				pairs.add(part.pairs);
				gaps.add(part.gaps);
			}
			return new Result(callers, parts.stream().mapToLong(Result::total).sum(), pairs, gaps,
					parts.stream().mapToDouble(Result::cpuNanos).sum());
		}

		/* How often any got the lock in the span. */
		long acquired() {
			return this.callers.stream().mapToLong(CallerResult::acquired).sum();
		}

		/* Counts nanoseconds, to a hundredth of each. Not thread-safe. */
		static Histogram histogram() {
			return new Histogram(TimeUnit.HOURS.toNanos(1), 2);
		}

		/* What a share of all does not exceed, in percent. */
		static double micros(Histogram histogram, double percent) {
			return histogram.medianEquivalentValue(histogram.getValueAtPercentile(percent)) / 1e3;
		}

		/**
		 * What one caller had.
		 *
		 * @param instance its instance, from one
		 * @param acquired how often it got the lock in the span
		 * @param longestWait the longest wait that reached into the span, in nanoseconds
		 * @param longestWrite the longest of those to write
		 * @param arrivals when each turn was asked for, and when it began, where that is
		 * noted
		 */
		record CallerResult(int instance, long acquired, long longestWait, long longestWrite,
				Arrivals arrivals) implements Serializable {

		}

	}

}
