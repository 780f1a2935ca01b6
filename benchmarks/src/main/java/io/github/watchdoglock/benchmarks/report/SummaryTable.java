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

/**
 * What is asked and what was reached, as Markdown.
 */
final class SummaryTable {

	private SummaryTable() {
	}

	/* Two columns for each run. */
	static String of(List<Results> runs) {
		StringBuilder table = new StringBuilder("| | asked |");
		runs.forEach((run) -> table.append(' ').append(run.server()).append(" | reached |"));
		table.append("\n|---|---|").append("---|---|".repeat(runs.size())).append('\n');
		for (Criterion criterion : Criteria.all()) {
			table.append("| ").append(criterion.subject()).append(" | ").append(criterion.asked()).append(" |");
			for (Results run : runs) {
				table.append(' ').append(criterion.print(criterion.value().applyAsDouble(run)));
				table.append(" | ").append(criterion.verdict(run)).append(" |");
			}
			table.append('\n');
		}
		return table.toString();
	}

}
