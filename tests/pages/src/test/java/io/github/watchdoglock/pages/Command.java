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

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A command of a page.
 *
 * @param page name of the page
 * @param line its line, from 1
 * @param text the typed text, perhaps in several lines
 * @param output the output according to the page; null if the page does not show it
 * @param numbersVary whether each number of the output may differ
 */
public record Command(String page, int line, String text, @Nullable List<String> output, boolean numbersVary) {

	private static final String PROMPT = "$ ";

	/**
	 * Return the commands of a block.
	 * @param block a block with commands
	 * @return in their order
	 */
	public static List<Command> in(Block block) {
		boolean console = block.language().equals("console");
		List<Command> commands = new ArrayList<>();
		List<String> lines = block.lines();
		int at = 0;
		while (at < lines.size()) {
			int start = at;
			String line = lines.get(at++);
			if (console ? !line.startsWith(PROMPT) : line.isBlank() || line.startsWith("#")) {
				continue;
			}
			StringBuilder text = new StringBuilder(console ? line.substring(PROMPT.length()) : line);
			while (line.endsWith("\\") && at < lines.size()) {
				line = lines.get(at++);
				text.append('\n').append(line);
			}
			List<String> output = new ArrayList<>();
			while (console && at < lines.size() && !lines.get(at).startsWith(PROMPT)) {
				output.add(lines.get(at++));
			}
			commands.add(new Command(block.page(), block.line() + 1 + start, text.toString(), console ? output : null,
					block.marker().numbersVary()));
		}
		return commands;
	}

	/**
	 * Return a problem of this command.
	 * @param text the description
	 * @return as a problem of its page
	 */
	public Problem problem(String text) {
		return new Problem(this.page, this.line, text);
	}

}
