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

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Results}, {@link Page}, {@link Criteria} and {@link Plot}.
 */
class ReportTests {

	private static final String EMPTY = """
			# By hand
			<!-- generated: everything up to the end mark is overwritten -->
			outdated
			<!-- end of what is generated -->
			after
			""";

	private static final Path DOCS = Path.of("..", "contributing");

	@Test
	void writtenResultsAreReadUnchanged(@TempDir Path folder) throws IOException {
		results().write(folder.resolve("results.json"));
		assertThat(folder.resolve("results.json")).content()
			.contains("\n      \"watchdog-lock\": {\n        \"pairMicros\": [200.0, 100.0, 120.0]\n      },\n")
			.endsWith("}\n");
		Results read = Results.read(folder.resolve("results.json"));
		assertThat(read.environment()).containsEntry("machine", "\"fast\", 2 cores");
		assertThat(read.median("own-key-1", "watchdog-lock", Measure.PAIR_MICROS)).isEqualTo(120);
		assertThat(read.median("lonely", "watchdog-lock", Measure.LONELY_WAIT_HOLDS)).isEqualTo(3.25);
		assertThat(read.median("own-key-1", "nobody", Measure.PAIR_MICROS)).isNaN();
		assertThat(update(EMPTY, read)).isEqualTo(update(EMPTY, results()));
	}

	@Test
	void updateReplacesOnlyTextBetweenMarks() {
		String page = update(EMPTY, results());
		assertThat(page).startsWith("# By hand\n<!-- generated").endsWith("<!-- end of what is generated -->\nafter\n");
		assertThat(page).doesNotContain("outdated").contains("| machine | \"fast\", 2 cores |");
		assertThat(update(page, results())).isEqualTo(page);
		assertThatIllegalArgumentException().isThrownBy(() -> update("no marks", results()));
	}

	@Test
	void valuesAreRoundedToFiveDigits() {
		Results results = results();
		results.add("re-entry", "Re-entry", "watchdog-lock", Map.of(Measure.NANOS, 1_234_567.89));
		assertThat(results.median("re-entry", "watchdog-lock", Measure.NANOS)).isEqualTo(1_234_600);
	}

	@Test
	void medianIsMiddleValueOrMeanOfTwoMiddleValues() {
		assertThat(Results.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
		assertThat(Results.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3);
		assertThat(Results.median(List.of())).isNaN();
	}

	@Test
	void criteriaShowReachedValueOrNotMeasured() {
		String page = update(EMPTY, results());
		assertThat(page).contains("| One caller, own key: lock + unlock, to Redisson's | ≤ 1.00 × | 0.80 × | yes |",
				"| – acquisitions, to the bare pair's | ≥ 0.95 × | – | not measured |",
				"| – scripts per acquisition | ≤ 0.30 | – | not measured |");
	}

	@Test
	void resultsOnValkeyAreShownBesideThoseOnRedis(@TempDir Path folder) throws IOException {
		Results elsewhere = new Results(Map.of("Redis", "Valkey 8.1.1, here", "date", "today", "watchdog-lock", "1.2"),
				Map.of("command", "run", "seconds", "2", "rounds", "3"));
		add(elsewhere, "watchdog-lock", 100);
		add(elsewhere, "Redisson", 50);
		assertThat(Report.file(elsewhere)).hasFileName("results-valkey.json");
		elsewhere.write(folder.resolve(Report.file(elsewhere).getFileName()));
		results().write(folder.resolve(Report.RESULTS));
		String page = Page.update(EMPTY, results(), Report.readValkey(folder));
		assertThat(page).contains(
				"| | asked | Redis 6.2.11 | reached | Valkey 8.1.1 | reached |\n|---|---|---|---|---|---|",
				"| One caller, own key: lock + unlock, to Redisson's | ≤ 1.00 × | 0.80 × | yes | 2.00 × | **no** |",
				"| the same on Valkey 8.1.1 | today, 1.2, `run`, rounds of 2 s: 3 |");
	}

	@Test
	void throughputIsComparedWithEarlierBuild() {
		Results results = results();
		results.add("four-by-4", "4 × 4", "watchdog-lock", Map.of(Measure.PER_SECOND, 94.0));
		results.add("four-by-4", "4 × 4", "watchdog-lock, before", Map.of(Measure.PER_SECOND, 100.0));
		assertThat(update(EMPTY, results)).contains(
				"| 4 instances × 4 callers, one key: acquisitions, to those before | ≥ 0.95 × | 0.94 × | **no** |");
	}

	@Test
	void updateReplacesKindsSectionWithItsCriteria() {
		Results results = results();
		results.add("readers-work", "Readers", "watchdog-lock", Map.of(Measure.PER_SECOND, 120.0));
		results.add("readers-work", "Readers", "Redisson", Map.of(Measure.PER_SECOND, 60.0));
		String page = Page.updateKinds("""
				before
				<!-- generated by benchmarks/run --kinds: everything up to its end mark is overwritten -->
				outdated
				<!-- end of what benchmarks/run --kinds generates -->
				after
				""", results);
		assertThat(page).startsWith("before\n<!-- generated").endsWith("generates -->\nafter\n");
		assertThat(page).doesNotContain("outdated", "**Readers**");
		assertThat(page).contains("| – to Redisson's | ≥ 1.50 × | 2.00 × | yes |");
	}

	@Test
	void casesPageHasSectionForEachRun() {
		Results results = new Results(Map.of("date", "today", "watchdog-lock", "1.2"),
				Map.of("command", "run", "seconds", "2", "rounds", "3"));
		add(results, "watchdog-lock", 100);
		String page = Page.cases(Map.of("Exclusive locks", results));
		assertThat(page).startsWith("# Performance case by case\n");
		assertThat(page).contains("\n## Exclusive locks\n\ntoday, watchdog-lock 1.2, `run`, rounds of 2 s: 3.\n");
		assertThat(page).contains("\n\n**One caller, own key**\n");
	}

	@Test
	void tablesShowMediansAndTheirSpread() {
		assertThat(Report.tables(results())).contains("**One caller, own key**", """
				| | lock + unlock | to Redisson |
				|---|---|---|
				| watchdog-lock | 120 µs (100–200) | 0.80 × |
				| Redisson | 150 µs | 1.00 × |
				| bare pair | 80 µs | 0.53 × |
				""");
	}

	@Test
	void ratioOfPairedRoundsIsPrintedWithInterval() {
		Results results = new Results(Map.of(), Map.of());
		for (double ratio : new double[] { 0.9, 1.1, 1.0, 1.2, 0.8 }) {
			results.add("one", "One", "watchdog-lock", Map.of(Measure.PER_SECOND, 100 * ratio));
			results.add("one", "One", "Redisson", Map.of(Measure.PER_SECOND, 100.0));
		}
		Ratio ratio = results.ratio("one", "watchdog-lock", "Redisson", Measure.PER_SECOND);
		assertThat(ratio.median()).isEqualTo(1);
		assertThat(ratio.print()).isEqualTo("1.00 × (0.80–1.20)");
		assertThat(results.ratio("one", "absent", "Redisson", Measure.PER_SECOND).print()).isEmpty();
	}

	@Test
	void plotHasABarForEachContender() throws Exception {
		Document svg = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(Plot.svg(results()))));
		assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(1 + 3);
		assertThat(svg.getDocumentElement().getTextContent()).contains("One caller, own key: lock + unlock", "120 µs");
	}

	@Test
	void measurementPagesMatchStoredResults() throws IOException {
		Path folder = DOCS.resolve("performance");
		Results results = Results.read(folder.resolve(Report.RESULTS));
		String page = Files.readString(DOCS.resolve("measurements.md"));
		String cases = Files.readString(folder.resolve(Report.CASES));
		assertThat(page).as("run 'benchmarks/run --report'").isEqualTo(Report.update(page, folder));
		assertThat(cases).as("run 'benchmarks/run --report'").isEqualTo(Report.cases(folder));
		assertThat(Files.readString(folder.resolve("results.svg"))).isEqualTo(Plot.svg(results));
	}

	private static String update(String page, Results results) {
		return Page.update(page, results, List.of());
	}

	private static Results results() {
		Results results = new Results(Map.of("machine", "\"fast\", 2 cores", "Redis", "6.2.11, here"),
				Map.of("rounds", "3"));
		add(results, "watchdog-lock", 200);
		add(results, "watchdog-lock", 100);
		add(results, "watchdog-lock", 120);
		for (int round = 0; round < 3; round++) {
			add(results, "Redisson", 150);
			add(results, "bare pair", 80);
		}
		results.add("lonely", "One caller, 200 ms", "watchdog-lock", Map.of(Measure.LONELY_WAIT_HOLDS, 3.25));
		return results;
	}

	private static void add(Results results, String contender, double micros) {
		results.add("own-key-1", "One caller, own key", contender, Map.of(Measure.PAIR_MICROS, micros));
	}

}
