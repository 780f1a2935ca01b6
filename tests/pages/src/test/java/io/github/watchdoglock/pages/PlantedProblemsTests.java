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
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that problems of a page are reported with their lines.
 */
class PlantedProblemsTests {

	@TempDir
	private Path root;

	@BeforeEach
	void project() throws IOException {
		write(".ci/run", "#!/bin/sh\n(cd \"$clone\" && mvn -B -ntp -q install -DskipTests </dev/null) || return 1\n"
				+ "mvn -B verify \"$@\"");
		write("docs/other.md", "# Some `code` & *more*\n\n## Twice\n\n## Twice\n");
	}

	@Test
	void linksWithoutTargetAreReportedWithLine() throws IOException {
		write("README.md",
				"""
						# Here
						[a](docs/other.md) [b](docs/other.md#some-code--more) [c](docs/other.md#twice-1) [d](#here) [e](https://x.org/y)
						[f](docs/none.md)
						[g](docs/other.md#twice-2) ![h](none.png)

						<img src="docs/none.svg">
						""");
		assertThat(new Links(pages()).problems(page("README.md"))).extracting(Problem::toString)
			.containsExactly("README.md:3: 'docs/none.md' leads nowhere",
					"README.md:4: 'docs/other.md#twice-2' leads nowhere", "README.md:4: 'none.png' leads nowhere",
					"README.md:6: 'docs/none.svg' leads nowhere");
	}

	@Test
	void hardToReadConstructsOfPagesAreReported() throws IOException {
		write("README.md", """
				The caller gets the lock. Where it is busy, nobody is told; `it` gives back what is had.

				| | |
				|---|---|
				| a lock | that somebody holds |

				| name | value |
				|---|---|
				| where it is | here |

				One two three four five six seven eight nine ten one two three four five six seven eight nine ten
				one two three four five six seven eight nine ten one two three four five six seven eight nine ten one.
				""");
		assertThat(Language.problems(page("README.md"))).extracting(Problem::toString)
			.satisfiesExactly((text) -> assertThat(text).isEqualTo("README.md:1: '. Where'"),
					(text) -> assertThat(text).isEqualTo("README.md:1: 'nobody'"),
					(text) -> assertThat(text).isEqualTo("README.md:1: 'is told'"),
					(text) -> assertThat(text).isEqualTo("README.md:1: 'gives back'"),
					(text) -> assertThat(text).isEqualTo("README.md:1: 'is had'"),
					(text) -> assertThat(text).isEqualTo("README.md:3: the table has no header row"),
					(text) -> assertThat(text).isEqualTo("README.md:5: 'somebody'"),
					(text) -> assertThat(text).startsWith("README.md:11: a sentence is too long: One two"));
	}

	@Test
	void wordLimitAndVoiceViolationsAreReported() throws IOException {
		write("docs/page.md", """
				This table lists locks. You see them. You see them all.

				The library waits.
				""" + "word ".repeat(1_500));
		assertThat(Voice.problems(page("docs/page.md"))).extracting(Problem::text)
			.satisfiesExactly((text) -> assertThat(text).isEqualTo("1514 words, of 1500 at most"),
					(text) -> assertThat(text).isEqualTo("only announces: This table lists locks."),
					(text) -> assertThat(text).isEqualTo("begins like the sentence before: You see them all."),
					(text) -> assertThat(text).startsWith("begins with the library: The library waits."));
	}

	@Test
	void hardToReadConstructsOfSourcesAreReported() {
		assertThat(Language.problems("Shop.java", """
				/** What it sells. What happens is {@code nobody}. @param told a name */
				char quote = '"'; // Who comes first
				Object nobody = fail(key + " what", "the caller "
						+ "was told; who is next");
				""")).extracting(Problem::toString)
			.containsExactly("Shop.java:1: 'What'", "Shop.java:2: 'Who'", "Shop.java:3: 'was told'",
					"Shop.java:3: '; who'");
	}

	@Test
	void figuresOlderThan50CommitsAreReported() throws IOException {
		write("README.md", """
				Ten times as many (commit `0123abc`).
				十倍（提交 `1230abc`）。
				| watchdog-lock | 1.0.0-SNAPSHOT (2301abc) |
				| watchdog-lock | 1.0.0 (3012abc-dirty) |
				Recent (commit `aaaaaaa`), and not in this clone (commit `bbbbbbb`).
				""");
		Map<String, Integer> ages = Map.of("0123abc", 51, "1230abc", 51, "2301abc", 51, "3012abc", 51, "aaaaaaa", 50);
		Figures figures = new Figures(
				(commit) -> ages.containsKey(commit) ? OptionalInt.of(ages.get(commit)) : OptionalInt.empty());
		assertThat(figures.problems(page("README.md"))).extracting(Problem::line).containsExactly(1, 2, 3, 4);
		assertThat(figures.problems(page("README.md")).get(0)).hasToString("README.md:1: figures were measured on"
				+ " commit 0123abc, 51 commits ago. Measure them again with benchmarks/run.");
	}

	@Test
	void commitAgeIsUnknownWithoutGitHistory() {
		assertThat(Figures.age(this.root, "0123abc")).isEmpty();
	}

	/* Git warns of a name that is both a branch and a tag. */
	@Test
	void commitAgeIgnoresWarningOfAmbiguousName() throws IOException, InterruptedException {
		git("init", "--quiet");
		commit("first");
		git("branch", "0123abc");
		git("tag", "0123abc");
		commit("second");
		assertThat(Figures.age(this.root, "0123abc")).hasValue(1);
	}

	private void commit(String message) throws IOException, InterruptedException {
		git("-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "commit",
				"--quiet", "--allow-empty", "-m", message);
	}

	private void git(String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of("git"));
		command.addAll(List.of(arguments));
		assertThat(new ProcessBuilder(command).directory(this.root.toFile()).inheritIO().start().waitFor()).isZero();
	}

	@Test
	void commandBlocksWithoutMarkerAreReported() throws IOException {
		write("README.md", """
				<!-- run by CI -->
				```sh
				mvn install -DskipTests
				mvn verify
				mvn verify -DskipTests
				```
				<!-- run: sample, numbers vary -->
				```console
				$ date
				1
				```
				```sh
				date
				```
				<!-- not run: -->
				```sh
				date
				```
				```
				date
				```
				```text
				$ date
				```
				""");
		assertThat(new Commands(this.root).problems(page("README.md"))).extracting(Problem::line)
			.containsExactly(5, 12, 16, 19, 22);
	}

	@Test
	void codeThatDoesNotCompileIsReported() throws IOException {
		write("README.md", """
				```java
				import io.github.watchdoglock.annotation.DistributedLock;

				public class Depot {

					@DistributedLock(name = "depot")
					public void fill() {
						full(true);
					}

				}
				```
				```java
				@DistributedLock(nome = "depot")
				public void fill() {

				public void empty() {
				```
				```java
				try (LockHandle handle = lockService.acquire(LockRequest.of("depot"))) {
					int token = handle.fencingToken();
				}
				```
				```java
				public void fill( {
				```
				<!-- not compiled: of another library -->
				```java
				nothing of this
				```
				""");
		assertThat(new Snippets().problems(List.of(page("README.md")))).extracting(Problem::line)
			.containsExactlyInAnyOrder(8, 14, 21, 25);
	}

	@Test
	void unknownPropertiesAreReported() throws IOException {
		write("README.md", """
				```yaml
				watchdog-lock:
				  lease-time: 3s
				  locks:
				    "[a.b]":
				      linger: 1s
				management.metrics.distribution.percentiles-histogram:
				  some.meter: true
				```
				```yaml
				watchdog-lock.lease: 3s
				```
				```properties
				watchdog-lock.locks.a.b.linger=1s
				```
				`watchdog-lock.linger=1s` `watchdog-lock.metrics` `watchdog-lock.lingers: 1s`
				`watchdog-lock.locks.<name>.lingers`
				""");
		assertThat(new Properties(Metadata.ofTheClassPath()).problems(page("README.md"))).extracting(Problem::toString)
			.containsExactly("README.md:10: there is no property watchdog-lock.lease",
					"README.md:13: there is no property watchdog-lock.locks.a.b.linger",
					"README.md:16: there is no property watchdog-lock.lingers",
					"README.md:17: there is no property watchdog-lock.locks.<name>.lingers");
	}

	@Test
	void propertyTableIsGeneratedBetweenMarks() {
		PropertyTable table = new PropertyTable(Metadata.ofTheClassPath());
		String text = "a\n<!-- generated: properties watchdog-lock.metrics -->\nwrong\n<!-- end generated -->\nb\n";
		String updated = table.update(text);
		assertThat(updated).isEqualTo(
				"""
						a
						<!-- generated: properties watchdog-lock.metrics -->

						| property | default | description |
						|---|---|---|
						| `watchdog-lock.metrics.enabled` | `true` | Whether locks are metered, if there is a meter registry. |
						| `watchdog-lock.metrics.max-names` | `100` | Maximum number of lock names that tag meters and observations. \
						Further names are tagged 'other'. |

						<!-- end generated -->
						b
						""");
		assertThat(table.update(updated)).isEqualTo(updated);
	}

	@Test
	void artifactsOfOtherVersionOrNameAreReported() throws IOException {
		write("watchdog-lock-starter/pom.xml", "");
		write("README.md", """
				<groupId>io.github.watchdoglock</groupId>
				<artifactId>watchdog-lock-starter</artifactId>
				<version>0.9</version>

				`io.github.watchdoglock:watchdog-lock-starter:1.0` `io.github.watchdoglock:watchdog-lock-start:1.0`
				""");
		assertThat(new Coordinates(this.root, "1.0").problems(page("README.md"))).extracting(Problem::toString)
			.containsExactly("README.md:1: watchdog-lock-starter is in version 1.0, not 0.9",
					"README.md:5: there is no artifact watchdog-lock-start");
	}

	private void write(String name, String text) throws IOException {
		Path file = this.root.resolve(name);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

	private Pages pages() {
		return Pages.below(this.root);
	}

	private Page page(String name) {
		return Objects.requireNonNull(pages().find(name));
	}

}
