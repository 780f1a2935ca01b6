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

import java.util.ArrayList;
import java.util.List;

/**
 * One chart: a bar for each contender, to a scale of its own.
 *
 * @param title what it shows
 * @param bars the bars
 */
record Panel(String title, List<Bar> bars) {

	static Panel of(CaseResults results, Column column) {
		List<Bar> bars = new ArrayList<>();
		results.contenders().forEach((contender, measures) -> {
			List<Double> values = results.of(contender, column.measure());
			if (!values.isEmpty()) {
				bars.add(new Bar(contender, Medians.median(values), Medians.least(values), Medians.greatest(values),
						column.print(Medians.median(values))));
			}
		});
		String better = (column == Column.PER_SECOND) ? " ↑" : " ↓";
		return new Panel(results.title() + ": " + column.head() + better, bars);
	}

	double scale() {
		return this.bars.stream().mapToDouble(Bar::greatest).max().orElse(1);
	}

	/**
	 * What one contender had.
	 *
	 * @param contender who
	 * @param median of all rounds
	 * @param least of all rounds
	 * @param greatest of all rounds
	 * @param label the median, as it is written
	 */
	record Bar(String contender, double median, double least, double greatest, String label) {

	}

}
