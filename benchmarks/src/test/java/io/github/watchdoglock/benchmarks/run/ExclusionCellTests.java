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

package io.github.watchdoglock.benchmarks.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.github.watchdoglock.benchmarks.lock.Competitor.Held;
import io.github.watchdoglock.benchmarks.run.ExclusionCell.ExclusionViolation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ExclusionCell}.
 */
@SuppressWarnings("NullAway.Init")
class ExclusionCellTests {

	@TempDir
	private Path folder;

	private List<ExclusionCell> cells;

	/* The same memory, mapped again as in another JVM. */
	private List<ExclusionCell> elsewhere;

	@BeforeEach
	void map() throws IOException {
		this.cells = ExclusionCell.map(this.folder.resolve("cells"));
		this.elsewhere = ExclusionCell.map(this.folder.resolve("cells"));
	}

	@Test
	void secondHolderIsDetectedAcrossMappings() {
		this.cells.get(3).enter(1, 1, Held.NO_TOKEN, 0);
		assertFails(() -> this.elsewhere.get(3).enter(2, 2, Held.NO_TOKEN, 0),
				"Holder 2 got the lock while holder 1 was still inside");
		assertThat(this.elsewhere.get(4).enter(2, 2, Held.NO_TOKEN, 0)).isNegative();
	}

	@Test
	void leaveOfHolderThatIsNotInsideFails() {
		assertThatExceptionOfType(ExclusionViolation.class).isThrownBy(() -> this.cells.get(0).leave(1, 1, 0));
	}

	@Test
	void tokenThatDoesNotGrowIsViolation() {
		pass(1, 7);
		pass(2, 8);
		assertFails(() -> pass(1, 8), "Holder 1 got token 8 after token 8");
	}

	@Test
	void gapIsMeasuredBetweenInstancesOnly() {
		ExclusionCell cell = this.cells.get(0);
		assertThat(cell.enter(1, 1, Held.NO_TOKEN, 100)).isNegative();
		cell.leave(1, 1, 200);
		assertThat(cell.enter(2, 1, Held.NO_TOKEN, 250)).isNegative();
		cell.leave(2, 1, 300);
		assertThat(this.elsewhere.get(0).enter(3, 2, Held.NO_TOKEN, 450)).isEqualTo(150);
	}

	@Test
	void holdersJoinUpToLimitAndExcludeWriter() {
		this.cells.get(0).join(1, 2, Held.NO_TOKEN);
		this.elsewhere.get(0).join(2, 2, Held.NO_TOKEN);
		assertFails(() -> this.cells.get(0).join(3, 2, Held.NO_TOKEN),
				"Holder 3 got the lock while 2 others were still inside");
		assertThatExceptionOfType(ExclusionViolation.class)
			.isThrownBy(() -> this.cells.get(0).enter(3, 1, Held.NO_TOKEN, 0));
		this.elsewhere.get(0).part(1);
		this.cells.get(0).part(2);
		assertThat(this.cells.get(0).enter(3, 1, Held.NO_TOKEN, 0)).isNegative();
		assertFails(() -> this.elsewhere.get(0).join(1, 2, Held.NO_TOKEN),
				"Holder 1 got the lock while holder 3 was still inside");
		assertThatExceptionOfType(ExclusionViolation.class).isThrownBy(() -> this.cells.get(0).part(1));
	}

	@Test
	void sharedHoldersMayHaveTokensInAnyOrder() {
		pass(1, 7);
		join(2, 10);
		join(3, 8);
		assertFails(() -> join(4, 7), "Holder 4 got token 7 after token 7");
	}

	@Test
	void writerTokenNotAboveReadersIsViolation() {
		join(2, 10);
		join(3, 8);
		assertFails(() -> pass(1, 9), "Holder 1 got token 9 after token 10");
	}

	@Test
	void clearRemovesHoldersAndTokens() {
		ExclusionCell last = this.cells.get(this.cells.size() - 1);
		last.enter(1, 1, 9, 0);
		this.elsewhere.forEach(ExclusionCell::clear);
		assertThat(last.enter(2, 2, 1, 50)).isNegative();
	}

	private static void assertFails(ThrowingCallable call, String message) {
		assertThatExceptionOfType(ExclusionViolation.class).isThrownBy(call).withMessage(message);
	}

	private void join(int holder, long token) {
		this.cells.get(0).join(holder, 5, token);
		this.cells.get(0).part(holder);
	}

	private void pass(int holder, long token) {
		this.cells.get(0).enter(holder, 1, token, 0);
		this.cells.get(0).leave(holder, 1, 0);
	}

}
