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
 * What a round brought, as a line of text between JVMs.
 *
 * @param callers how many there were
 * @param perSecond how many locks were taken in a second
 * @param bytes what the JVM allocated for each
 * @param lateMillis by how much the latest renewal was too late
 * @param failures how many callers failed, and how many locks were lost
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

	/* Without what only an engine has. */
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
