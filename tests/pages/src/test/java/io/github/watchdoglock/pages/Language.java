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
 * long.
 */
final class Language {

	private static final int MOST_WORDS = 40;

	private static final Pattern CONSTRUCTS = Pattern
		.compile("(?:^|[.:;] )Where\\b(?![^.]*\\?)|\\b(?:is|are|was|were) told\\b"
				+ "|\\b(?:to be|is|are|was|were) had\\b|\\b(?:gives?|gave|given|goes|go|went) back\\b|\\b(?:[Nn]o|[Ss]ome)body\\b");

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
				find(text).forEach((construct) -> problems.add(page.problem(node, "'" + construct + "'")));
				SENTENCE_END.splitAsStream(text)
					.filter((sentence) -> WORD.matcher(sentence).results().count() > MOST_WORDS)
					.forEach((sentence) -> problems.add(page.problem(node, "a sentence is too long: " + sentence)));
			}

		});
		return problems;
	}

	private static List<String> find(String text) {
		return CONSTRUCTS.matcher(text).results().map(MatchResult::group).map(String::strip).toList();
	}

	/* The text of a node. Code is one word. */
	private static String text(Node node) {
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
