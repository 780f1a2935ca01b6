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

package io.github.watchdoglock.memory;

import java.time.InstantSource;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseSurvey;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import io.github.watchdoglock.store.LeaseSurveyContract;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InMemorySurvey}.
 */
class InMemorySurveyTests extends LeaseSurveyContract {

	private InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());

	@Test
	void keysWithSameHashAreCountedInOneAnswer() {
		// "Aa" and "BB" have the same hash.
		take(LockKey.of("same", "AaBB"));
		take(LockKey.of("same", "BBAa"));
		Held answer = look(null, 1);
		assertThat(answer.locks()).hasSize(1);
		assertThat(answer.count()).isEqualTo(2);
		assertThat(answer.cursor()).isNull();
	}

	@Test
	void answerEndsAfterTenThousandKeysAndCursorContinues() {
		for (int i = 0; i < 10_100; i++) {
			take(LockKey.of("many", "" + i));
		}
		Held first = look(null, 0);
		assertThat(first.count()).isBetween(10_000, 10_010);
		Held second = look(first.cursor(), 0);
		assertThat(first.count() + second.count()).isEqualTo(10_100);
		assertThat(second.cursor()).isNull();
	}

	@Override
	protected LeaseStore store() {
		return this.store;
	}

	@Override
	protected LeaseInspector inspector() {
		return this.store;
	}

	@Override
	protected LeaseSurvey survey() {
		return this.store;
	}

	@Override
	protected void clear() {
		this.store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
	}

}
