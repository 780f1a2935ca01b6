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

package io.github.watchdoglock.snippets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the front pages are short and have the same structure, and that code and
 * alerts on pages are those of the project.
 */
class FrontPageTests {

	private static final Path ROOT = Path.of("../..");

	private static final Path SOURCES = Path.of("src/test/java/io/github/watchdoglock/snippets");

	/* A member that begins with an annotation, until its last brace. */
	private static final Pattern MEMBER = Pattern.compile("(?ms)^\t(@\\w+.*?\n\t})$");

	@ParameterizedTest
	@ValueSource(strings = { "README.md", "README.zh-CN.md" })
	void frontPageHasAtMost95Lines(String page) throws IOException {
		assertThat(lines(page)).hasSizeLessThanOrEqualTo(95);
	}

	@Test
	void translatedFrontPageHasSameStructure() throws IOException {
		assertThat(FrontPage.structure(lines("README.zh-CN.md"))).isEqualTo(FrontPage.structure(lines("README.md")));
	}

	@Test
	void structureIgnoresWordsOfTranslation() {
		List<String> page = List.of("# One", "", "See `a` and [b](#two).", "", "## Two", "", "| c | `d \\| e` |", "",
				"```java", "f();    // g", "```");
		List<String> translated = List.of("# 一", "", "[乙](#二)，`a`", "", "## 二", "", "| 丙 | `d \\| e` |", "", "```java",
				"f();    // 丁", "```");
		assertThat(FrontPage.structure(page)).isEqualTo(FrontPage.structure(translated))
			.containsExactly("#", "1 x a", "1 x heading 1", "##", "columns: 3", "code: ```java", "code: f();",
					"code: ```", "1 x d \\| e");
	}

	@ParameterizedTest
	@CsvSource({ "LockErrors, docs/guide/locking-methods.md", "ForeignLocks, docs/migrating/shedlock.md",
			"Exports, docs/guide/semaphores-and-readers.md" })
	void pageShowsCodeThatIsTested(String source, String page) throws IOException {
		Matcher members = MEMBER.matcher(Files.readString(SOURCES.resolve(source + ".java")));
		assertThat(members.results().map((member) -> member.group(1).replace("\n\t", "\n")).toList()).isNotEmpty()
			.allSatisfy((member) -> assertThat(Files.readString(ROOT.resolve(page))).contains("```java\n" + member));
	}

	@Test
	void eachAlertHasRunbookInSameOrder() throws IOException {
		List<String> alerts = lines("docs/observability/alerts.yml").stream()
			.filter((line) -> line.contains("- alert: "))
			.map((line) -> "### " + line.replaceFirst(".*- alert: ", ""))
			.toList();
		assertThat(lines("docs/operations/metrics-and-alerts.md")).filteredOn((line) -> line.startsWith("### "))
			.isEqualTo(alerts)
			.isNotEmpty();
	}

	private static List<String> lines(String page) throws IOException {
		return Files.readAllLines(ROOT.resolve(page));
	}

}
