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
import java.util.Random;
import java.util.stream.IntStream;

import io.github.watchdoglock.benchmarks.report.Results.CaseResults;

/**
 * The ratio of a contender's values to those of another, round by round: rounds with the
 * same number were measured one after the other.
 *
 * @param median the median; NaN if nothing was measured
 * @param low the lower end of its 95 % interval; NaN if there are too few rounds
 * @param high the upper end of its 95 % interval; NaN if there are too few rounds
 */
record Ratio(double median, double low, double high) {

	private static final int FEWEST_ROUNDS = 5;

	private static final int SAMPLES = 2_000;

	static Ratio of(CaseResults results, String contender, String to, Measure measure) {
		List<Double> values = results.of(contender, measure);
		List<Double> others = results.of(to, measure);
		List<Double> ratios = IntStream.range(0, Math.min(values.size(), others.size()))
			.mapToObj((round) -> values.get(round) / others.get(round))
			.toList();
		if (ratios.size() < FEWEST_ROUNDS || contender.equals(to)) {
			return new Ratio(Results.median(ratios), Double.NaN, Double.NaN);
		}
		List<Double> medians = medians(ratios);
		return new Ratio(Results.median(ratios), medians.get(SAMPLES / 40), medians.get(SAMPLES - 1 - SAMPLES / 40));
	}

	/* The medians of samples with replacement, the least first. */
	private static List<Double> medians(List<Double> ratios) {
		Random random = new Random(1);
		return IntStream.range(0, SAMPLES)
			.mapToObj((sample) -> Results.median(IntStream.range(0, ratios.size())
				.mapToObj((round) -> ratios.get(random.nextInt(ratios.size())))
				.toList()))
			.sorted()
			.toList();
	}

	String print() {
		if (Double.isNaN(this.median)) {
			return "";
		}
		String format = (this.median < 0.1) ? "%.2g" : ((this.median < 100) ? "%.2f" : "%,.0f");
		String text = String.format(Locale.ROOT, format + " ×", this.median);
		return Double.isNaN(this.low) ? text
				: text + String.format(Locale.ROOT, " (" + format + "–" + format + ")", this.low, this.high);
	}

}
