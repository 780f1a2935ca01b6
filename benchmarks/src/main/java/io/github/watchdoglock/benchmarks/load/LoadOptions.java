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

package io.github.watchdoglock.benchmarks.load;

import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.benchmarks.run.Arguments;

/**
 * The options of a run.
 *
 * @param quick whether the run only checks that the benchmark works
 * @param rounds how often few callers and many are measured in each case
 * @param length the duration of a round
 * @param callers the number of many callers
 * @param cases prefixes of the cases to run; all if empty
 */
record LoadOptions(boolean quick, int rounds, Duration length, int callers, List<String> cases) {

	/** The number of few callers. */
	static final int FEW = 32;

	/**
	 * The lease of the locks that are held meanwhile, which are renewed three times per
	 * lease.
	 */
	static final Duration LEASE = Duration.ofSeconds(9);

	private static final String USAGE = "[--quick] [--rounds=3] [--seconds=3] [--callers=10000]"
			+ " [--cases=one-key,own-keys-redis,…]";

	LoadOptions {
		if (rounds < 1 || callers < 1 || length.isNegative() || length.isZero()) {
			throw new IllegalArgumentException(
					"'rounds', 'seconds' and 'callers' must be positive: " + rounds + ", " + length + ", " + callers);
		}
	}

	static LoadOptions parse(String... args) {
		Arguments given = Arguments.parse(args, USAGE, "quick", "rounds", "seconds", "callers", "cases");
		boolean quick = given.has("quick");
		double seconds = Double.parseDouble(given.find("seconds", quick ? "0.3" : "3"));
		String cases = given.find("cases");
		return new LoadOptions(quick, given.number("rounds", quick ? 1 : 3),
				Duration.ofMillis(Math.round(seconds * 1000)), given.number("callers", quick ? 300 : 10_000),
				(cases != null) ? List.of(cases.split(",", -1)) : List.of());
	}

	boolean includes(LoadCase each) {
		return this.cases.isEmpty() || this.cases.stream().anyMatch((prefix) -> each.id().startsWith(prefix));
	}

	/* Whether the results are shown in the documentation. */
	boolean isPublished() {
		return !this.quick && this.cases.isEmpty();
	}

	Duration warmUp() {
		return Duration.ofMillis(this.quick ? 100 : 5000);
	}

	/* The number of locks that are held meanwhile. */
	int held() {
		return this.quick ? 100 : 1000;
	}

}
