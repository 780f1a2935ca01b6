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

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * A check that links within the project have existing targets. External links are not
 * followed.
 *
 * @param pages the targets
 */
record Links(Pages pages) {

	private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

	private static final Pattern ATTRIBUTE = Pattern.compile("\\b(?:href|src|srcset)=\"([^\" ]+)");

	List<Problem> problems(Page page) {
		List<Problem> problems = new ArrayList<>();
		page.document().accept(new AbstractVisitor() {
			@Override
			public void visit(Link link) {
				follow(link, link.getDestination());
				visitChildren(link);
			}

			@Override
			public void visit(Image image) {
				follow(image, image.getDestination());
			}

			@Override
			public void visit(HtmlBlock html) {
				followAll(html, html.getLiteral());
			}

			@Override
			public void visit(HtmlInline html) {
				followAll(html, html.getLiteral());
			}

			private void followAll(Node node, String html) {
				Matcher attribute = ATTRIBUTE.matcher(html);
				while (attribute.find()) {
					follow(node, attribute.group(1));
				}
			}

			private void follow(Node node, String destination) {
				if (!ELSEWHERE.matcher(destination).matches() && !leads(page, destination)) {
					problems.add(page.problem(node, "'" + destination + "' leads nowhere"));
				}
			}
		});
		return problems;
	}

	private boolean leads(Page page, String destination) {
		String[] parts = URLDecoder.decode(destination.replace("+", "%2B"), StandardCharsets.UTF_8).split("#", 2);
		Path root = this.pages.root();
		Path file = root.resolve(page.name()).resolveSibling(parts[0]).normalize();
		if (parts[0].isEmpty()) {
			file = root.resolve(page.name());
		}
		if (!file.startsWith(root) || !Files.exists(file)) {
			return false;
		}
		Page target = this.pages.find(root.relativize(file).toString().replace('\\', '/'));
		return parts.length == 1 || target == null || target.anchors().contains(parts[1]);
	}

}
