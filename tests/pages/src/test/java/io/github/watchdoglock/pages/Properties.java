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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;

import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * A check that properties on pages exist: in blocks of YAML and properties, and in their
 * text.
 *
 * @param metadata the existing properties
 */
record Properties(Metadata metadata) {

	private static final Pattern SPRING = Pattern.compile("(?:watchdog-lock|management|spring|server|logging)\\..*");

	private static final Pattern IN_TEXT = Pattern
		.compile("(?:watchdog-lock|management\\.endpoint\\.locks|management\\.health\\.watchdog-lock)\\.[a-z][a-z.-]*"
				+ "(?:<name>\\.[a-z-]+)?");

	List<Problem> problems(Page page) {
		List<Problem> problems = new ArrayList<>();
		for (Block block : page.blocks()) {
			switch (block.language()) {
				case "yaml" -> problems.addAll(problems(block, new YamlPropertySourceLoader()));
				case "properties" -> problems.addAll(problems(block, new PropertiesPropertySourceLoader()));
				default -> {
				}
			}
		}
		page.document().accept(new AbstractVisitor() {
			@Override
			public void visit(Code code) {
				String key = code.getLiteral().split("[=:]", 2)[0].strip();
				if (IN_TEXT.matcher(key).matches() && !Properties.this.metadata.knows(key)
						&& !Properties.this.metadata.knowsBelow(key)) {
					problems.add(page.problem(code, "there is no property " + key));
				}
			}
		});
		return problems;
	}

	private List<Problem> problems(Block block, PropertySourceLoader loader) {
		try {
			return loader.load("page", new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)))
				.stream()
				.flatMap((source) -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
				.filter((key) -> SPRING.matcher(key).matches() && !this.metadata.knows(key))
				.map((key) -> block.problem("there is no property " + key))
				.toList();
		}
		catch (IOException | RuntimeException ex) {
			return List.of(block.problem("can't be read: " + ex.getMessage()));
		}
	}

}
