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

package io.github.watchdoglock.text;

import java.util.regex.Pattern;

/**
 * Cleans strings of users for messages and logs, so that they can neither forge a log
 * line nor change the order in which characters are displayed.
 */
public final class PrintableText {

	/** The number of characters that are shown, unless another limit is given. */
	public static final int LIMIT = 128;

	/* Looks at printable ASCII first, because most strings consist of it. */
	private static final Pattern UNSHOWN = Pattern.compile("[[^ -~]&&[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]]");

	private PrintableText() {
	}

	/**
	 * Return a string that is safe in a log: shortened if it is long, and with a question
	 * mark for each character that controls the display, such as line breaks, direction
	 * marks and zero-width characters.
	 * @param text the string
	 * @return the string to display
	 */
	public static String of(String text) {
		return of(text, LIMIT);
	}

	/**
	 * Return a string that is safe in a log, with another limit.
	 * @param text the string
	 * @param limit the maximum number of characters, without the dots that show that the
	 * string was shortened
	 * @return the string to display
	 */
	public static String of(String text, int limit) {
		if (text.length() <= limit) {
			return UNSHOWN.matcher(text).replaceAll("?");
		}
		boolean split = limit > 0 && Character.isSurrogatePair(text.charAt(limit - 1), text.charAt(limit));
		return of(text.substring(0, split ? limit - 1 : limit), limit) + "...";
	}

}
