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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.lock.Contender;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run, and the resulting extent of the measurement.
 *
 * @param quick whether the run only checks that the benchmark works
 * @param rounds how often each contender is measured in each case
 * @param length how long a round is measured
 * @param cases the ids of the cases to run; all if empty
 * @param redis the program of the server; null for the embedded one
 * @param before the jar of an earlier build of this project; null if there is none
 * @param contenders the contenders to measure; all if empty
 * @param kinds whether locks that several callers may hold are measured
 * @param permitTime how long permits are held
 */
record Options(boolean quick, int rounds, Duration length, Set<String> cases, @Nullable String redis,
		@Nullable Path before, Set<Contender> contenders, boolean kinds, Duration permitTime) {

	private static final String USAGE = "[--quick] [--rounds=5] [--seconds=1.5] [--cases=own-key-1,…]"
			+ " [--redis=/path/to/redis-server] [--before=/path/to/earlier.jar]"
			+ " [--contenders=watchdog-lock,redisson,…]" + " [--kinds [--permit-minutes=10]], or --report alone";

	Options {
		if (rounds < 1 || length.isNegative() || length.isZero()) {
			throw new IllegalArgumentException("'rounds' and 'seconds' must be positive: " + rounds + ", " + length);
		}
		if (before != null && !Files.isRegularFile(before)) {
			throw new IllegalArgumentException("'--before' must be a jar, and was " + before);
		}
	}

	static Options parse(String... args) {
		Arguments given = Arguments.parse(args, USAGE, "quick", "rounds", "seconds", "cases", "redis", "before",
				"contenders", "kinds", "permit-minutes");
		boolean quick = given.has("quick");
		double seconds = Double.parseDouble(given.find("seconds", quick ? "0.4" : "1.5"));
		double permitMinutes = Double.parseDouble(given.find("permit-minutes", quick ? "0.2" : "10"));
		String cases = given.find("cases");
		String before = given.find("before");
		Options options = new Options(quick, given.number("rounds", quick ? 1 : 5),
				Duration.ofMillis(Math.round(seconds * 1000)),
				(cases != null) ? Set.of(cases.split(",", -1)) : Set.of(), given.find("redis"),
				(before != null) ? Path.of(before) : null, contenders(given.find("contenders")), given.has("kinds"),
				Duration.ofSeconds(Math.round(permitMinutes * 60)));
		if (!Cases.ids(options).containsAll(options.cases)) {
			throw new IllegalArgumentException(
					"'--cases' must be of " + Cases.ids(options) + ", and was " + options.cases);
		}
		return options;
	}

	private static Set<Contender> contenders(@Nullable String names) {
		return (names != null) ? Stream.of(names.split(",", -1))
			.map((name) -> Contender.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')))
			.collect(Collectors.toUnmodifiableSet()) : Set.of();
	}

	/* Whether a contender is measured. */
	boolean has(Contender contender) {
		return switch (contender) {
			case NO_LOCK -> true;
			case WATCHDOG_LOCK_BEFORE -> this.before != null;
			default -> this.contenders.isEmpty() || this.contenders.contains(contender);
		};
	}

	boolean includes(String id) {
		return this.cases.isEmpty() || this.cases.contains(id)
				|| (this.cases.contains(Cases.FENCE) && id.startsWith(Cases.FENCE));
	}

	/* Whether the results are shown in the documentation. */
	boolean isPublished() {
		return !this.quick && this.cases.isEmpty() && this.contenders.isEmpty();
	}

	/* How long each contender works before the first round of a case. */
	Duration warmUp() {
		return Duration.ofMillis(this.quick ? 300 : 8000);
	}

	/* How long each contender works before it is measured in a round. */
	Duration ramp() {
		return Duration.ofMillis(this.quick ? 300 : 200);
	}

	/* How long a round is measured if locks are held for long. */
	Duration slowLength() {
		return Duration.ofMillis(this.quick ? 1500 : 4000);
	}

	/* The number of locks that are held for renewal. */
	int held() {
		return this.quick ? 5_000 : 100_000;
	}

	/* The lease of locks that are held for renewal. */
	Duration heldLease() {
		return Duration.ofSeconds(this.quick ? 3 : 6);
	}

	/* The lease of held permits, which must be renewed at least a few times. */
	Duration permitLease() {
		Duration usual = Duration.ofSeconds(30);
		Duration third = this.permitTime.dividedBy(3);
		return (third.compareTo(usual) < 0) ? Duration.ofSeconds(Math.max(3, third.toSeconds())) : usual;
	}

	/* How many acquisitions and releases precede the lock that is watched. */
	int cycles() {
		return this.quick ? 2_000 : 20_000;
	}

	/* The lease of the lock that is watched. */
	Duration cyclesLease() {
		return Duration.ofMillis(this.quick ? 4500 : 9000);
	}

	/* The number of new keys for each second for which a record is kept. */
	int newKeys() {
		return this.quick ? 50 : 1000;
	}

}
