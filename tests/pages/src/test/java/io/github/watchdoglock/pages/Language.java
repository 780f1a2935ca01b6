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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableHead;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/**
 * A check for constructs that make text hard to read, and for sentences that are too
 * long. In sources, it reads comments and strings.
 */
final class Language {

	private static final int MAX_WORDS = 40;

	private static final Pattern CONSTRUCTS = Pattern
		.compile("(?:^|[.:;] )Where\\b(?![^.]*\\?)|\\b(?:is|are|was|were) told\\b"
				+ "|\\b(?:to be|is|are|was|were) had\\b|\\b(?:gives?|gave|given|goes|go|went) back\\b|\\b(?:[Nn]o|[Ss]ome)body\\b");

	/* For comments and strings of sources. "What happens" begins a description. */
	private static final Pattern CONSTRUCTS_OF_SOURCES = Pattern
		.compile(CONSTRUCTS.pattern() + "|(?:^|[.:;] )(?:[Ww]ho|[Ww]hat)(?:ever)?\\b(?! happens)|\\b[Tt]old\\b");

	private static final String STRING = "\"(?:\\\\.|[^\"\\\\\n])*+\"";

	/* Concatenated strings are one text. A character may be a quotation mark. */
	private static final Pattern TEXT_OF_SOURCE = Pattern.compile("(?s)\"\"\".*?\"\"\"|" + STRING + "(?:\\s*\\+\\s*"
			+ STRING + ")*+|'(?:\\\\.|[^'\\\\])'|/\\*.*?\\*/|//[^\n]*");

	private static final Pattern COMMENT_OF_POM = Pattern.compile("(?s)<!--.*?-->");

	private static final Pattern COMMENT_OF_SCRIPT = Pattern.compile("(?m)^\\s*#[^\n]*");

	private static final Pattern TEST = Pattern
		.compile("(?s)@(?:Parameterized|Repeated)?Test\\b.{0,600}?\\bvoid (\\w+)\\(");

	/* In the name of a test, which says what has failed: subject, condition, outcome. */
	private static final Set<String> RIDDLES = Set.of("who", "whoever", "whom", "nobody", "somebody", "everybody",
			"told", "tells", "elsewhere", "meanwhile", "though", "whatever", "thing");

	private static final int MAX_TEST_NAME = 80;

	/* The answer of a script. */
	private static final Set<String> EXCEPTIONS = Set.of("\"lease nobody\"");

	private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])\\s+");

	private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}'’-]+");

	private Language() {
	}

	static List<Problem> problems(Page page) {
		List<Problem> problems = new ArrayList<>();
		page.document().accept(new AbstractVisitor() {

			@Override
			public void visit(Paragraph paragraph) {
				check(paragraph);
			}

			@Override
			public void visit(CustomNode node) {
				if (node instanceof TableCell) {
					check(node);
				}
				else if (node instanceof TableHead && text(node).isBlank()) {
					problems.add(page.problem(node, "the table has no header row"));
				}
				super.visit(node);
			}

			private void check(Node node) {
				String text = text(node);
				find(CONSTRUCTS, text).forEach((construct) -> problems.add(page.problem(node, "'" + construct + "'")));
				SENTENCE_END.splitAsStream(text)
					.filter((sentence) -> WORD.matcher(sentence).results().count() > MAX_WORDS)
					.forEach((sentence) -> problems.add(page.problem(node, "a sentence is too long: " + sentence)));
			}

		});
		return problems;
	}

	static List<Problem> problems(String name, String source) {
		return problems(name, source,
				name.endsWith(".java") ? TEXT_OF_SOURCE : name.endsWith(".xml") ? COMMENT_OF_POM : COMMENT_OF_SCRIPT);
	}

	static List<Problem> problemsOfTestNames(String name, String source) {
		return TEST.matcher(source)
			.results()
			.filter((found) -> isRiddle(found.group(1)))
			.map((found) -> new Problem(name, line(source, found.start(1)), "the name of a test: " + found.group(1)))
			.toList();
	}

	private static boolean isRiddle(String test) {
		List<String> words = Arrays.asList(test.split("(?=[A-Z])"));
		return test.length() > MAX_TEST_NAME || words.size() < 2 || words.get(0).matches("an?|the")
				|| words.stream().anyMatch((word) -> RIDDLES.contains(word.toLowerCase(Locale.ROOT)));
	}

	private static int line(String source, int position) {
		return source.substring(0, position).split("\n", -1).length;
	}

	private static List<Problem> problems(String name, String source, Pattern texts) {
		return texts.matcher(source)
			.results()
			.filter((found) -> !EXCEPTIONS.contains(found.group()))
			.flatMap((found) -> find(CONSTRUCTS_OF_SOURCES, text(found.group())).stream()
				.map((construct) -> new Problem(name, line(source, found.start()), "'" + construct + "'")))
			.toList();
	}

	private static List<String> find(Pattern constructs, String text) {
		return constructs.matcher(text).results().map(MatchResult::group).map(String::strip).toList();
	}

	/* A comment or string without its marks. Code, or a parameter, is one word. */
	private static String text(String literalOrComment) {
		return literalOrComment.replaceAll("\"\\s*\\+\\s*\"", "")
			.replaceAll("\\s*\n\\s*(?:\\*(?!/))?\\s*", " ")
			.replaceAll("^(?:\"+|/[*/]+\\s*|<!--\\s*|\\s*#+!?\\s*)|(?:\"+|\\s*\\*/|\\s*-->)$", "")
			.replaceAll("\\{@\\w+ [^}]*}|@param \\w+", "X");
	}

	/* The text of a node. Code is one word. */
	static String text(Node node) {
		StringBuilder text = new StringBuilder();
		node.accept(new AbstractVisitor() {

			@Override
			public void visit(Text literal) {
				text.append(literal.getLiteral());
			}

			@Override
			public void visit(Code code) {
				text.append("X");
			}

			@Override
			public void visit(SoftLineBreak lineBreak) {
				text.append(' ');
			}

		});
		return text.toString();
	}

}
