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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import org.HdrHistogram.Histogram;

/**
 * A task in which callers acquire and release locks until a span has ended.
 *
 * @param key the key, or the prefix of the keys
 * @param ownKeys whether each caller has its own key
 * @param callers the number of callers of each instance, including those in other JVMs
 * @param work how long a lock is held
 * @param interval the time from one request of a caller to its next; zero if it does not
 * pause
 * @param mix the mix of uses
 * @param ordered whether the times of requests and acquisitions are recorded
 * @param span the time that is measured; the time before it is for the start of the
 * callers
 * @param cells the file for the checks, which is created if it does not exist
 */
record Contention(String key, boolean ownKeys, List<Integer> callers, Duration work, Duration interval, Mix mix,
		boolean ordered, Span span, String cells) implements Task<Contention.Result> {

	private static final Duration ENDING = Duration.ofSeconds(60);

	@Override
	public Result run(Workplace place) throws Exception {
		CountDownLatch measured = new CountDownLatch(1);
		Map<Thread, FutureTask<Result>> started = callers(place, measured);
		started.keySet().forEach(Thread::start);
		List<Result> parts = new ArrayList<>();
		Span.sleepUntil(this.span.from());
		double cpu = Task.cpuNanos();
		long bytes = Consumption.bytes();
		Span.sleepUntil(this.span.until());
		parts.add(Result.of(Task.cpuNanos() - cpu, Consumption.bytes() - bytes));
		measured.countDown();
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
		ensureEnded(place);
		return Result.sum(parts);
	}

	private static void ensureEnded(Workplace place) throws InterruptedException {
		long unended = 1;
		for (int i = 0; i < 100 && unended != 0; i++) {
			unended = place.instances().stream().mapToLong(Competitor::unendedObservations).sum();
			Thread.sleep((unended != 0) ? 10 : 0);
		}
		if (unended != 0) {
			throw new IllegalStateException(unended + " observations of locks have not ended");
		}
	}

	/*
	 * The callers of the instances in this JVM. Their threads do not end before the
	 * measurement, which asks for the allocations of each.
	 */
	private Map<Thread, FutureTask<Result>> callers(Workplace place, CountDownLatch measured) throws Exception {
		List<ExclusionCell> mapped = ExclusionCell.map(Path.of(this.cells));
		Map<Thread, FutureTask<Result>> callers = new LinkedHashMap<>();
		int number = 0;
		for (int instance = 1; instance <= this.callers.size(); instance++) {
			int index = instance - place.first();
			for (int i = 0; i < this.callers.get(instance - 1); i++) {
				number++;
				if (index >= 0 && index < place.instances().size()) {
					Competitor competitor = place.instances().get(index);
					Caller turns = new Caller(competitor, this.ownKeys ? this.key + "-" + number : this.key, instance,
							number, mapped.get(this.ownKeys ? number : 0), this);
					FutureTask<Result> caller = new FutureTask<>(() -> {
						Result result = turns.call();
						measured.await();
						return result;
					});
					Thread thread = new Thread(caller, "caller-" + instance + "-" + number);
					thread.setDaemon(true);
					callers.put(thread, caller);
				}
			}
		}
		return callers;
	}

	/**
	 * The results of the callers of one JVM, or of several.
	 *
	 * @param callers the result of each caller
	 * @param total the number of acquisitions, including those outside the span
	 * @param pairs the times to acquire and release a lock without the work, in the span
	 * @param gaps the times without a holder between holders of different instances, in
	 * the span
	 * @param cpuNanos the CPU time of the JVMs in the span
	 * @param bytes the bytes that the JVMs have allocated in the span
	 */
	record Result(List<CallerResult> callers, long total, Histogram pairs, Histogram gaps, double cpuNanos,
			long bytes) implements Serializable {

		static Result of(double cpuNanos, long bytes) {
			return new Result(List.of(), 0, histogram(), histogram(), cpuNanos, bytes);
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
					parts.stream().mapToDouble(Result::cpuNanos).sum(), parts.stream().mapToLong(Result::bytes).sum());
		}

		/* The number of acquisitions in the span. */
		long acquired() {
			return this.callers.stream().mapToLong(CallerResult::acquired).sum();
		}

		/*
		 * Create a histogram of nanoseconds with a precision of one percent. Not
		 * thread-safe.
		 */
		static Histogram histogram() {
			return new Histogram(TimeUnit.HOURS.toNanos(1), 2);
		}

		/* The value that a percentage of all values does not exceed, in microseconds. */
		static double micros(Histogram histogram, double percent) {
			return histogram.medianEquivalentValue(histogram.getValueAtPercentile(percent)) / 1e3;
		}

		/**
		 * The result of one caller.
		 *
		 * @param instance its instance, from one
		 * @param acquired the number of its acquisitions in the span
		 * @param longestWait its longest wait that reached into the span, in nanoseconds
		 * @param longestWrite its longest wait to write
		 * @param arrivals the times of its requests and acquisitions, if they are
		 * recorded
		 */
		record CallerResult(int instance, long acquired, long longestWait, long longestWrite,
				Arrivals arrivals) implements Serializable {

		}

	}

}
