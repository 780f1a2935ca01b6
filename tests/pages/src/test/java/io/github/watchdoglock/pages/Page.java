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
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Node;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * A page of the documentation.
 *
 * @param name its path from the root of the project
 * @param text its source
 * @param document its parsed content
 */
public record Page(String name, String text, Node document) {

	private static final Parser parser = Parser.builder()
		.extensions(List.of(TablesExtension.create()))
		.includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
		.build();

	private static final TextContentRenderer headings = TextContentRenderer.builder()
		.extensions(List.of(TablesExtension.create()))
		.build();

	private static final Pattern DROPPED = Pattern.compile("[^\\p{L}\\p{M}\\p{N}\\p{Pc} -]");

	static Page of(String name, String text) {
		return new Page(name, text, parser.parse(text));
	}

	/**
	 * Return its fenced blocks.
	 * @return in their order
	 */
	public List<Block> blocks() {
		List<Block> blocks = new ArrayList<>();
		this.document.accept(new AbstractVisitor() {
			@Override
			public void visit(FencedCodeBlock fenced) {
				String language = fenced.getInfo().split(" ", 2)[0];
				Marker marker = (fenced.getPrevious() instanceof HtmlBlock comment) ? Marker.of(comment.getLiteral())
						: Marker.NONE;
				blocks.add(new Block(Page.this.name, line(fenced), language, marker,
						fenced.getLiteral().lines().toList()));
			}
		});
		return blocks;
	}

	/* Computed with GitHub's rule. */
	Set<String> anchors() {
		Set<String> anchors = new LinkedHashSet<>();
		Map<String, Integer> seen = new HashMap<>();
		this.document.accept(new AbstractVisitor() {
			@Override
			public void visit(Heading heading) {
				String anchor = anchor(headings.render(heading).strip());
				int before = seen.merge(anchor, 1, Integer::sum) - 1;
				anchors.add((before > 0) ? anchor + "-" + before : anchor);
			}
		});
		return anchors;
	}

	private static String anchor(String heading) {
		return DROPPED.matcher(heading.toLowerCase(Locale.ROOT)).replaceAll("").replace(' ', '-');
	}

	static int line(Node node) {
		Node placed = node;
		while (placed.getSourceSpans().isEmpty() && placed.getParent() != null) {
			placed = placed.getParent();
		}
		return placed.getSourceSpans().isEmpty() ? 1 : placed.getSourceSpans().get(0).getLineIndex() + 1;
	}

	Problem problem(Node node, String text) {
		return new Problem(this.name, line(node), text);
	}

}
