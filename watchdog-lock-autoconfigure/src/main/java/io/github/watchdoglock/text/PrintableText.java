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

/**
 * Text of users on its way into messages and logs, where it must neither forge a line nor
 * show in another order than it has.
 */
public final class PrintableText {

	/**
	 * How many characters are shown, unless another number is given.
	 */
	public static final int LIMIT = 128;

	private static final char REPLACEMENT = '?';

	private PrintableText() {
	}

	/**
	 * A text as it may stand in a log: cut where it is long, and with a question mark for
	 * each character that controls what is shown, such as line breaks, marks of direction
	 * and what has no width.
	 * @param text the text
	 * @return the text, for people
	 */
	public static String of(String text) {
		return of(text, LIMIT);
	}

	/**
	 * The same, cut elsewhere.
	 * @param text the text
	 * @param limit how many characters it has at most, before the dots that say that it
	 * was cut
	 * @return the text, for people
	 */
	public static String of(String text, int limit) {
		if (text.length() <= limit && isPlain(text)) {
			return text;
		}
		StringBuilder clean = new StringBuilder(Math.min(text.length(), limit) + 3);
		int i = 0;
		while (i < text.length()) {
			int point = text.codePointAt(i);
			int next = i + Character.charCount(point);
			if (next > limit) {
				return clean.append("...").toString();
			}
			clean.appendCodePoint(isShown(point) ? point : REPLACEMENT);
			i = next;
		}
		return clean.toString();
	}

	/* Most texts have nothing but printable ASCII. */
	private static boolean isPlain(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c < ' ' || c > '~') {
				return false;
			}
		}
		return true;
	}

	private static boolean isShown(int point) {
		return switch (Character.getType(point)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				false;
			default -> true;
		};
	}

}
