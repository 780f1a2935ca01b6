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

package io.github.watchdoglock.snippets;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A front page without its words: headings, code, tables, lists, links, and code in the
 * text.
 */
final class FrontPage {

	private static final Pattern HEADING = Pattern.compile("(#+) (.+)");

	private static final Pattern ITEM = Pattern.compile("(-|\\d+\\.) .*");

	private static final Pattern LINK = Pattern.compile("]\\(([^)]+)\\)");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern COMMENT = Pattern.compile("\\s*//.*");

	private final List<String> anchors;

	private final List<String> structure = new ArrayList<>();

	/*
	 * The names in a section; sentences in another language may have them in another
	 * order.
	 */
	private final Map<String, Integer> named = new TreeMap<>();

	private FrontPage(List<String> lines) {
		this.anchors = lines.stream()
			.map(HEADING::matcher)
			.filter(Matcher::matches)
			.map((heading) -> anchor(heading.group(2)))
			.toList();
	}

	/**
	 * Return the structure of a page.
	 * @param lines its lines
	 * @return the parts that are the same in each language, in order
	 */
	static List<String> structure(List<String> lines) {
		FrontPage page = new FrontPage(lines);
		boolean code = false;
		for (String line : lines) {
			boolean fence = line.startsWith("```");
			if (fence || code) {
				page.structure.add("code: " + COMMENT.matcher(line).replaceFirst(""));
				code = code != fence;
			}
			else {
				page.read(line);
			}
		}
		page.endSection();
		return page.structure;
	}

	private void read(String line) {
		Matcher heading = HEADING.matcher(line);
		Matcher item = ITEM.matcher(line);
		if (heading.matches()) {
			endSection();
			this.structure.add(heading.group(1));
		}
		else if (line.startsWith("<!-- ")) {
			// The comment about the use of the following block, which is needed on one
			// page only.
			return;
		}
		else if (item.matches()) {
			this.structure.add("item " + item.group(1));
		}
		else if (line.startsWith("|")) {
			this.structure
				.add("columns: " + CODE.matcher(line).replaceAll("").chars().filter((letter) -> letter == '|').count());
		}
		LINK.matcher(line).results().forEach((link) -> name(target(link.group(1))));
		CODE.matcher(line).results().forEach((name) -> name(name.group(1)));
	}

	private void name(String name) {
		this.named.merge(name, 1, Integer::sum);
	}

	private String target(String link) {
		if (link.startsWith("#")) {
			int heading = this.anchors.indexOf(link.substring(1));
			return (heading >= 0) ? "heading " + heading : "no heading " + link;
		}
		return link.startsWith("README") ? "the other language" : link;
	}

	private void endSection() {
		this.named.forEach((name, times) -> this.structure.add(times + " x " + name));
		this.named.clear();
	}

	private static String anchor(String heading) {
		return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
	}

}
