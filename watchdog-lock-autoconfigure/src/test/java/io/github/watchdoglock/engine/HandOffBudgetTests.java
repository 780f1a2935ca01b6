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

package io.github.watchdoglock.engine;

import java.time.Duration;

import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import io.github.watchdoglock.store.TokenBlock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HandOffBudget}.
 */
class HandOffBudgetTests {

	private static final long LATER = Duration.ofMillis(50).toNanos();

	private final HandOffBudget budget = new HandOffBudget(new TokenBlock(1, 3), 16);

	@Test
	void budgetUsesNextTokenBlockAndIgnoresUsedOne() {
		this.budget.pass();
		this.budget.note(new Renewed(false, new TokenBlock(1, 3)), 0);
		this.budget.note(new Renewed(false, new TokenBlock(3, 9)), 0);
		this.budget.note(new Renewed(false, null), 0);
		assertThat(this.budget.pass()).isEqualTo(3);
		assertThat(this.budget.hasToken()).isFalse();
		this.budget.note(new Renewed(false, new TokenBlock(7, 8)), 0);
		assertThat(this.budget.pass()).isEqualTo(7);
		assertThat(this.budget.pass()).isEqualTo(8);
		assertThat(this.budget.hasToken()).isFalse();
		assertThat(this.budget.isContended()).isFalse();
	}

	@Test
	void handOffsEndFiftyMillisecondsAfterFirstContention() {
		assertThat(this.budget.mayStay(Long.MAX_VALUE)).isTrue();
		this.budget.contended(7);
		this.budget.contended(7 + LATER);
		assertThat(this.budget.mayStay(7 + LATER - 1)).as("the lease may stay just before 50 ms").isTrue();
		assertThat(this.budget.mayStay(7 + LATER)).as("the lease may stay after 50 ms").isFalse();
	}

	@Test
	void forcedStateIsClearedOnlyByLaterConfirmation() {
		this.budget.forced(7);
		this.budget.confirmed(7);
		assertThat(this.budget.mayBeForced()).isTrue();
		this.budget.confirmed(8);
		assertThat(this.budget.mayBeForced()).isFalse();
	}

}
