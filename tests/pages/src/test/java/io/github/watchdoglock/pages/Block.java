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

package io.github.watchdoglock.pages;

import java.util.List;

/**
 * A fenced block of a page.
 *
 * @param page name of the page
 * @param line the line of its first fence, from 1
 * @param language the language after that fence, or empty
 * @param marker the meaning of the comment before it
 * @param lines its content
 */
public record Block(String page, int line, String language, Marker marker, List<String> lines) {

	/**
	 * Return whether it has commands.
	 * @return true if it has
	 */
	public boolean isCommands() {
		return this.language.equals("console") || this.language.equals("sh");
	}

	String text() {
		return String.join("\n", this.lines);
	}

	Problem problem(String text) {
		return new Problem(this.page, this.line, text);
	}

}
