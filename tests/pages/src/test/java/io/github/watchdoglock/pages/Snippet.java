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

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import javax.tools.SimpleJavaFileObject;

/**
 * Java code of a page as a compilation unit: its lines are those of the page, after one
 * further line.
 */
final class Snippet extends SimpleJavaFileObject {

	private static final Pattern IMPORT = Pattern.compile("import .*;");

	/* A method of which the page shows only the head. */
	private static final Pattern HEAD = Pattern.compile("(?:\\w|@).*\\)(?: throws [\\w, ]+)? \\{");

	private static final Pattern CONTROL = Pattern.compile("(?:if|for|while|try|switch|synchronized|record) .*");

	private final Block block;

	private final String code;

	private Snippet(Block block, String code) {
		super(URI.create("string:///" + block.page().replaceAll("[^A-Za-z0-9/]", "_") + "/L" + block.line() + ".java"),
				Kind.SOURCE);
		this.block = block;
		this.code = code;
	}

	/**
	 * Return the possible readings of a block.
	 * @param block a block of Java
	 * @param imports the imports of all readings
	 * @param base name of the class with the context that pages assume
	 * @return whole types, statements, members
	 */
	static List<Snippet> readings(Block block, String imports, String base) {
		StringBuilder head = new StringBuilder("package snippets.").append(packageOf(block))
			.append("; ")
			.append(imports);
		List<String> lines = new ArrayList<>();
		for (String line : block.lines()) {
			boolean imported = IMPORT.matcher(line).matches();
			if (imported) {
				head.append(' ').append(line);
			}
			lines.add(imported ? "" : line);
		}
		String body = "\n" + String.join("\n", lines) + "\n";
		String members = "\n" + String.join("\n", complete(lines)) + "\n";
		String type = head + " abstract class Snippet extends " + base + " {";
		return List.of(new Snippet(block, head + body),
				new Snippet(block, type + " void snippet() throws Exception {" + body + "} }"),
				new Snippet(block, type + members + "}"));
	}

	private static String packageOf(Block block) {
		return block.page().replaceAll("[^A-Za-z0-9]", "_").toLowerCase(Locale.ROOT) + "_" + block.line();
	}

	private static List<String> complete(List<String> lines) {
		List<String> complete = new ArrayList<>();
		for (int i = 0; i < lines.size(); i++) {
			String line = lines.get(i);
			boolean last = i + 1 == lines.size() || lines.get(i + 1).isBlank();
			boolean open = last && HEAD.matcher(line).matches() && !CONTROL.matcher(line).matches();
			complete.add(open ? line + " throw new IllegalStateException(); }" : line);
		}
		return complete;
	}

	Problem problem(long line, String text) {
		return new Problem(this.block.page(), this.block.line() + (int) line - 1, text);
	}

	@Override
	public CharSequence getCharContent(boolean ignoreEncodingErrors) {
		return this.code;
	}

	/* Public types of a page need no file of their own. */
	@Override
	public boolean isNameCompatible(String simpleName, Kind kind) {
		return kind == Kind.SOURCE;
	}

}
