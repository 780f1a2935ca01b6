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

package io.github.watchdoglock.benchmarks.hour;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How many there were of something, early and late.
 *
 * @param what what is counted
 * @param early the first number
 * @param late the second one
 */
record Growth(String what, long early, long late) {

	private static final double TOLERANCE = 0.01;

	/* In both directions: what has gone was too many before. */
	boolean passes() {
		return Math.abs(this.late - this.early) <= TOLERANCE * this.early;
	}

	String row() {
		return String.format(Locale.ROOT, "| %s | %,d | %,d | %+.1f %% | %s |", this.what, this.early, this.late,
				100.0 * (this.late - this.early) / Math.max(1, this.early), passes() ? "PASS" : "FAIL");
	}

	/* Where the numbers differ, by name. */
	static Stream<Growth> each(Map<String, Long> early, Map<String, Long> late) {
		Set<String> names = new TreeSet<>(early.keySet());
		names.addAll(late.keySet());
		return names.stream()
			.map((name) -> new Growth(name, early.getOrDefault(name, 0L), late.getOrDefault(name, 0L)))
			.filter((growth) -> growth.early != growth.late);
	}

	static String list(Map<String, Long> early, Map<String, Long> late) {
		return each(early, late).map((each) -> "  " + each.what + ": " + each.early + " -> " + each.late)
			.collect(Collectors.joining("\n"));
	}

}
