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

package io.github.watchdoglock.torture;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.torture.Violation.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the checker with histories of a few lines: it finds violations, and nothing
 * else.
 */
class CheckerTests {

	private static final Rules RULES = new Rules(Duration.ofNanos(10), Duration.ofNanos(100), Duration.ofNanos(1_000),
			2);

	/*
	 * Each history has the lines of the instances, by their numbers, the times of
	 * trouble, and the expected violations for complete and for incomplete logs.
	 */
	private static final String HISTORIES = """
			an overlap with a hold inside a longer one is found
			0: begin 1 k 10 renewed 100 5000; end 1 1000 held 290
			1: begin 1 k 11 renewed 200 600; end 1 300 held 290; begin 2 k 12 renewed 900 1500
			1: end 2 950 held 940
			= OVERLAP, OVERLAP

			a hold ends when its loss is declared
			0: begin 1 k 10 fixed 100 500; lost k 10 300 EXPIRED; end 1 600 lost 290
			1: begin 1 k 11 renewed 301 900; end 1 800 held 790
			=

			what was seen counts beyond the deadline
			0: begin 1 k 10 renewed 100 500; end 1 600 held 590
			1: begin 1 k 11 renewed 550 900; end 1 800 held 790
			= OVERLAP

			while instances write on only what was seen counts
			0: begin 1 k 10 renewed 100 500
			1: begin 1 k 11 renewed 400 900; end 1 800 held 790
			so far =
			= OVERLAP

			a token that does not grow is found
			0: begin 1 k 10 renewed 100 500; end 1 200 held 190; begin 2 k 12 renewed 500 900
			0: end 2 600 held 590
			1: begin 1 k 11 renewed 300 600; end 1 400 held 390; begin 2 k 12 renewed 700 900
			1: end 2 800 held 790
			= ORDER

			a release may come too late
			0: begin 1 k 10 renewed 100 500; end 1 400 held 390; lost k 10 900 GONE
			=

			a loss needs an excuse
			0: begin 1 k 10 renewed 100 500; lost k 10 500 EXPIRED; end 1 600 lost 490
			= UNEXPLAINED_LOSS
			faults 1 0 500; 0 300 389
			= UNEXPLAINED_LOSS
			faults 0 300 391
			=
			faults -1 300 391
			=

			an instance that did not run has an excuse
			0: begin 1 k 10 renewed 100 500; stalled 200 450; lost k 10 500 EXPIRED; end 1 600 lost 190
			=

			only an abandoned lock is lost as such
			0: begin 1 k 10 renewed 100 500; abandoned 1; lost k 10 300 ABANDONED
			=
			0: begin 2 k 11 renewed 400 900; lost k 11 500 ABANDONED
			= UNEXPLAINED_LOSS

			a key that nobody has keeps nobody waiting
			0: begin 1 k 10 renewed 100 500; end 1 300 held 290
			1: wait k 150 1301
			= ORPHAN

			a wait may be long where the key is busy or something is wrong
			0: begin 1 k 10 renewed 100 900; end 1 800 held 790; begin 2 k 11 renewed 900 2900
			0: end 2 2000 held 1990
			1: wait k 150 2500
			=
			1: wait k 1500 3700
			= ORPHAN
			faults 1 2500 2600
			= ORPHAN
			faults 1 2500 2700
			=

			who waits is not passed by others again and again
			0: wait k 150 650
			1: begin 1 k 10 renewed 100 500; end 1 200 held 190; begin 2 k 11 renewed 250 500
			1: end 2 300 held 290; begin 3 k 12 renewed 350 500; end 3 400 held 390
			=
			2: begin 1 k 13 renewed 450 600; end 1 500 held 490
			= PASSED
			faults 0 160 170
			=
			faults 1 160 170
			= PASSED
			0: begin 1 k 14 renewed 500 900; end 1 520 held 510
			= PASSED

			who has had a key meanwhile was not passed
			0: wait k 150 650; begin 1 k 12 renewed 350 500; end 1 400 held 390
			1: begin 1 k 10 renewed 200 500; end 1 250 held 240; begin 2 k 11 renewed 300 500
			1: end 2 340 held 330; begin 3 k 13 renewed 450 600; end 3 500 held 490
			=

			readers may overlap and have tokens in any order
			0: begin 1 k 11 renewed 100 500 /r; end 1 300 held 290
			1: begin 1 k 10 renewed 200 600 /r; end 1 400 held 390
			=

			who writes is alone
			0: begin 1 k 10 renewed 100 500 /r; end 1 300 held 290
			1: begin 1 k 11 renewed 299 600 alone; end 1 400 held 390
			= OVERLAP
			2: begin 1 k 12 renewed 399 600 /r; end 1 500 held 490
			= OVERLAP, OVERLAP

			of readers and writers the later has the greater token
			0: begin 1 k 11 renewed 100 500 /r; end 1 200 held 190
			1: begin 1 k 10 renewed 150 600 /r; end 1 200 held 190
			2: begin 1 k 11 renewed 300 600 alone; end 1 400 held 390
			= ORDER
			0: begin 2 k 10 renewed 500 900 /r; end 2 600 held 590
			= ORDER, ORDER, ORDER

			only readers of one instance have a token together
			0: begin 1 k 10 renewed 100 500 /r; begin 2 k 10 renewed 120 500 /r; end 1 200 held 190
			0: end 2 200 held 190
			=
			1: begin 1 k 10 renewed 150 600 /r; end 1 200 held 190
			= ORDER

			of those who read together one may be who lost
			0: begin 1 k 10 renewed 100 500 /r; begin 2 k 10 renewed 120 500 /r; abandoned 2
			0: lost k 10 300 ABANDONED; end 1 400 held 390
			=
			0: lost k 10 350 EXPIRED
			= UNEXPLAINED_LOSS

			permits are no more than the greatest number of those who have them
			0: begin 1 k 12 renewed 100 500 /p2; end 1 300 held 290
			1: begin 1 k 11 renewed 150 600 /p2; end 1 300 held 290
			=
			2: begin 1 k 13 renewed 200 600 /p3; end 1 300 held 290
			=
			3: begin 1 k 14 renewed 250 600 /p3; end 1 300 held 290
			= OVERLAP

			each permit has a token of its own
			0: begin 1 k 12 renewed 100 500 /p2; end 1 300 held 290; begin 2 k 12 renewed 400 900 /p2
			0: end 2 500 held 490
			= ORDER

			a permit that nobody has keeps nobody waiting
			0: begin 1 k 10 renewed 100 5000 /p2; end 1 3000 held 2990
			1: begin 1 k 11 renewed 100 5000 /p3; end 1 1500 held 1490
			2: wait k 150 2500 /p3
			=
			2: wait k 150 2501 /p3
			= ORPHAN
			""";

	static Stream<List<String>> histories() {
		return Stream.of(HISTORIES.split("\n\n", -1)).map((history) -> history.lines().toList());
	}

	@ParameterizedTest
	@MethodSource("histories")
	void checkerReportsExactlyExpectedViolations(List<String> history) {
		for (String line : history.subList(1, history.size())) {
			String[] words = line.split("(: |= ?|faults )", 2);
			if (line.startsWith("faults ")) {
				this.faults = Stream.of(words[1].split("; ", -1)).map(CheckerTests::window).toList();
			}
			else if (line.contains("=")) {
				assertThat(check(!line.startsWith("so far"))).as(history.toString()).hasToString("[" + words[1] + "]");
			}
			else {
				read(Integer.parseInt(words[0]), words[1].split("; ", -1));
			}
		}
	}

	private static Window window(String text) {
		String[] words = text.split(" ", -1);
		return new Window(Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
	}

	private final History history = new History();

	private List<Window> faults = List.of();

	@Test
	void consecutiveHoldsAndHoldsOfDifferentKeysAreNoViolation() {
		read(0, "begin 1 k 10 renewed 100 500", "end 1 200 held 190");
		read(1, "begin 1 k 11 renewed 201 600", "end 1 300 held 290", "begin 2 other 10 renewed 150 600",
				"end 2 400 held 290");
		assertThat(check(true)).isEmpty();
		assertThat(this.history.checked()).isEqualTo(3);
	}

	@ParameterizedTest
	@CsvSource({ "revived 1 400, REVIVED", "lost k 10 300 GONE, GONE", "error java.lang.Error: what, ERROR" })
	void singleLineWithRevivalGoneLeaseOrErrorIsViolation(String line, Kind kind) {
		read(0, "begin 1 k 10 renewed 100 500", line, "end 1 450 held 440");
		assertThat(check(true)).containsExactly(kind);
	}

	@ParameterizedTest
	@CsvSource({ "699, 1", "700, 0" })
	void unclosedHoldLastsUntilDeadline(int next, int overlaps) {
		read(0, "begin 1 k 10 renewed 100 500", "seen 1 300 700");
		read(1, "begin 1 k 11 renewed " + next + " 900", "end 1 800 held 790");
		assertThat(check(true)).as("overlaps when the next hold begins at this time")
			.hasSize(overlaps)
			.allMatch(Kind.OVERLAP::equals);
	}

	@Test
	void fifthPassOfWaiterForOneOfTwoPermitsIsViolation() {
		read(0, "wait k 150 950 /p2");
		for (int i = 1; i <= 5; i++) {
			read(1, "begin " + i + " k " + i + " renewed " + (100 * i + 60) + " 999 /p2",
					"end " + i + " " + (100 * i + 90) + " held " + (100 * i + 80));
			assertThat(check(true)).as("violations after this number of passes").hasSize(i / 5);
		}
	}

	@Test
	void contentionKindsThatNeverOccurredAreReported() {
		read(0, "begin 1 k 10 renewed 100 500 /r", "begin 2 p 10 renewed 100 500 /p2", "end 1 200 held 190",
				"end 2 200 held 190", "wait k 0 100 /r", "wait p 0 100 /p2");
		assertThat(Contention.of(this.history).neverSeen()).containsExactly("a writer who waits", "all permits held",
				"two instances that read");
		read(1, "begin 1 k 11 renewed 150 500 /r", "begin 2 p 12 renewed 120 500 /p2",
				"begin 3 p 13 renewed 130 500 /p3", "wait k 0 300 alone");
		assertThat(Contention.of(this.history).neverSeen()).isEmpty();
	}

	private void read(int instance, String... lines) {
		for (String line : lines) {
			this.history.read(instance, 1, line);
		}
	}

	private List<Kind> check(boolean complete) {
		return new Checker(this.history, this.faults, RULES, complete).check().stream().map(Violation::kind).toList();
	}

}
