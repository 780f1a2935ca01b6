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

package io.github.watchdoglock.autoconfigure;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/**
 * Suggests a known name for a misspelled one.
 */
final class NearestName {

	private NearestName() {
	}

	/* A question that follows a sentence; empty if no name is similar. */
	static String suggest(String unknown, Collection<String> known) {
		String wanted = unknown.toLowerCase(Locale.ROOT);
		return known.stream()
			.min(Comparator.comparingInt((name) -> distance(wanted, name.toLowerCase(Locale.ROOT))))
			.filter((name) -> distance(wanted, name.toLowerCase(Locale.ROOT)) <= Math.max(1, name.length() / 3))
			.map((name) -> " Did you mean '" + name + "'?")
			.orElse("");
	}

	/* How many characters to insert, delete or replace (Levenshtein). */
	private static int distance(String from, String to) {
		int[] above = new int[to.length() + 1];
		for (int j = 0; j <= to.length(); j++) {
			above[j] = j;
		}
		for (int i = 1; i <= from.length(); i++) {
			int[] row = new int[to.length() + 1];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int replaced = above[j - 1] + ((from.charAt(i - 1) == to.charAt(j - 1)) ? 0 : 1);
				row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
			}
			above = row;
		}
		return above[to.length()];
	}

}
