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

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The times at which callers requested a lock and acquired it. Not thread-safe.
 */
final class Arrivals implements Serializable {

	private static final int FIRST = 1024;

	private long[] times = new long[FIRST];

	private int size;

	/* Add a turn: when it was requested, and when it began. */
	void add(long asked, long got) {
		if (this.size == this.times.length) {
			this.times = Arrays.copyOf(this.times, 2 * this.size);
		}
		this.times[this.size] = asked;
		this.times[this.size + 1] = got;
		this.size += 2;
	}

	/*
	 * Return for each turn how many turns were served before it that were requested after
	 * it. In order of arrival, all of them are zero.
	 */
	static int[] overtakers(List<Arrivals> callers) {
		List<long[]> turns = callers.stream()
			.flatMap((caller) -> IntStream.range(0, caller.size / 2)
				.mapToObj((i) -> new long[] { caller.times[2 * i], caller.times[2 * i + 1], 0 }))
			.sorted(Comparator.comparingLong((turn) -> turn[1]))
			.toList();
		int count = turns.size();
		for (int i = 0; i < count; i++) {
			turns.get(i)[2] = i + 1L;
		}
		int[] served = new int[count + 1];
		return turns.stream()
			.sorted(Comparator.comparingLong((long[] turn) -> turn[0]).reversed())
			.mapToInt((turn) -> count(served, (int) turn[2]))
			.toArray();
	}

	/*
	 * Return how many of the turns that were counted before have a lower rank; a binary
	 * indexed tree.
	 */
	private static int count(int[] served, int rank) {
		int sum = 0;
		for (int i = rank - 1; i > 0; i -= Integer.lowestOneBit(i)) {
			sum += served[i];
		}
		for (int i = rank; i < served.length; i += Integer.lowestOneBit(i)) {
			served[i]++;
		}
		return sum;
	}

}
