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

package io.github.watchdoglock.pages.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.watchdoglock.pages.Page;
import io.github.watchdoglock.pages.Pages;
import io.github.watchdoglock.pages.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that commands of a page are run, and that results which differ from the page are
 * reported.
 */
class PageRunTests {

	@TempDir
	private Path root;

	@Test
	void markedCommandsAreRunInOrderOfPage() throws IOException {
		PageRun run = run("""
				<!-- run -->
				```sh
				# Two lines
				echo one \\
				  two > file
				```
				<!-- not run: it would fail -->
				```sh
				false
				```
				<!-- run, numbers vary -->
				```console
				$ cat file
				one two
				$ seq 9 12
				1
				…
				$ true
				```
				""");
		assertThat(run.log()).containsExactly("page.md:4: echo one \\\n  two > file", "page.md:13: cat file",
				"page.md:15: seq 9 12", "page.md:18: true");
	}

	@Test
	void differentOutputOfCommandIsReported() throws IOException {
		assertThat(problem("""
				<!-- run -->
				```console
				$ echo 17; echo other >&2
				17
				another
				```
				""")).hasToString("""
				page.md:3: 'echo 17; echo other >&2' prints something else than
				17
				another
				It has printed
				17
				other
				""");
	}

	@Test
	void unexpectedOutputOfCommandIsReported() throws IOException {
		assertThat(problem("<!-- run -->\n```console\n$ true\n$ echo\n$ echo 1\n```\n").line()).isEqualTo(5);
	}

	@Test
	void failedCommandIsReportedWithStatus() throws IOException {
		assertThat(problem("<!-- run -->\n```sh\ntrue\nexit 3\n```\n").text()).contains("'exit 3' ends with status 3");
	}

	@Test
	void commandBeyondTimeoutIsReportedWithOutput() throws IOException {
		assertThat(problem("<!-- run -->\n```sh\necho begun; tail -f /dev/null\n```\n").text())
			.contains("takes too long", "begun");
	}

	@Test
	void sampleThatDoesNotStartIsReported() throws IOException {
		assertThat(problem("<!-- run: sample -->\n```sh\ntrue\n```\n").text()).contains("the sample does not start");
	}

	@Test
	void closeOfShellEndsStartedProcesses() throws IOException {
		try (Shell shell = shell(Duration.ofSeconds(30))) {
			assertThat(shell.start("tail -f /dev/null & echo $! > pid; echo ready; wait", "ready").inTime()).isTrue();
		}
		long child = Long.parseLong(Files.readString(this.root.resolve("pid")).strip());
		assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
	}

	@Test
	void outputMatchesEllipsesAndVaryingNumbers() {
		assertThat(Printed.matches(List.of("a…c", "…", "z"), false, "abc\nd\ne\nz\n")).isTrue();
		assertThat(Printed.matches(List.of("a…c", "…", "z"), false, "abc\nz\n")).isTrue();
		assertThat(Printed.matches(List.of("a…c", "…", "z"), false, "abcd\nz\n")).isFalse();
		assertThat(Printed.matches(List.of("    9 200 (1.5)"), true, "   10 409 (22.75)\n")).isTrue();
		assertThat(Printed.matches(List.of("    9 200 (1.5)"), true, "   10 409 (22)\n")).isFalse();
		assertThat(Printed.matches(List.of("9"), false, "8\n")).isFalse();
	}

	private Problem problem(String text) throws IOException {
		try (Shell shell = shell(Duration.ofSeconds(3))) {
			Optional<Problem> problem = new PageRun(shell).run(page(text));
			assertThat(problem).isPresent();
			return problem.orElseThrow();
		}
	}

	private PageRun run(String text) throws IOException {
		try (Shell shell = shell(Duration.ofSeconds(30))) {
			PageRun run = new PageRun(shell);
			assertThat(run.run(page(text))).isEmpty();
			return run;
		}
	}

	private Page page(String text) throws IOException {
		Files.writeString(this.root.resolve("page.md"), text);
		return Pages.below(this.root).all().iterator().next();
	}

	private Shell shell(Duration timeout) {
		return new Shell(this.root, Map.of(), timeout);
	}

}
