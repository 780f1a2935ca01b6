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
import java.util.stream.Stream;

import io.github.watchdoglock.fence.TortureLedger.Entry;
import io.github.watchdoglock.fence.TortureLedger.Violation;
import io.github.watchdoglock.fence.TortureLedger.Violation.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TortureLedger}.
 */
class TortureLedgerTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			in order                                | 3 | 0 5 1, 1 5 1, 2 7 0 | []
			two that have read the same             | 2 | 0 5 1, 1 6 0, 1 7 1 | [LOST_UPDATE, LOST_UPDATE]
			an amount that is not the number of all | 1 | 0 5 1, 1 6 0        | [LOST_UPDATE]
			a gap                                   | 2 | 0 5 1, 2 6 0        | [LOST_UPDATE]
			a smaller token after a greater one     | 2 | 0 6 1, 1 5 0        | [TOKEN_ORDER]
			one token of two instances              | 2 | 0 6 1, 1 6 0        | [TOKEN_ORDER]
			""")
	void ledgerReportsLostUpdatesAndTokenOrder(String what, long amount, String entries, String kinds) {
		assertThat(
				check(amount, Stream.of(entries.split(", ", -1)).map(TortureLedgerTests::entry).toArray(Entry[]::new)))
			.as(what)
			.hasToString(kinds);
	}

	@Test
	void transactionBesideOpenOneIsReported() {
		assertThat(check(1, new Entry(0, 5, 1, false))).containsExactly(Kind.STILL_OPEN);
	}

	private static List<Kind> check(long amount, Entry... entries) {
		return TortureLedger.check("k", List.of(entries), amount).stream().map(Violation::kind).toList();
	}

	/* Parse the amount that was read, the token and the instance. */
	private static Entry entry(String text) {
		String[] words = text.split(" ", -1);
		return new Entry(Long.parseLong(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2]), true);
	}

}
