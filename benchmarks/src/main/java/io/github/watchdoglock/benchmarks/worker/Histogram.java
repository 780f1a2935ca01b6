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

import java.io.Serializable;

/**
 * Counts durations, to a hundredth of each. Not thread-safe.
 */
public final class Histogram implements Serializable {

	private static final int BITS = 7;

	private static final int PER_POWER = 1 << BITS;

	/* Half an hour in nanoseconds is below 2^41. */
	private static final int POWERS = 42 - BITS;

	private final long[] counts = new long[(POWERS + 1) * PER_POWER];

	private long count;

	private long max;

	/**
	 * Count a duration.
	 * @param nanos the duration; negative ones count as none
	 */
	public void record(long nanos) {
		long value = Math.max(nanos, 0);
		this.counts[Math.min(index(value), this.counts.length - 1)]++;
		this.count++;
		this.max = Math.max(this.max, value);
	}

	/**
	 * Count all that another one has counted.
	 * @param other the other one
	 */
	public void add(Histogram other) {
		for (int i = 0; i < this.counts.length; i++) {
			this.counts[i] += other.counts[i];
		}
		this.count += other.count;
		this.max = Math.max(this.max, other.max);
	}

	/**
	 * How many were counted.
	 * @return the number
	 */
	public long count() {
		return this.count;
	}

	/**
	 * The longest.
	 * @return nanoseconds, zero if none was counted
	 */
	public long max() {
		return this.max;
	}

	/**
	 * The duration that a share of all does not exceed.
	 * @param share above zero, one at most
	 * @return nanoseconds, not a number if none was counted
	 */
	public double percentile(double share) {
		if (this.count == 0) {
			return Double.NaN;
		}
		long wanted = Math.max(1, (long) Math.ceil(share * this.count));
		int index = -1;
		for (long seen = 0; seen < wanted;) {
			seen += this.counts[++index];
		}
		return middle(index);
	}

	/* 128 steps from each power of two to the next. */
	private static int index(long value) {
		int shift = Math.max(0, 63 - Long.numberOfLeadingZeros(value | 1) - BITS);
		return (shift << BITS) + (int) (value >>> shift);
	}

	private static double middle(int index) {
		int shift = Math.max(0, (index >> BITS) - 1);
		long low = (long) (index - (shift << BITS)) << shift;
		return low + ((1L << shift) - 1) / 2.0;
	}

}
