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
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What a run is asked for.
 *
 * @param settings how much is measured
 * @param cases which cases, by id; all if empty
 * @param redis the server's program; null for the embedded one
 * @param before the jar of an earlier build of this project; null where there is none
 * @param publish whether the project's page is to show it, if all cases are measured
 */
record Options(Settings settings, Set<String> cases, @Nullable String redis, @Nullable Path before, boolean publish) {

	private static final String USAGE = "[--quick] [--rounds=5] [--seconds=1.5] [--cases=own-key-1,…]"
			+ " [--redis=/path/to/redis-server] [--before=/path/to/earlier.jar] [--publish], or --report alone";

	Options {
		if (!Cases.ids().containsAll(cases)) {
			throw new IllegalArgumentException("'--cases' must be of " + Cases.ids() + ", and was " + cases);
		}
		if (before != null && !Files.isRegularFile(before)) {
			throw new IllegalArgumentException("'--before' must be a jar, and was " + before);
		}
	}

	static Options parse(String... args) {
		boolean quick = Set.of(args).contains("--quick");
		Options options = new Options(quick ? Settings.minimal() : Settings.defaults(), Set.of(), null, null, !quick);
		for (String arg : args) {
			options = options.with(arg);
		}
		return options;
	}

	private Options with(String arg) {
		int equals = arg.indexOf('=');
		String value = arg.substring(equals + 1);
		return switch ((equals < 0) ? arg : arg.substring(0, equals)) {
			case "--quick" -> this;
			case "--rounds" -> with(this.settings.withRounds(Integer.parseInt(value)));
			case "--seconds" ->
				with(this.settings.withLength(Duration.ofMillis(Math.round(Double.parseDouble(value) * 1000))));
			case "--cases" ->
				new Options(this.settings, Set.of(value.split(",", -1)), this.redis, this.before, this.publish);
			case "--redis" -> new Options(this.settings, this.cases, value, this.before, this.publish);
			case "--before" -> new Options(this.settings, this.cases, this.redis, Path.of(value), this.publish);
			case "--publish" -> new Options(this.settings, this.cases, this.redis, this.before, true);
			default -> throw new IllegalArgumentException("'" + arg + "' is not understood. Usage: " + USAGE);
		};
	}

	private Options with(Settings settings) {
		return new Options(settings, this.cases, this.redis, this.before, this.publish);
	}

	boolean includes(String id) {
		return this.cases.isEmpty() || this.cases.contains(id);
	}

	/* Whether the project's page shows it. */
	boolean isPublished() {
		return this.publish && this.cases.isEmpty();
	}

}
