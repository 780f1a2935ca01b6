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

package io.github.watchdoglock.simulation;

import java.util.List;

/**
 * A seeded source of random values: the same seed and the same calls give the same
 * values. Not thread-safe.
 */
final class Draw {

	private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

	private long state;

	Draw(long seed) {
		this.state = seed * GOLDEN_GAMMA + GOLDEN_GAMMA;
	}

	/* The mixing function of SplittableRandom. */
	long next() {
		this.state += GOLDEN_GAMMA;
		long mixed = (this.state ^ (this.state >>> 30)) * 0xBF58476D1CE4E5B9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
		return mixed ^ (mixed >>> 31);
	}

	/** Return a value from zero (inclusive) to one (exclusive). */
	double share() {
		return (next() >>> 11) * 0x1.0p-53;
	}

	boolean oneIn(int n) {
		return below(n) == 0;
	}

	int below(int bound) {
		return (int) ((next() >>> 33) % bound);
	}

	/** Return a value from the first (inclusive) to the second (exclusive). */
	long between(long from, long to) {
		return from + (long) (share() * (to - from));
	}

	/** Return a value that is mostly far below the maximum. */
	long rarelyUpTo(long most) {
		double share = share();
		return (long) (share * share * share * most);
	}

	<T> T of(List<T> all) {
		return all.get(below(all.size()));
	}

}
