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

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a JVM has at a moment.
 *
 * @param classes instances of this project's classes, by their names
 * @param threads threads, by their names without numbers
 */
record Census(Map<String, Long> classes, Map<String, Long> threads) {

	/*
	 * As in " 12:  34  816  io.github.watchdoglock.engine.LocalLock", or an array of
	 * those.
	 */
	private static final Pattern CLASS = Pattern
		.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+(\\[*L?io\\.github\\.watchdoglock\\.\\S+)");

	private static final Pattern THREAD = Pattern.compile("(?m)^\"(.*)\" #\\d+");

	/* The compiler's come and go by themselves, and one answers who asks this. */
	private static final Pattern OWN = Pattern.compile("C[12] CompilerThread\\d+|Attach Listener");

	static Census parse(String histogram, String threadDump) {
		Map<String, Long> classes = new TreeMap<>();
		for (Matcher line = CLASS.matcher(histogram); line.find();) {
			classes.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum);
		}
		Map<String, Long> threads = new TreeMap<>();
		for (Matcher line = THREAD.matcher(threadDump); line.find();) {
			if (!OWN.matcher(line.group(1)).matches()) {
				threads.merge(line.group(1).replaceAll("\\d+", "#"), 1L, Long::sum);
			}
		}
		return new Census(classes, threads);
	}

	static long total(Map<String, Long> counts) {
		return counts.values().stream().mapToLong(Long::longValue).sum();
	}

}
