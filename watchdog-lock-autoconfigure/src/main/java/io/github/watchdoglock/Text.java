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

package io.github.watchdoglock;

/**
 * Text of users on its way into messages and logs.
 */
final class Text {

	private static final int LIMIT = 128;

	private Text() {
	}

	/* A line break in a key would forge a log line. */
	static String clean(String text) {
		StringBuilder clean = new StringBuilder(Math.min(text.length(), LIMIT));
		for (int i = 0; i < text.length() && i < LIMIT; i++) {
			char c = text.charAt(i);
			clean.append((Character.isISOControl(c) || c == '\u2028' || c == '\u2029') ? '?' : c);
		}
		return (text.length() > LIMIT) ? clean.append("...").toString() : clean.toString();
	}

}
