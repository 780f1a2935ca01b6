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
import java.util.regex.Pattern;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Paragraph;

/**
 * A brake for the pages of users: too many words, sentences that only announce the next
 * one or begin with the library, and neighbors that begin alike.
 */
final class Voice {

	/* Of all pages together, and of a page. */
	static final int MAX_WORDS = 20_000;

	private static final int MAX_WORDS_OF_PAGE = 1_500;

	private static final Pattern BLOCK = Pattern.compile("(?s)```.*?```|<!--.*?-->");

	private static final Pattern WORD = Pattern.compile("[A-Za-z][\\w'’.-]*");

	private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:]) (?=[A-Z])");

	private static final Pattern ANNOUNCES = Pattern
		.compile("(?:This|These|The following) (?:page|table|section|diagram"
				+ "|example|method|command|step|list|code|rule|row|setting|script)s?\\b.*");

	private Voice() {
	}

	static boolean isForUsers(Page page) {
		return page.name().startsWith("docs/") || page.name().startsWith("samples/");
	}

	static long words(Page page) {
		return WORD.matcher(BLOCK.matcher(page.text()).replaceAll("")).results().count();
	}

	static List<Problem> problems(Page page) {
		List<Problem> problems = new ArrayList<>();
		if (words(page) > MAX_WORDS_OF_PAGE) {
			problems.add(new Problem(page.name(), 1, words(page) + " words, of " + MAX_WORDS_OF_PAGE + " at most"));
		}
		page.document().accept(new AbstractVisitor() {
			@Override
			public void visit(Paragraph paragraph) {
				String before = "";
				for (String sentence : SENTENCE_END.split(Language.text(paragraph), -1)) {
					String[] words = sentence.split(" ", 3);
					String beginning = (words.length > 2) ? words[0] + " " + words[1] : "";
					if (ANNOUNCES.matcher(sentence).matches()) {
						problems.add(page.problem(paragraph, "only announces: " + sentence));
					}
					if (beginning.equals("The library")) {
						problems.add(page.problem(paragraph, "begins with the library: " + sentence));
					}
					// Code is an X
					if (!beginning.isEmpty() && !beginning.contains("X") && beginning.equals(before)) {
						problems.add(page.problem(paragraph, "begins like the sentence before: " + sentence));
					}
					before = beginning;
				}
			}
		});
		return problems;
	}

}
