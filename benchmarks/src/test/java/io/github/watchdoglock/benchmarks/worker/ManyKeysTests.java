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

package io.github.watchdoglock.benchmarks.worker;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.watchdoglock.benchmarks.lock.Held;
import io.github.watchdoglock.benchmarks.lock.RenewedLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link NewKeys}, {@link HoldMany} and {@link FreeLocks}.
 */
class ManyKeysTests {

	private final InMemory locks = new InMemory();

	private final Workplace place = new Workplace(1, List.of(this.locks));

	@Test
	void eachNewKeyIsTakenAndReleasedOnce() throws Exception {
		assertThat(new NewKeys("new", 100).run(this.place)).isEqualTo(100);
		assertThat(this.locks.asked).hasSize(100).doesNotHaveDuplicates();
		assertThat(this.locks.taken).isEmpty();
	}

	@Test
	void locksThatNobodyHasAreFound() throws Exception {
		new HoldMany("many", 100).run(this.place);
		assertThat(new FreeLocks("many", 100).run(this.place)).isZero();
		this.locks.taken.remove("many-50");
		this.locks.taken.remove("many-60");
		assertThat(new FreeLocks("many", 100).run(this.place)).isEqualTo(2);
	}

	@Test
	void whatNobodyRenewsIsNotLookedAt() {
		Workplace other = new Workplace(1, List.of((key) -> () -> {
		}));
		assertThatIllegalStateException().isThrownBy(() -> new FreeLocks("many", 100).run(other));
	}

	private static final class InMemory implements RenewedLock {

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
