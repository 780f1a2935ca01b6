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

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.lock.Competitor.Held;
import io.github.watchdoglock.benchmarks.run.Task.Workplace;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for tasks of {@link Renewal} and {@link Traces}.
 */
class ManyKeysTests {

	private final InMemory locks = new InMemory();

	private final Workplace place = new Workplace(1, List.of(this.locks));

	@Test
	void eachNewKeyIsAcquiredAndReleasedOnce() throws Exception {
		assertThat(Traces.take(this.place, "new", 100)).isEqualTo(100);
		assertThat(this.locks.asked).hasSize(100).doesNotHaveDuplicates();
		assertThat(this.locks.taken).isEmpty();
	}

	@Test
	void freeLocksAreCountedAmongHeldOnes() throws Exception {
		Renewal.hold(this.place, "many", 100);
		assertThat(Renewal.free(this.place, "many", 100)).isZero();
		this.locks.taken.remove("many-50");
		this.locks.taken.remove("many-60");
		assertThat(Renewal.free(this.place, "many", 100)).isEqualTo(2);
	}

	@Test
	void freeCountIsRejectedForLockWithoutRenewal() {
		Workplace other = new Workplace(1, List.of((key) -> () -> {
		}));
		assertThatIllegalStateException().isThrownBy(() -> Renewal.free(other, "many", 100));
	}

	private static final class InMemory implements Competitor.Renewed {

		private final Queue<String> asked = new ConcurrentLinkedQueue<>();

		private final Set<String> taken = ConcurrentHashMap.newKeySet();

		@Override
		public Held lock(String key) {
			this.asked.add(key);
			assertThat(this.taken.add(key)).isTrue();
			return () -> this.taken.remove(key);
		}

		@Override
		public boolean isTaken(String key) {
			return this.taken.contains(key);
		}

	}

}
