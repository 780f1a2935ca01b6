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
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Arrivals}.
 */
class ArrivalsTests {

	@Test
	void arrivalOrderHasNoOvertakers() {
		assertThat(Arrivals.overtakers(List.of(of(1, 10, 11, 20), of(2, 12, 13, 22)))).containsOnly(0);
	}

	@Test
	void overtakersAreLaterRequestsServedEarlier() {
		// In the order of requests, latest first: two of them overtake the first, one of
		// them the second.
		assertThat(Arrivals.overtakers(List.of(of(1, 40), of(2, 30, 31, 50), of(3, 20)))).containsExactly(0, 0, 1, 2);
	}

	@Test
	void overtakersOfManyTurnsMatchPairwiseCount() {
		SplittableRandom random = new SplittableRandom(1);
		long[][] turns = IntStream.range(0, 3000)
			// No two turns are served at the same time.
			.mapToObj((i) -> new long[] { 10L * i, 10_000L * i + 10_000L * random.nextInt(50) + i })
			.toArray(long[][]::new);
		Arrivals arrivals = new Arrivals();
		long expected = 0;
		for (long[] turn : turns) {
			arrivals.add(turn[0], turn[1]);
		}
		for (int i = 0; i < turns.length; i++) {
			for (int j = i + 1; j < turns.length; j++) {
				expected += (turns[j][1] < turns[i][1]) ? 1 : 0;
			}
		}
		assertThat(IntStream.of(Arrivals.overtakers(List.of(arrivals))).asLongStream().sum()).isEqualTo(expected);
	}

	private static Arrivals of(long... times) {
		Arrivals arrivals = new Arrivals();
		for (int i = 0; i < times.length; i += 2) {
			arrivals.add(times[i], times[i + 1]);
		}
		return arrivals;
	}

}
