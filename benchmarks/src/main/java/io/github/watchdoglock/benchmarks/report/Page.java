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
import java.util.Map;
import java.util.stream.Stream;

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
		Map<String, String> settings = results.settings();
		if (Boolean.parseBoolean(settings.get("quick"))) {
			text.append("> **These numbers are of a quick run, which shows that measuring works and nothing else.** ")
				.append("Rounds are too short and JVMs too cold to compare anything by them.\n\n");
		}
		text.append("| | |\n|---|---|\n");
		results.environment().forEach((name, value) -> row(text, name, value));
		row(text, "measured by", command(settings));
		further.forEach((run) -> row(text, "the same on " + run.server(), run.environment().get("date") + ", "
				+ run.environment().get("watchdog-lock") + ", " + command(run.settings())));
		text.append("\n### What was asked\n\n")
			.append(SummaryTable.of(Stream.concat(Stream.of(results), further.stream()).toList()));
		text.append("\n![Each case as a chart, a bar for each contender](performance/results.svg)\n")
			.append("\nBars are medians, lines on them the least and the greatest round. ↑: more is better, ↓: less.\n");
		text.append("\n### Case by case\n\n")
			.append("Medians of all rounds; in brackets the least and the greatest. \"To Redisson\" compares the first ")
			.append("column.\n");
		results.cases().forEach((each) -> text.append(CaseTable.of(each)));
		return text.toString();
	}

	private static String command(Map<String, String> settings) {
		return "`" + settings.get("command") + "`, rounds of " + settings.get("seconds") + " s: "
				+ settings.get("rounds");
	}

	private static void row(StringBuilder text, String name, String value) {
		text.append("| ").append(name).append(" | ").append(value).append(" |\n");
	}

}
