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

package io.github.watchdoglock.pages.run;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of a command on a page, as a pattern.
 */
final class Printed {

	private static final String ANYTHING = "…";

	private static final Pattern NUMBER = Pattern.compile(" *\\d+");

	private Printed() {
	}

	/**
	 * Return whether a command has printed the output on its page.
	 * @param shown the lines of the page: {@code …} matches anything, also several lines
	 * if it is alone on its line
	 * @param numbersVary whether each number may differ
	 * @param printed the printed output
	 * @return true if it has
	 */
	static boolean matches(List<String> shown, boolean numbersVary, String printed) {
		StringBuilder pattern = new StringBuilder();
		for (String line : shown) {
			pattern.append(line.equals(ANYTHING) ? "(?:.*\n)*?" : line(line, numbersVary) + "\n");
		}
		String text = printed.stripTrailing();
		return Pattern.matches(pattern.toString(), text.isEmpty() ? "" : text + "\n");
	}

	private static String line(String line, boolean numbersVary) {
		StringBuilder pattern = new StringBuilder();
		for (String part : line.split(ANYTHING, -1)) {
			pattern.append(pattern.isEmpty() ? "" : ".*").append(numbersVary ? anyNumbers(part) : Pattern.quote(part));
		}
		return pattern.toString();
	}

	private static String anyNumbers(String text) {
		StringBuilder pattern = new StringBuilder();
		int end = 0;
		Matcher numbers = NUMBER.matcher(text);
		for (MatchResult number : numbers.results().toList()) {
			pattern.append(Pattern.quote(text.substring(end, number.start())));
			pattern.append(number.group().startsWith(" ") ? " *\\d+" : "\\d+");
			end = number.end();
		}
		return pattern.append(Pattern.quote(text.substring(end))).toString();
	}

}
