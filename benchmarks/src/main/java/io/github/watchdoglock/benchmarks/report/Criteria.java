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

import io.github.watchdoglock.benchmarks.lock.Contender;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What this project sets out to reach: {@code criteria.json}, and of locks that several
 * may have {@code criteria-kinds.json}.
 */
final class Criteria {

	private Criteria() {
	}

	/* What is asked and what was reached, as Markdown: two columns for each run. */
	static String table(String file, List<Results> runs) {
		StringBuilder table = new StringBuilder("| | asked |");
		runs.forEach((run) -> table.append(' ').append(run.server()).append(" | reached |"));
		table.append("\n|---|---|").append("---|---|".repeat(runs.size())).append('\n');
		for (Criterion criterion : JsonMapper.shared()
			.readValue(Criteria.class.getResourceAsStream(file), Criterion[].class)) {
			table.append("| ").append(criterion.subject).append(" | ").append(criterion.asked()).append(" |");
			runs.forEach((run) -> table.append(criterion.reached(run)));
			table.append('\n');
		}
		return table.toString();
	}

	/**
	 * What is asked of a number.
	 *
	 * @param subject what the number says
	 * @param atMost the most that it may be
	 * @param atLeast or the least
	 * @param format how it is printed, where it is not a ratio
	 * @param id the case that it is from
	 * @param measure what was measured
	 * @param contender of whom, where not of this project
	 * @param to what it is divided by: the same of another one
	 * @param minus what is subtracted from it: the same of another one; both nanoseconds,
	 * the difference microseconds
	 */
	private record Criterion(String subject, @Nullable Double atMost, @Nullable Double atLeast, @Nullable String format,
			String id, Measure measure, @Nullable String contender, @Nullable String to, @Nullable String minus) {

		String asked() {
			return (this.atMost != null) ? "≤ " + print(this.atMost) : "≥ " + print(this.atLeast);
		}

		String reached(Results results) {
			double number = number(results);
			if (Double.isNaN(number)) {
				return " – | not measured |";
			}
			boolean reached = (this.atMost == null || number <= this.atMost)
					&& (this.atLeast == null || number >= this.atLeast);
			return " " + print(number) + " | " + (reached ? "yes" : "**no**") + " |";
		}

		/* Not a number where it was not measured. */
		private double number(Results results) {
			String whose = (this.contender != null) ? this.contender : Contender.WATCHDOG_LOCK.title();
			double number = results.median(this.id, whose, this.measure);
			if (this.minus != null) {
				return (number - results.median(this.id, this.minus, this.measure)) / 1e3;
			}
			return (this.to != null) ? number / results.median(this.id, this.to, this.measure) : number;
		}

		private String print(@Nullable Double number) {
			return String.format(Locale.ROOT, (this.format != null) ? this.format : "%,.2f ×", number);
		}

	}

}
