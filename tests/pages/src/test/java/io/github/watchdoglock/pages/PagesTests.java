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

package io.github.watchdoglock.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the pages of this project, except for their commands, which
 * {@code CommandsIT} runs.
 */
class PagesTests {

	private static final Pages pages = Pages.ofThisProject();

	@Test
	void linksOfAllPagesHaveTargets() {
		assertThat(problems(new Links(pages)::problems)).isEmpty();
	}

	@Test
	void commandBlocksHaveMarkersForTheirRun() {
		assertThat(problems(new Commands(pages.root())::problems)).isEmpty();
	}

	@Test
	void javaCodeOfAllPagesCompiles() {
		assertThat(new Snippets().problems(List.copyOf(pages.all()))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "annotation/DistributedLock", "annotation/LockedJob", "annotation/LeaderOnly",
			"LockService", "LockHandle", "LockRequest", "ReactiveLockService", "LeaderElection", "test/TestLocks",
			"test/FakeLockService" })
	void entryTypeHasExampleThatCompiles(String type) throws IOException {
		Path sources = pages.root()
			.resolve(type.startsWith("test/") ? "watchdog-lock-test" : "watchdog-lock-autoconfigure");
		String text = Files.readString(sources.resolve("src/main/java/io/github/watchdoglock/" + type + ".java"));
		Matcher example = Pattern.compile("<pre>\\{@code\\s(.*?) \\* }</pre>", Pattern.DOTALL).matcher(text);
		assertThat(example.find()).as("whether there is an example").isTrue();
		String code = example.group(1).replaceAll("(?m)^ \\* ?", "");
		assertThat(new Snippets().problems(List.of(Page.of(type, "```java\n" + code + "```\n")))).isEmpty();
		assertThat(text).contains(" * @since 0.1.0\n");
	}

	@Test
	void propertiesOfAllPagesExistInMetadata() {
		assertThat(problems(new Properties(Metadata.ofTheClassPath())::problems)).isEmpty();
	}

	@Test
	void artifactsOfAllPagesExistInThisVersion() {
		assertThat(problems(new Coordinates(pages.root(), System.getProperty("pages.version"))::problems)).isEmpty();
	}

	/*
	 * Except for printed results of benchmarks, and for text in another language.
	 */
	@Test
	void pagesFollowRulesOfPlainEnglish() {
		List<Problem> problems = new ArrayList<>();
		pages.all()
			.stream()
			.filter((page) -> !page.name().matches("contributing/(measurements|performance/cases).md|.*\\.zh-CN.md"))
			.forEach((page) -> problems.addAll(Language.problems(page)));
		assertThat(problems).isEmpty();
	}

	@Test
	void userPagesStayWithinWordLimitAndVoiceRules() {
		List<Page> users = pages.all().stream().filter(Voice::isForUsers).toList();
		assertThat(users.stream().flatMap((page) -> Voice.problems(page).stream())).isEmpty();
		assertThat(users.stream().mapToLong(Voice::words).sum()).as("words of all pages for users")
			.isLessThanOrEqualTo(Voice.MAX_WORDS);
	}

	/* The messages and comments of the libraries, and the comments of the build. */
	@Test
	void sourcesAndBuildFilesAreInPlainEnglish() throws IOException {
		assertNoProblems("watchdog-lock-(?:autoconfigure|test)/src/main/.*\\.java|(?:.*/)?pom\\.xml|\\.ci/\\w+",
				Language::problems);
	}

	@Test
	void testNamesSaySubjectConditionAndOutcome() throws IOException {
		assertNoProblems(".*/src/test/java/.*\\.java", Language::problemsOfTestNames);
	}

	private static void assertNoProblems(String names, BiFunction<String, String, List<Problem>> check)
			throws IOException {
		List<Problem> problems = new ArrayList<>();
		List<Path> files = files(names);
		for (Path file : files) {
			problems.addAll(check.apply(file.toString(), Files.readString(file)));
		}
		assertThat(files).as("files named %s", names).isNotEmpty();
		assertThat(problems).isEmpty();
	}

	private static List<Path> files(String name) throws IOException {
		try (Stream<Path> files = Files.walk(pages.root())) {
			return files.filter(Files::isRegularFile)
				.filter((file) -> !file.toString().contains("/target/"))
				.filter((file) -> pages.root().relativize(file).toString().matches(name))
				.toList();
		}
	}

	/* Only a warning, because the build does not depend on the history of its clone. */
	@Test
	void figuresOfOldCommitsArePrintedAsWarnings() {
		problems(new Figures(pages.root())::problems).forEach((old) -> System.out.println("[WARNING] " + old));
	}

	@Test
	void propertyTablesMatchMetadata() throws IOException {
		PropertyTable table = new PropertyTable(Metadata.ofTheClassPath());
		for (Page page : pages.all()) {
			String updated = table.update(page.text());
			if (Boolean.getBoolean("pages.write")) {
				Files.writeString(pages.root().resolve(page.name()), updated);
			}
			else {
				assertThat(updated).as("%s, to be written by -Dpages.write=true", page.name()).isEqualTo(page.text());
			}
		}
	}

	private static List<Problem> problems(Function<Page, List<Problem>> check) {
		List<Problem> problems = new ArrayList<>();
		pages.all().forEach((page) -> problems.addAll(check.apply(page)));
		return problems;
	}

}
