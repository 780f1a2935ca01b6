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

package io.github.watchdoglock.benchmarks.load;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.report.Measure;

/**
 * The result of a round, as a line of text between JVMs.
 *
 * @param callers the number of callers
 * @param perSecond the number of acquired locks per second
 * @param bytes the bytes that the JVM allocated for each lock
 * @param lateMillis the greatest delay of a renewal
 * @param failures the number of failed callers and lost locks
 */
record LoadResult(int callers, double perSecond, double bytes, double lateMillis, long failures) {

	private static final String MARK = "ROUND";

	String line() {
		return String.join(" ", MARK, "" + this.callers, "" + this.perSecond, "" + this.bytes, "" + this.lateMillis,
				"" + this.failures);
	}

	static boolean isLine(String line) {
		return line.startsWith(MARK + " ");
	}

	static LoadResult parse(String line) {
		List<String> parts = List.of(line.split(" ", -1));
		return new LoadResult(Integer.parseInt(parts.get(1)), Double.parseDouble(parts.get(2)),
				Double.parseDouble(parts.get(3)), Double.parseDouble(parts.get(4)), Long.parseLong(parts.get(5)));
	}

	/* Leaves out values that only an engine has. */
	Map<Measure, Double> values(boolean engine) {
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		values.put(Measure.PER_SECOND, this.perSecond);
		values.put(Measure.ALLOCATED_BYTES, this.bytes);
		if (engine) {
			values.put(Measure.LATENESS_MILLIS, this.lateMillis);
			values.put(Measure.FAILURES, (double) this.failures);
		}
		return values;
	}

}
