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

package io.github.watchdoglock.redis.survey;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SurveyBudget}.
 */
class SurveyBudgetTests {

	private final SurveyBudget budget = new SurveyBudget();

	@Test
	void budgetAllowsAtMostTenThousandKeys() {
		int keys = 0;
		while (this.budget.hasEnough()) {
			// A server may return a few more keys.
			keys += SurveyBudget.BATCH + 7;
			this.budget.spend(SurveyBudget.BATCH + 7, 1);
		}
		assertThat(keys).as("keys read until the budget is used up").isBetween(9_500, 10_000);
	}

	@Test
	void batchIsNotStartedWhenLongestOneWouldExceedTime() {
		this.budget.spend(200, TimeUnit.MILLISECONDS.toNanos(30));
		assertThat(this.budget.hasEnough()).as("budget left for a batch after 30 ms").isTrue();
		this.budget.spend(200, TimeUnit.MILLISECONDS.toNanos(40));
		assertThat(this.budget.hasEnough()).as("budget left for a batch when the longest would exceed the time")
			.isFalse();
	}

}
