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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseDeadline}.
 */
class LeaseDeadlineTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	@Test
	void endOfTheLeaseIsKnownToTheNextMillisecond() {
		assertThat(new Deadline(SECOND, 3 * SECOND).leaseEnd()).isEqualTo(3 * SECOND);
		assertThat(new Deadline(SECOND, 3 * SECOND + 1).leaseEnd()).isEqualTo(3 * SECOND + 1_000_000);
		assertThat(new Deadline(3 * SECOND, SECOND).leaseEnd()).isEqualTo(3 * SECOND);
		assertThat(new Deadline(0, Long.MAX_VALUE).leaseEnd()).isEqualTo(Integer.MAX_VALUE * 1_000_000L);
	}

	@Test
	void endOfTheLeaseComesNoEarlierAndMayComeLater() {
		Deadline deadline = new Deadline(SECOND, 3 * SECOND);
		deadline.mayLast(2 * SECOND);
		assertThat(deadline.leaseEnd()).isEqualTo(3 * SECOND);
		deadline.mayLast(5 * SECOND);
		assertThat(deadline.leaseEnd()).isEqualTo(5 * SECOND);
		deadline.setDeadline(2 * SECOND);
		assertThat(deadline.leaseEnd()).isEqualTo(5 * SECOND);
		deadline.setDeadline(6 * SECOND);
		assertThat(deadline.leaseEnd()).isEqualTo(6 * SECOND);
	}

	@Test
	void whatIsLeftBecomesNegative() {
		Deadline deadline = new Deadline(3 * SECOND, 3 * SECOND);
		assertThat(deadline.deadline()).isEqualTo(3 * SECOND);
		assertThat(deadline.left(SECOND)).isEqualTo(2 * SECOND);
		assertThat(deadline.left(4 * SECOND)).isEqualTo(-SECOND);
	}

	@Test
	void whatWasBeforeIsAllOfIt() {
		Deadline deadline = new Deadline(SECOND, 3 * SECOND);
		Deadline before = new Deadline(SECOND, 3 * SECOND);
		deadline.setDeadline(5 * SECOND);
		deadline.outlivesTerms = true;
		deadline.revert(before);
		assertThat(deadline.deadline()).isEqualTo(SECOND);
		assertThat(deadline.leaseEnd()).isEqualTo(3 * SECOND);
		assertThat(deadline.outlivesTerms).isFalse();
	}

	private static final class Deadline extends LeaseDeadline {

		Deadline(long deadline, long leaseEnd) {
			super(deadline, leaseEnd);
		}

		@Override
		public void proceed(long now) {
			throw new AssertionError("was not set");
		}

	}

}
