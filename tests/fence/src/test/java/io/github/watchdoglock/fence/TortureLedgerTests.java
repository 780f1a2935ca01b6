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

package io.github.watchdoglock.fence;

import java.util.List;

import io.github.watchdoglock.fence.TortureLedger.Entry;
import io.github.watchdoglock.fence.TortureLedger.Violation;
import io.github.watchdoglock.fence.TortureLedger.Violation.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TortureLedger}.
 */
class TortureLedgerTests {

	@Test
	void transactionsInOrderAreRight() {
		assertThat(check(3, entry(0, 5, 1), entry(1, 5, 1), entry(2, 7, 0))).isEmpty();
	}

	@Test
	void twoThatHaveReadTheSameAreALostUpdate() {
		assertThat(check(2, entry(0, 5, 1), entry(1, 6, 0), entry(1, 7, 1))).contains(Kind.LOST_UPDATE);
	}

	@Test
	void anAmountThatIsNotTheNumberOfTransactionsIsALostUpdate() {
		assertThat(check(1, entry(0, 5, 1), entry(1, 6, 0))).containsExactly(Kind.LOST_UPDATE);
	}

	@Test
	void aGapIsALostUpdate() {
		assertThat(check(2, entry(0, 5, 1), entry(2, 6, 0))).containsExactly(Kind.LOST_UPDATE);
	}

	@Test
	void aSmallerTokenAfterAGreaterOneIsFound() {
		assertThat(check(2, entry(0, 6, 1), entry(1, 5, 0))).containsExactly(Kind.TOKEN_ORDER);
	}

	@Test
	void oneTokenOfTwoInstancesIsFound() {
		assertThat(check(2, entry(0, 6, 1), entry(1, 6, 0))).containsExactly(Kind.TOKEN_ORDER);
	}

	@Test
	void aTransactionThatBeganBesideAnotherOneIsFound() {
		assertThat(check(1, new Entry(0, 5, 1, false))).containsExactly(Kind.STILL_OPEN);
	}

	private static List<Kind> check(long amount, Entry... entries) {
		return TortureLedger.check("k", List.of(entries), amount).stream().map(Violation::kind).toList();
	}

	private static Entry entry(long seen, long token, int instance) {
		return new Entry(seen, token, instance, true);
	}

}
