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

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The comment before a block, which says how the block is used.
 *
 * @param kind the use
 * @param numbersVary whether each number of its output may differ
 */
public record Marker(Kind kind, boolean numbersVary) {

	static final Marker NONE = new Marker(Kind.NONE, false);

	private static final Pattern COMMENT = Pattern.compile("<!-- (.+?) -->");

	private static final Pattern RUN = Pattern.compile("run(: sample)?(, numbers vary)?");

	private static final Pattern REASON = Pattern.compile("(not run|not compiled): \\S.*");

	static Marker of(String comment) {
		Matcher text = COMMENT.matcher(comment.strip());
		if (!text.matches()) {
			return NONE;
		}
		if (text.group(1).equals("run by CI")) {
			return new Marker(Kind.RUN_BY_CI, false);
		}
		Matcher run = RUN.matcher(text.group(1));
		if (run.matches()) {
			return new Marker((run.group(1) != null) ? Kind.RUN_SAMPLE : Kind.RUN, run.group(2) != null);
		}
		Matcher reason = REASON.matcher(text.group(1));
		if (reason.matches()) {
			return new Marker(Kind.valueOf(reason.group(1).toUpperCase(Locale.ROOT).replace(' ', '_')), false);
		}
		return NONE;
	}

	/**
	 * Return whether the block is run from the page.
	 * @return true if it is
	 */
	public boolean isRun() {
		return this.kind == Kind.RUN || this.kind == Kind.RUN_SAMPLE;
	}

	/**
	 * The use of a block.
	 */
	public enum Kind {

		/**
		 * Run in the root of a clone.
		 */
		RUN,

		/**
		 * Run there, while an instance of the sample runs.
		 */
		RUN_SAMPLE,

		/**
		 * Run by another step of CI.
		 */
		RUN_BY_CI,

		/**
		 * Commands that are not run.
		 */
		NOT_RUN,

		/**
		 * Code that is not compiled.
		 */
		NOT_COMPILED,

		/**
		 * There is no comment.
		 */
		NONE

	}

}
