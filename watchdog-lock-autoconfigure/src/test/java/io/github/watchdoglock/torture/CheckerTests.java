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

import io.github.watchdoglock.torture.Violation.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Histories of a few lines: what is wrong is found, and nothing else.
 */
class CheckerTests {

	private static final Rules RULES = new Rules(Duration.ofNanos(10), Duration.ofNanos(100), Duration.ofNanos(1_000),
			2);

	private final History history = new History();

	private List<Window> faults = List.of();

	@Test
	void holdsOneAfterTheOtherOrOfDifferentKeysAreRight() {
		read(0, "begin 1 k 10 renewed 100 500", "end 1 200 held 190");
		read(1, "begin 1 k 11 renewed 201 600", "end 1 300 held 290", "begin 2 other 10 renewed 150 600",
				"end 2 400 held 290");
		assertThat(check(true)).isEmpty();
		assertThat(this.history.checked()).isEqualTo(3);
	}

	@ParameterizedTest
	@CsvSource({ "revived 1 400, REVIVED", "lost k 10 300 GONE, GONE", "error java.lang.Error: what, ERROR" })
	void whatIsWrongByItselfIsFound(String line, Kind kind) {
		read(0, "begin 1 k 10 renewed 100 500", line, "end 1 450 held 440");
		assertThat(check(true)).containsExactly(kind);
	}

	@Test
	void anOverlapWithAHoldInsideALongerOneIsFound() {
		read(0, "begin 1 k 10 renewed 100 5000", "end 1 1000 held 290");
		read(1, "begin 1 k 11 renewed 200 600", "end 1 300 held 290", "begin 2 k 12 renewed 900 1500",
				"end 2 950 held 940");
		assertThat(check(true)).containsExactly(Kind.OVERLAP, Kind.OVERLAP);
	}

	@ParameterizedTest
	@CsvSource({ "699, 1", "700, 0" })
	void aHoldThatWasNeverClosedLastsUntilItsDeadline(int next, int overlaps) {
		read(0, "begin 1 k 10 renewed 100 500", "seen 1 300 700");
		read(1, "begin 1 k 11 renewed " + next + " 900", "end 1 800 held 790");
		assertThat(check(true)).hasSize(overlaps).allMatch(Kind.OVERLAP::equals);
	}

	@Test
	void aHoldEndsWhenItsLossIsDeclared() {
		read(0, "begin 1 k 10 fixed 100 500", "lost k 10 300 EXPIRED", "end 1 600 lost 290");
		read(1, "begin 1 k 11 renewed 301 900", "end 1 800 held 790");
		assertThat(check(true)).isEmpty();
	}

	@Test
	void whatWasSeenCountsBeyondTheDeadline() {
		read(0, "begin 1 k 10 renewed 100 500", "end 1 600 held 590");
		read(1, "begin 1 k 11 renewed 550 900", "end 1 800 held 790");
		assertThat(check(true)).containsExactly(Kind.OVERLAP);
	}

	@Test
	void whileInstancesWriteOnOnlyWhatWasSeenCounts() {
		read(0, "begin 1 k 10 renewed 100 500");
		read(1, "begin 1 k 11 renewed 400 900", "end 1 800 held 790");
		assertThat(check(false)).isEmpty();
		assertThat(check(true)).containsExactly(Kind.OVERLAP);
	}

	@Test
	void aTokenThatDoesNotGrowIsFound() {
		read(0, "begin 1 k 10 renewed 100 500", "end 1 200 held 190", "begin 2 k 12 renewed 500 900",
				"end 2 600 held 590");
		read(1, "begin 1 k 11 renewed 300 600", "end 1 400 held 390", "begin 2 k 12 renewed 700 900",
				"end 2 800 held 790");
		assertThat(check(true)).containsExactly(Kind.ORDER);
	}

	@Test
	void aReleaseMayComeTooLate() {
		read(0, "begin 1 k 10 renewed 100 500", "end 1 400 held 390", "lost k 10 900 GONE");
		assertThat(check(true)).isEmpty();
	}

	@Test
	void aLossNeedsAnExcuse() {
		read(0, "begin 1 k 10 renewed 100 500", "lost k 10 500 EXPIRED", "end 1 600 lost 490");
		assertThat(check(true)).containsExactly(Kind.UNEXPLAINED_LOSS);
		this.faults = List.of(new Window(1, 0, 500), new Window(0, 300, 389));
		assertThat(check(true)).containsExactly(Kind.UNEXPLAINED_LOSS);
		this.faults = List.of(new Window(0, 300, 391));
		assertThat(check(true)).isEmpty();
		this.faults = List.of(new Window(Window.ALL, 300, 391));
		assertThat(check(true)).isEmpty();
	}

	@Test
	void anInstanceThatDidNotRunHasAnExcuse() {
		read(0, "begin 1 k 10 renewed 100 500", "stalled 200 450", "lost k 10 500 EXPIRED", "end 1 600 lost 190");
		assertThat(check(true)).isEmpty();
	}

	@Test
	void onlyAnAbandonedLockIsLostAsSuch() {
		read(0, "begin 1 k 10 renewed 100 500", "abandoned 1", "lost k 10 300 ABANDONED");
		assertThat(check(true)).isEmpty();
		read(0, "begin 2 k 11 renewed 400 900", "lost k 11 500 ABANDONED");
		assertThat(check(true)).containsExactly(Kind.UNEXPLAINED_LOSS);
	}

	@Test
	void aKeyThatNobodyHasKeepsNobodyWaiting() {
		read(0, "begin 1 k 10 renewed 100 500", "end 1 300 held 290");
		read(1, "wait k 150 1301");
		assertThat(check(true)).containsExactly(Kind.ORPHAN);
	}

	@Test
	void aWaitMayBeLongWhereTheKeyIsBusyOrSomethingIsWrong() {
		read(0, "begin 1 k 10 renewed 100 900", "end 1 800 held 790", "begin 2 k 11 renewed 900 2900",
				"end 2 2000 held 1990");
		read(1, "wait k 150 2500");
		assertThat(check(true)).isEmpty();
		read(1, "wait k 1500 3700");
		assertThat(check(true)).containsExactly(Kind.ORPHAN);
		this.faults = List.of(new Window(1, 2500, 2600));
		assertThat(check(true)).containsExactly(Kind.ORPHAN);
		this.faults = List.of(new Window(1, 2500, 2700));
		assertThat(check(true)).isEmpty();
	}

	@Test
	void whoWaitsIsNotPassedByOthersAgainAndAgain() {
		read(0, "wait k 150 650");
		read(1, "begin 1 k 10 renewed 100 500", "end 1 200 held 190", "begin 2 k 11 renewed 250 500",
				"end 2 300 held 290", "begin 3 k 12 renewed 350 500", "end 3 400 held 390");
		assertThat(check(true)).isEmpty();
		read(2, "begin 1 k 13 renewed 450 600", "end 1 500 held 490");
		assertThat(check(true)).containsExactly(Kind.PASSED);
		this.faults = List.of(new Window(0, 160, 170));
		assertThat(check(true)).isEmpty();
		this.faults = List.of(new Window(1, 160, 170));
		assertThat(check(true)).containsExactly(Kind.PASSED);
		read(0, "begin 1 k 14 renewed 500 900", "end 1 520 held 510");
		assertThat(check(true)).containsExactly(Kind.PASSED);
	}

	@Test
	void whoHasHadAKeyMeanwhileWasNotPassed() {
		read(0, "wait k 150 650", "begin 1 k 12 renewed 350 500", "end 1 400 held 390");
		read(1, "begin 1 k 10 renewed 200 500", "end 1 250 held 240", "begin 2 k 11 renewed 300 500",
				"end 2 340 held 330", "begin 3 k 13 renewed 450 600", "end 3 500 held 490");
		assertThat(check(true)).isEmpty();
	}

	@Test
	void readersMayOverlapAndHaveTokensInAnyOrder() {
		read(0, "begin 1 k 11 renewed 100 500 /r", "end 1 300 held 290");
		read(1, "begin 1 k 10 renewed 200 600 /r", "end 1 400 held 390");
		assertThat(check(true)).isEmpty();
	}

	@Test
	void whoWritesIsAlone() {
		read(0, "begin 1 k 10 renewed 100 500 /r", "end 1 300 held 290");
		read(1, "begin 1 k 11 renewed 299 600 alone", "end 1 400 held 390");
		assertThat(check(true)).containsExactly(Kind.OVERLAP);
		read(2, "begin 1 k 12 renewed 399 600 /r", "end 1 500 held 490");
		assertThat(check(true)).containsExactly(Kind.OVERLAP, Kind.OVERLAP);
	}

	@Test
	void ofReadersAndWritersTheLaterHasTheGreaterToken() {
		read(0, "begin 1 k 11 renewed 100 500 /r", "end 1 200 held 190");
		read(1, "begin 1 k 10 renewed 150 600 /r", "end 1 200 held 190");
		read(2, "begin 1 k 11 renewed 300 600 alone", "end 1 400 held 390");
		assertThat(check(true)).containsExactly(Kind.ORDER);
		read(0, "begin 2 k 10 renewed 500 900 /r", "end 2 600 held 590");
		assertThat(check(true)).containsExactly(Kind.ORDER, Kind.ORDER, Kind.ORDER);
	}

	@Test
	void onlyReadersOfOneInstanceHaveATokenTogether() {
		read(0, "begin 1 k 10 renewed 100 500 /r", "begin 2 k 10 renewed 120 500 /r", "end 1 200 held 190",
				"end 2 200 held 190");
		assertThat(check(true)).isEmpty();
		read(1, "begin 1 k 10 renewed 150 600 /r", "end 1 200 held 190");
		assertThat(check(true)).containsExactly(Kind.ORDER);
	}

	@Test
	void ofThoseWhoReadTogetherOneMayBeWhoLost() {
		read(0, "begin 1 k 10 renewed 100 500 /r", "begin 2 k 10 renewed 120 500 /r", "abandoned 2",
				"lost k 10 300 ABANDONED", "end 1 400 held 390");
		assertThat(check(true)).isEmpty();
		read(0, "lost k 10 350 EXPIRED");
		assertThat(check(true)).containsExactly(Kind.UNEXPLAINED_LOSS);
	}

	@Test
	void permitsAreNoMoreThanTheGreatestNumberOfThoseWhoHaveThem() {
		read(0, "begin 1 k 12 renewed 100 500 /p2", "end 1 300 held 290");
		read(1, "begin 1 k 11 renewed 150 600 /p2", "end 1 300 held 290");
		assertThat(check(true)).isEmpty();
		read(2, "begin 1 k 13 renewed 200 600 /p3", "end 1 300 held 290");
		assertThat(check(true)).isEmpty();
		read(3, "begin 1 k 14 renewed 250 600 /p3", "end 1 300 held 290");
		assertThat(check(true)).containsExactly(Kind.OVERLAP);
	}

	@Test
	void eachPermitHasATokenOfItsOwn() {
		read(0, "begin 1 k 12 renewed 100 500 /p2", "end 1 300 held 290", "begin 2 k 12 renewed 400 900 /p2",
				"end 2 500 held 490");
		assertThat(check(true)).containsExactly(Kind.ORDER);
	}

	@Test
	void aPermitThatNobodyHasKeepsNobodyWaiting() {
		read(0, "begin 1 k 10 renewed 100 5000 /p2", "end 1 3000 held 2990");
		read(1, "begin 1 k 11 renewed 100 5000 /p3", "end 1 1500 held 1490");
		read(2, "wait k 150 2500 /p3");
		assertThat(check(true)).isEmpty();
		read(2, "wait k 150 2501 /p3");
		assertThat(check(true)).containsExactly(Kind.ORPHAN);
	}

	@Test
	void whoWaitsForAPermitIsPassedAtMostAtEachOfThem() {
		read(0, "wait k 150 950 /p2");
		for (int i = 1; i <= 5; i++) {
			read(1, "begin " + i + " k " + i + " renewed " + (100 * i + 60) + " 999 /p2",
					"end " + i + " " + (100 * i + 90) + " held " + (100 * i + 80));
			assertThat(check(true)).hasSize(i / 5);
		}
	}

	@Test
	void contentionOfEachKindIsSeen() {
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
