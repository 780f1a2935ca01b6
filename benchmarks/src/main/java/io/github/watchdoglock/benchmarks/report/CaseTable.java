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
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.lock.Contender;

/**
 * What all contenders had in one case, as Markdown.
 */
final class CaseTable {

	private CaseTable() {
	}

	static String of(CaseResults results) {
		List<Column> columns = Stream.of(Column.values()).filter((column) -> results.has(column.measure())).toList();
		boolean compared = results.contenders().containsKey(Contender.REDISSON.title());
		StringBuilder table = new StringBuilder("\n**" + results.title() + "**\n\n| |");
		columns.forEach((column) -> table.append(' ').append(column.head()).append(" |"));
		table.append(compared ? " to Redisson |" : "").append("\n|---|");
		table.append("---|".repeat(columns.size() + (compared ? 1 : 0))).append('\n');
		for (String contender : results.contenders().keySet()) {
			table.append("| ").append(contender).append(" | ");
			table.append(columns.stream()
				.map((column) -> column.print(results.of(contender, column.measure())))
				.collect(Collectors.joining(" | ")));
			table.append(compared ? " | " + compare(results, contender, columns.get(0)) : "").append(" |\n");
		}
		return table.toString();
	}

	private static String compare(CaseResults results, String contender, Column column) {
		double ratio = Medians.median(results.of(contender, column.measure()))
				/ Medians.median(results.of(Contender.REDISSON.title(), column.measure()));
		if (Double.isNaN(ratio)) {
			return "";
		}
		String format = (ratio < 0.1) ? "%.2g ×" : ((ratio < 100) ? "%.2f ×" : "%,.0f ×");
		return String.format(Locale.ROOT, format, ratio);
	}

}
