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
import java.util.Locale;

import io.github.watchdoglock.benchmarks.report.Panel.Bar;

/**
 * Charts of results as SVG, two in a row.
 */
final class Plot {

	private static final int WIDTH = 520;

	private static final int LABELS = 225;

	private static final int BARS = 200;

	private static final int HEAD = 34;

	private static final int LINE = 20;

	private static final String OURS = "#2f6f4f";

	private static final String OTHERS = "#9aa5b1";

	private final List<Panel> panels = new ArrayList<>();

	private final StringBuilder svg = new StringBuilder();

	Plot(Results results) {
		for (CaseResults each : results.cases()) {
			switch (each.id()) {
				case "own-key-1" -> this.panels.add(Panel.of(each, Column.PAIR));
				case "own-keys-32", "one-key-32", "four-contexts", "four-by-4-work" ->
					this.panels.add(Panel.of(each, Column.PER_SECOND));
				case "four-by-4", "four-by-32" -> {
					this.panels.add(Panel.of(each, Column.PER_SECOND));
					this.panels.add(Panel.of(each, Column.LONGEST_WAIT));
				}
				default -> {
					// A number or two need no chart.
				}
			}
		}
	}

	String svg() {
		int y = 0;
		for (int i = 0; i < this.panels.size(); i += 2) {
			List<Panel> row = this.panels.subList(i, Math.min(i + 2, this.panels.size()));
			for (Panel panel : row) {
				draw(panel, row.indexOf(panel) * WIDTH, y);
			}
			y += HEAD + LINE * row.stream().mapToInt((panel) -> panel.bars().size()).max().orElse(0) + LINE;
		}
		return String.format(Locale.ROOT, """
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
				<rect width="100%%" height="100%%" fill="white"/>
				%s</svg>
				""", 2 * WIDTH, y, this.svg);
	}

	private void draw(Panel panel, int x, int y) {
		text(x + 10, y + 22, "font-weight=\"bold\"", panel.title());
		double scale = BARS / panel.scale();
		int top = y + HEAD;
		for (Bar bar : panel.bars()) {
			text(x + LABELS - 6, top + 13, "text-anchor=\"end\"", bar.contender());
			String colour = bar.contender().startsWith("watchdog-lock") ? OURS : OTHERS;
			add("<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>", x + LABELS, top + 2,
					Math.max(1, bar.median() * scale), colour);
			add("<path d=\"M%.1f %dH%.1f\" stroke=\"black\"/>", x + LABELS + bar.least() * scale, top + 9,
					x + LABELS + bar.greatest() * scale);
			text((int) (x + LABELS + 6 + bar.greatest() * scale), top + 13, "", bar.label());
			top += LINE;
		}
	}

	private void text(int x, int y, String attributes, String text) {
		add("<text x=\"%d\" y=\"%d\" %s>%s</text>", x, y, attributes, text.replace("&", "&amp;").replace("<", "&lt;"));
	}

	private void add(String format, Object... values) {
		this.svg.append(String.format(Locale.ROOT, format, values)).append('\n');
	}

}
