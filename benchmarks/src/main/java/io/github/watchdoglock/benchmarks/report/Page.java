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
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Results.CaseResults;

/**
 * The page that shows results, of which a part is generated.
 */
final class Page {

	private static final String BEGIN = "<!-- generated: everything up to the end mark is overwritten -->";

	private static final String END = "<!-- end of what is generated -->";

	private Page() {
	}

	/* The text with that part replaced. Of further runs it shows what was reached. */
	static String update(String page, Results results, List<Results> further) {
		int begin = page.indexOf(BEGIN);
		int end = page.indexOf(END);
		if (begin < 0 || end < begin) {
			throw new IllegalArgumentException("The page has no '" + BEGIN + "' before '" + END + "'");
		}
		return page.substring(0, begin) + BEGIN + "\n\n" + generate(results, further) + "\n" + page.substring(end);
	}

	private static String generate(Results results, List<Results> further) {
		StringBuilder text = new StringBuilder();
		if (Boolean.parseBoolean(results.settings().get("quick"))) {
			text.append("> **These numbers are of a quick run, which shows that measuring works and nothing else.** ")
				.append("Rounds are too short and JVMs too cold to compare anything by them.\n\n");
		}
		text.append("| | |\n|---|---|\n");
		results.environment().forEach((name, value) -> row(text, name, value));
		row(text, "measured by", command(results.settings()));
		further.forEach((run) -> row(text, "the same on " + run.server(), run.environment().get("date") + ", "
				+ run.environment().get("watchdog-lock") + ", " + command(run.settings())));
		return text.append("\n### What was asked\n\n")
			.append(Criteria.table(Stream.concat(Stream.of(results), further.stream()).toList()))
			.append("""

					![Each case as a chart, a bar for each contender](performance/results.svg)

					Bars are medians, lines on them the least and the greatest round. ↑: more is better, ↓: less.

					### Case by case

					Medians of all rounds; in brackets the least and the greatest. "To Redisson" compares the first column.
					""")
			.append(results.cases().stream().map(Page::table).collect(Collectors.joining()))
			.toString();
	}

	private static String command(Map<String, String> settings) {
		return "`" + settings.get("command") + "`, rounds of " + settings.get("seconds") + " s: "
				+ settings.get("rounds");
	}

	private static void row(StringBuilder text, String... cells) {
		text.append("| ").append(String.join(" | ", cells)).append(" |\n");
	}

	/* What all contenders had in one case. */
	private static String table(CaseResults results) {
		List<Measure> columns = Stream.of(Measure.values())
			.filter((measure) -> !measure.head().isEmpty() && results.has(measure))
			.toList();
		boolean compared = results.contenders().containsKey(Contender.REDISSON.title());
		StringBuilder table = new StringBuilder("\n**" + results.title() + "**\n\n| | ");
		table.append(columns.stream().map(Measure::head).collect(Collectors.joining(" | ")));
		table.append(compared ? " | to Redisson |" : " |").append("\n|---|");
		table.append("---|".repeat(columns.size() + (compared ? 1 : 0))).append('\n');
		for (String contender : results.contenders().keySet()) {
			Stream<String> cells = columns.stream().map((measure) -> measure.print(results.of(contender, measure)));
			Stream<String> comparison = Stream.of(compare(results, contender, columns.get(0))).limit(compared ? 1 : 0);
			row(table,
					Stream.of(Stream.of(contender), cells, comparison).flatMap((each) -> each).toArray(String[]::new));
		}
		return table.toString();
	}

	private static String compare(CaseResults results, String contender, Measure measure) {
		double ratio = Results.median(results.of(contender, measure))
				/ Results.median(results.of(Contender.REDISSON.title(), measure));
		if (Double.isNaN(ratio)) {
			return "";
		}
		String format = (ratio < 0.1) ? "%.2g ×" : ((ratio < 100) ? "%.2f ×" : "%,.0f ×");
		return String.format(Locale.ROOT, format, ratio);
	}

}
