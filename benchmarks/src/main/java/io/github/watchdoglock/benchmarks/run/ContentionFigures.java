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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.worker.CallerResult;
import io.github.watchdoglock.benchmarks.worker.ContentionResult;
import io.github.watchdoglock.benchmarks.worker.Span;

/**
 * What follows from a round of contention.
 *
 * @param result what callers had
 * @param span what was measured
 * @param usage what Redis did for the whole round, its beginning and end included
 * @param serverSeconds processor time of Redis in the span
 * @param contender whose it is
 */
record ContentionFigures(ContentionResult result, Span span, RedisUsage usage, double serverSeconds,
		Contender contender) {

	Map<String, Double> values(ContentionCase shape) {
		if (this.result.acquired() == 0) {
			throw new TaskFailedException("Nobody got the lock: " + shape.id() + ", " + this.contender.title());
		}
		double acquired = this.result.acquired();
		double total = this.result.total();
		Map<String, Double> values = new LinkedHashMap<>();
		values.put(Measure.PER_SECOND, acquired / this.span.seconds());
		values.put(Measure.PAIR_MICROS, this.result.pairs().percentile(0.5) / 1e3);
		values.put(Measure.PAIR_MICROS_99, this.result.pairs().percentile(0.99) / 1e3);
		values.put(Measure.COMMANDS, this.usage.calls(this.contender.commands()) / total);
		values.put(Measure.SERVER_RUN_MICROS, this.usage.micros(this.contender.commands()) / total);
		values.put(Measure.CLIENT_MICROS, this.result.cpuNanos() / 1e3 / acquired);
		values.put(Measure.SERVER_MICROS, this.serverSeconds * 1e6 / acquired);
		if (shape.isShared()) {
			addSharing(values, shape);
		}
		return values;
	}

	private void addSharing(Map<String, Double> values, ContentionCase shape) {
		List<CallerResult> callers = this.result.callers();
		long most = callers.stream().mapToLong(CallerResult::acquired).max().orElse(0);
		long fewest = callers.stream().mapToLong(CallerResult::acquired).min().orElse(0);
		values.put(Measure.MOST, (double) most);
		values.put(Measure.FEWEST, (double) fewest);
		values.put(Measure.LUCK, most / (double) Math.max(1, fewest));
		values.put(Measure.LONGEST_WAIT_MILLIS,
				callers.stream().mapToLong(CallerResult::longestWait).max().orElse(0) / 1e6);
		if (shape.callers().size() > 1 && this.result.gaps().count() > 0) {
			values.put(Measure.GAP_MICROS, this.result.gaps().percentile(0.5) / 1e3);
		}
		int lonely = shape.callers().indexOf(1) + 1;
		if (lonely > 0 && !shape.work().isZero()) {
			long wait = callers.stream()
				.filter((caller) -> caller.instance() == lonely)
				.mapToLong(CallerResult::longestWait)
				.max()
				.orElse(0);
			values.put(Measure.LONELY_WAIT_HOLDS, wait / (double) shape.work().toNanos());
		}
	}

}
