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
import java.util.Objects;

import io.github.watchdoglock.benchmarks.lock.Contender;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The performance goals of this project: {@code criteria.json}, and
 * {@code criteria-kinds.json} for locks that several callers may hold.
 */
final class Criteria {

	private Criteria() {
	}

	/* Return the goals and the results as Markdown, with two columns for each run. */
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
	 * A goal for one number.
	 *
	 * @param subject the meaning of the number
	 * @param atMost the upper limit
	 * @param atLeast the lower limit, if there is no upper one
	 * @param onValkey the limit on Valkey, if it differs
	 * @param format how the number is printed, if it is not a ratio
	 * @param id the case of the number
	 * @param measure the measure
	 * @param contender the contender, if it is not this project
	 * @param to the contender whose number it is divided by
	 * @param minus the contender whose number is subtracted from it; both in nanoseconds,
	 * the difference in microseconds
	 */
	private record Criterion(String subject, @Nullable Double atMost, @Nullable Double atLeast,
			@Nullable Double onValkey, @Nullable String format, String id, Measure measure, @Nullable String contender,
			@Nullable String to, @Nullable String minus) {

		String asked() {
			String asked = ((this.atMost != null) ? "≤ " : "≥ ") + print(limit(false));
			return (this.onValkey != null) ? asked + ", Valkey: " + print(this.onValkey) : asked;
		}

		private double limit(boolean valkey) {
			if (valkey && this.onValkey != null) {
				return this.onValkey;
			}
			return Objects.requireNonNull((this.atMost != null) ? this.atMost : this.atLeast);
		}

		String reached(Results results) {
			double number = number(results);
			if (Double.isNaN(number)) {
				return " – | not measured |";
			}
			double limit = limit(results.isOnValkey());
			boolean reached = (this.atMost != null) ? number <= limit : number >= limit;
			return " " + ((this.to != null && this.format == null) ? ratio(results).print() : print(number)) + " | "
					+ (reached ? "yes" : "**no**") + " |";
		}

		/* NaN if it was not measured. */
		private double number(Results results) {
			if (this.to != null) {
				return ratio(results).median();
			}
			double number = results.median(this.id, whose(), this.measure);
			return (this.minus != null) ? (number - results.median(this.id, this.minus, this.measure)) / 1e3 : number;
		}

		private Ratio ratio(Results results) {
			return results.ratio(this.id, whose(), Objects.requireNonNull(this.to), this.measure);
		}

		private String whose() {
			return (this.contender != null) ? this.contender : Contender.WATCHDOG_LOCK.title();
		}

		private String print(double number) {
			return String.format(Locale.ROOT, (this.format != null) ? this.format : "%,.2f ×", number);
		}

	}

}
