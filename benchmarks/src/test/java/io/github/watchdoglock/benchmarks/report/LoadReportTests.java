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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LoadReport}.
 */
class LoadReportTests {

	private static final String HEAD = "| asked | | | ≥ 0.80 × | | ≤ 1.50 × | ≤ 900 ms | 0 | |\n";

	private final Results results = new Results(Map.of("date", "today", "machine", "2 cores", "watchdog-lock", "0.1"),
			Map.of("few", "32", "many", "10000", "rounds", "2", "seconds", "3.0", "leaseMillis", "9000"));

	@Test
	void ratiosAreComputedFromPairedRounds() {
		add("32", 1000, 800, 0, 0);
		add("10000", 900, 1000, 200, 0);
		add("32", 2000, 800, 0, 0);
		add("10000", 1700, 800, 300, 0);
		assertThat(LoadReport.table(this.results)).contains(HEAD
				+ "| One key | 1,500 | 1,300 | 0.88 × (0.85–0.90) | 800 B, 900 B | 1.13 × (1.00–1.25) | 300 ms | 0 | yes |\n");
	}

	@Test
	void latenessAboveLimitFailsCriterion() {
		add("32", 1000, 800, 0, 0);
		add("10000", 900, 800, 901, 0);
		assertThat(LoadReport.table(this.results)).endsWith("| 901 ms | 0 | **no** |\n");
	}

	@Test
	void failureInRoundFailsCriterion() {
		add("32", 1000, 800, 0, 0);
		add("10000", 900, 800, 0, 2);
		assertThat(LoadReport.table(this.results)).endsWith("| 0 ms | 2 | **no** |\n");
	}

	@Test
	void caseWithoutRenewalsHasNoVerdict() {
		this.results.add("fair", "Fair lock", "32", Map.of(Measure.PER_SECOND, 10.0, Measure.ALLOCATED_BYTES, 1.0));
		this.results.add("fair", "Fair lock", "10000", Map.of(Measure.PER_SECOND, 1.0, Measure.ALLOCATED_BYTES, 1.0));
		assertThat(LoadReport.table(this.results))
			.endsWith("| 0.10 × (0.10–0.10) | 1 B, 1 B | 1.00 × (1.00–1.00) | | | |\n");
	}

	@Test
	void updateWritesLoadTableIntoMeasurementsPage() throws IOException {
		add("32", 1000, 800, 0, 0);
		String page = Files.readString(Path.of("..", "contributing", "measurements.md"));
		assertThat(LoadReport.update(page, this.results)).contains(HEAD);
	}

	private void add(String callers, double perSecond, double bytes, double lateMillis, double failures) {
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		values.put(Measure.PER_SECOND, perSecond);
		values.put(Measure.ALLOCATED_BYTES, bytes);
		values.put(Measure.LATENESS_MILLIS, lateMillis);
		values.put(Measure.FAILURES, failures);
		this.results.add("one-key", "One key", callers, values);
	}

}
