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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.watchdoglock.benchmarks.report.Results.CaseResults;

/**
 * Charts of results as SVG, two in a row. They are the same on each machine: no text is
 * measured, so no fonts are required.
 */
final class Plot {

	private static final Map<String, List<Measure>> CHARTS = Map.of("own-key-1", List.of(Measure.PAIR_MICROS),
			"own-keys-32", List.of(Measure.PER_SECOND), "one-key-32", List.of(Measure.PER_SECOND), "four-by-4",
			List.of(Measure.PER_SECOND, Measure.MAX_WAIT_MILLIS), "four-by-32",
			List.of(Measure.PER_SECOND, Measure.MAX_WAIT_MILLIS), "four-by-4-work", List.of(Measure.PER_SECOND),
			"four-contexts", List.of(Measure.PER_SECOND));

	private static final int WIDTH = 520;

	private static final int LABELS = 225;

	private static final int BARS = 200;

	private static final int HEAD = 34;

	private static final int LINE = 20;

	private final StringBuilder svg = new StringBuilder();

	private Plot() {
	}

	static String svg(Results results) {
		Plot plot = new Plot();
		int height = 0;
		int charts = 0;
		int top = 0;
		for (CaseResults each : results.cases()) {
			for (Measure measure : CHARTS.getOrDefault(each.id(), List.of())) {
				top = (charts % 2 == 0) ? height : top;
				height = Math.max(height, plot.draw(each, measure, charts++ % 2 * WIDTH, top));
			}
		}
		return String.format(Locale.ROOT, """
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
				<rect width="100%%" height="100%%" fill="white"/>
				%s</svg>
				""", 2 * WIDTH, height, plot.svg);
	}

	/*
	 * Draw a bar for each contender, with a scale for this chart. Returns the position of
	 * the next chart.
	 */
	private int draw(CaseResults results, Measure measure, int left, int top) {
		text(left + 10, top + 22, "font-weight=\"bold\"",
				results.title() + ": " + measure.head() + ((measure == Measure.PER_SECOND) ? " ↑" : " ↓"));
		List<String> contenders = new ArrayList<>(results.contenders().keySet());
		contenders.removeIf((contender) -> results.of(contender, measure).isEmpty());
		double scale = BARS / contenders.stream()
			.mapToDouble((contender) -> Collections.max(results.of(contender, measure)))
			.max()
			.orElse(1);
		int x = left + LABELS;
		int y = top + HEAD;
		for (String contender : contenders) {
			List<Double> values = results.of(contender, measure);
			double median = Results.median(values);
			double end = x + Collections.max(values) * scale;
			text(x - 6, y + 13, "text-anchor=\"end\"", contender);
			add("<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>", x, y + 2,
					Math.max(1, median * scale), contender.startsWith("watchdog-lock") ? "#2f6f4f" : "#9aa5b1");
			add("<path d=\"M%.1f %dH%.1f\" stroke=\"black\"/>", x + Collections.min(values) * scale, y + 9, end);
			text((int) (end + 6), y + 13, "", measure.print(median));
			y += LINE;
		}
		return y + LINE;
	}

	private void text(int x, int y, String attributes, String text) {
		add("<text x=\"%d\" y=\"%d\" %s>%s</text>", x, y, attributes, text.replace("&", "&amp;").replace("<", "&lt;"));
	}

	private void add(String format, Object... values) {
		this.svg.append(String.format(Locale.ROOT, format, values)).append('\n');
	}

}
