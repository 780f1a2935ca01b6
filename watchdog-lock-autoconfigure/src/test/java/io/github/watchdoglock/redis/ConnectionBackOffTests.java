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

package io.github.watchdoglock.redis;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionBackOffTests {

	private final ConnectionBackOff backOff = new ConnectionBackOff("a Redis of this test");

	@Test
	void whatFailsAtOnceIsTriedLessAndLessOftenUpToOnceASecond() {
		for (long longest : new long[] { 50, 100, 200, 400, 800, 1_000, 1_000 }) {
			assertThat(this.backOff.nextDelay(0)).isBetween(longest / 2, longest);
		}
	}

	@Test
	void whatAnAttemptHasTakenIsPartOfThePause() {
		for (int i = 0; i < 5; i++) {
			this.backOff.nextDelay(0);
		}
		assertThat(this.backOff.nextDelay(400)).isBetween(100L, 600L);
		assertThat(this.backOff.nextDelay(999)).isBetween(0L, 1L);
	}

	@Test
	void anAttemptThatHasTakenAsLongAsTheLongestPauseEndsItAndMakesTheNextOneShort() {
		for (int i = 0; i < 5; i++) {
			this.backOff.nextDelay(0);
		}
		assertThat(this.backOff.nextDelay(1_000)).isZero();
		assertThat(this.backOff.nextDelay(2_000)).isZero();
		this.backOff.end();
		assertThat(this.backOff.delayAfterLoss()).isLessThanOrEqualTo(50);
	}

	@Test
	void whatIsLostAsSoonAsItIsThereIsOpenedLessAndLessOften() {
		for (int i = 0; i < 5; i++) {
			this.backOff.end();
			this.backOff.delayAfterLoss();
		}
		this.backOff.end();
		assertThat(this.backOff.delayAfterLoss()).isGreaterThan(100);
	}

}
