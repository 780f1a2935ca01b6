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
 * What a run is asked for.
 *
 * @param quick whether it is only to be seen that it works
 * @param rounds how often few callers and many are measured in each case
 * @param length how long a round is
 * @param callers how many are many
 * @param cases what the names of cases begin with; all if empty
 */
record LoadOptions(boolean quick, int rounds, Duration length, int callers, List<String> cases) {

	/** How many are few. */
	static final int FEW = 32;

	/** The lease of what is held meanwhile: what is renewed three times in this time. */
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

	/* Whether the project's page shows it. */
	boolean isPublished() {
		return !this.quick && this.cases.isEmpty();
	}

	Duration warmUp() {
		return Duration.ofMillis(this.quick ? 100 : 5000);
	}

	/* How many locks are held meanwhile. */
	int held() {
		return this.quick ? 100 : 1000;
	}

}
