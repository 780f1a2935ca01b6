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
import java.util.stream.IntStream;

/**
 * Suggestions for words that do not exist.
 */
final class Spelling {

	private Spelling() {
	}

	/*
	 * Return a question for the known word that differs in the fewest letters, with a
	 * blank before it; empty if all of them differ in more than a third of the letters.
	 */
	static String suggest(String word, Collection<String> known) {
		return known.stream()
			.min(Comparator.comparingInt((candidate) -> distance(word, candidate)))
			.filter((candidate) -> distance(word, candidate) <= Math.max(1, word.length() / 3))
			.map((candidate) -> " Did you mean '" + candidate + "'?")
			.orElse("");
	}

	/* The Levenshtein distance, without regard to case. */
	private static int distance(String one, String other) {
		int[] row = IntStream.rangeClosed(0, other.length()).toArray();
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = row[0]++;
			for (int j = 1; j <= other.length(); j++) {
				int same = diagonal + (one.regionMatches(true, i - 1, other, j - 1, 1) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(same, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[other.length()];
	}

}
