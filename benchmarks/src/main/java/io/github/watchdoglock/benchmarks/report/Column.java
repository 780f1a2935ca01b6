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

package io.github.watchdoglock.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * What a table shows of one kind of value.
 */
enum Column {

	PER_SECOND(Measure.PER_SECOND, "per second", "%,.0f", true),

	PAIR(Measure.PAIR_MICROS, "lock + unlock", "%,.0f µs", true),

	PAIR_99(Measure.PAIR_MICROS_99, "99 %", "%,.0f µs", false),

	COMMANDS(Measure.COMMANDS, "commands each", "%.2f", false),

	LUCK(Measure.LUCK, "luckiest : unluckiest", "%.1f", false),

	LONGEST_WAIT(Measure.LONGEST_WAIT_MILLIS, "longest wait", "%,.0f ms", true),

	GAP(Measure.GAP_MICROS, "gap", "%,.0f µs", false),

	LONELY(Measure.LONELY_WAIT_HOLDS, "the single caller's longest wait", "%.1f holds", true),

	CLIENT(Measure.CLIENT_MICROS, "client CPU each", "%,.0f µs", false),

	SERVER(Measure.SERVER_MICROS, "Redis CPU each", "%,.0f µs", false),

	SERVER_RUN(Measure.SERVER_RUN_MICROS, "of it commands", "%,.1f µs", false),

	CLIENT_PERCENT(Measure.CLIENT_PERCENT, "client CPU", "%.1f %%", true),

	SERVER_PERCENT(Measure.SERVER_PERCENT, "Redis CPU", "%.1f %%", true),

	HEAP(Measure.HEAP_BYTES, "heap per lock", "%,.0f B", false),

	HELD(Measure.HELD_BYTES, "Redis memory per lock", "%,.0f B", false),

	REMEMBERED(Measure.REMEMBERED_MEGABYTES, "Redis memory", "%,.1f MB", false),

	REMEMBERED_FOR(Measure.REMEMBERED_SECONDS, "remembered for", "%,.0f s", false),

	REPLICA(Measure.REPLICA_BYTES, "bytes each", "%,.0f B", false),

	PER_PERIOD(Measure.PER_PERIOD, "renewals per period", "%,.2f", false),

	NANOS(Measure.NANOS, "each", "%,.0f ns", true);

	private final String measure;

	private final String head;

	private final String format;

	private final boolean spread;

	Column(String measure, String head, String format, boolean spread) {
		this.measure = measure;
		this.head = head;
		this.format = format;
		this.spread = spread;
	}

	String measure() {
		return this.measure;
	}

	String head() {
		return this.head;
	}

	String print(double value) {
		return Double.isNaN(value) ? "" : String.format(Locale.ROOT, this.format, value);
	}

	/* The median, and where it matters the least and the greatest of all rounds. */
	String print(List<Double> values) {
		String median = print(Medians.median(values));
		String least = print(Medians.least(values));
		String greatest = print(Medians.greatest(values));
		if (!this.spread || least.equals(greatest)) {
			return median;
		}
		return median + " (" + least.replaceAll("[^0-9.,]", "") + "–" + greatest.replaceAll("[^0-9.,]", "") + ")";
	}

}
