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

package io.github.watchdoglock.redis.survey;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The position that a survey has reached. Immutable.
 *
 * @param node the id of the server; empty outside of a cluster
 * @param cursor the cursor of that server
 */
record ScanPosition(String node, String cursor) {

	private static final Pattern TEXT = Pattern.compile("(?:([0-9a-f]{1,64})-)?([0-9]{1,20})");

	/* Return null if the string is not a position. */
	static @Nullable ScanPosition parse(String text) {
		Matcher parts = TEXT.matcher(text);
		if (!parts.matches()) {
			return null;
		}
		String node = parts.group(1);
		return new ScanPosition((node != null) ? node : "", parts.group(2));
	}

	@Override
	public String toString() {
		return this.node.isEmpty() ? this.cursor : this.node + "-" + this.cursor;
	}

}
