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

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.watchdoglock.pages.Metadata.Property;

/**
 * The table of properties of a page, generated from the metadata. It stands between
 * {@code <!-- generated: properties -->} and {@code <!-- end generated -->};
 * {@code properties} may be followed by the prefixes of the properties in the table.
 *
 * @param metadata the existing properties
 */
record PropertyTable(Metadata metadata) {

	private static final Pattern PLACE = Pattern
		.compile("(?m)(^<!-- generated: properties(?: (\\S+))? -->\\R)(?:.*\\R)*?(?=^<!-- end generated -->)");

	/**
	 * Return a page with updated tables.
	 * @param text the text of a page
	 * @return the same text if the tables are up to date
	 */
	String update(String text) {
		return PLACE.matcher(text)
			.replaceAll((place) -> Matcher
				.quoteReplacement(place.group(1) + table((place.group(2) != null) ? place.group(2) : "")));
	}

	private String table(String prefix) {
		return this.metadata.ours()
			.stream()
			.filter((property) -> property.name().startsWith(prefix))
			.map(PropertyTable::row)
			.collect(Collectors.joining("\n", "\n| property | default | description |\n|---|---|---|\n", "\n\n"));
	}

	private static String row(Property property) {
		String text = property.description();
		if (!property.values().isEmpty()) {
			text += " " + String.join(" ", property.values());
		}
		return "| `" + property.name() + "` | " + value(property) + " | " + text.replace("|", "\\|") + " |";
	}

	private static String value(Property property) {
		String value = property.defaultValue();
		if (value == null) {
			return "";
		}
		// A value of an enum, as users write it.
		return "`" + (property.type().equals(String.class.getName()) ? value : value.replace('_', '-')) + "`";
	}

}
