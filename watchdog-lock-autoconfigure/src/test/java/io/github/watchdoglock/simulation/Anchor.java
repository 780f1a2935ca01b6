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

package io.github.watchdoglock.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An expression or statements in a method, whichever type has it: all sources of an area
 * are searched for methods of that name. White space and comments do not matter.
 * <p>
 * There is no parser: a method reaches from its name, which parentheses and a brace
 * follow, to the matching brace. Braces in literals and comments do not count.
 *
 * @param area a package and those below, as a path
 * @param method a name, {@code <init>} for a constructor, or a field with an initializer;
 * {@code File.method} to distinguish methods of several files
 * @param expression what must occur there once
 */
record Anchor(String area, String method, String expression) {

	private static final Pattern COMMENTS_AND_LITERALS = Pattern.compile("""
			//[^\\n]*|/\\*(?s:.*?)\\*/|\"""(?s:.*?)\"""|"(?:[^"\\\\\\n]|\\\\.)*+"|'(?:[^'\\\\\\n]|\\\\.)*+'""");

	private static final Pattern CONSTRUCTOR = Pattern
		.compile("(?m)^\\s*(?:(?:public|protected|private)\\s+)?[A-Z]\\w*\\s*(?=[({])");

	private static final Pattern BODY = Pattern.compile("\\s*(?:throws[^{};]+)?(?=\\{)");

	/* The place where it occurs. Throws unless there is exactly one. */
	Place find(Path sources) {
		try (Stream<Path> files = Files.walk(sources.resolve(this.area))) {
			String type = this.method.contains(".") ? this.method.replaceAll("\\..*", "") : "\\w+";
			List<Place> places = files.filter((file) -> file.getFileName().toString().matches(type + "\\.java"))
				.sorted()
				.flatMap((file) -> places(file).stream())
				.toList();
			if (places.size() != 1) {
				throw new IllegalStateException(
						"'" + this.expression + "' must occur once in " + this + ", and occurs at " + places);
			}
			return places.get(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Set<Place> places(Path file) {
		String source = read(file);
		String code = code(source);
		Matcher declaration = declaration().matcher(code);
		Matcher match = expression(code(this.expression)).matcher(code).useTransparentBounds(true);
		Set<Place> places = new LinkedHashSet<>();
		while (declaration.find()) {
			match.region(declaration.end(), endOfDeclared(code, declaration.end()));
			while (match.find()) {
				places.add(new Place(file, source, match.start(), match.end()));
			}
		}
		return places;
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/* With blanks for comments, and no brackets in literals; as long as the source. */
	private static String code(String source) {
		return COMMENTS_AND_LITERALS.matcher(source)
			.replaceAll((part) -> Matcher.quoteReplacement(part.group().startsWith("/")
					? " ".repeat(part.group().length()) : part.group().replaceAll("[(){};\\[\\]]", "_")));
	}

	private Pattern declaration() {
		String name = this.method.substring(this.method.indexOf('.') + 1);
		return name.equals("<init>") ? CONSTRUCTOR : Pattern.compile("\\b" + name + "\\s*(?=\\(|=[^=])");
	}

	private static Pattern expression(String code) {
		String characters = code.replaceAll("\\s", "")
			.chars()
			.mapToObj((character) -> Pattern.quote(Character.toString(character)))
			.collect(Collectors.joining("\\s*"));
		return Pattern.compile("(?<!\\w(?=\\w))" + characters + "(?!(?<=\\w)\\w)");
	}

	/* The start if nothing is declared, as in a call. */
	private static int endOfDeclared(String code, int start) {
		if (code.charAt(start) == '=') {
			return end(code, start, ';');
		}
		int header = (code.charAt(start) == '(') ? end(code, start, ')') : start;
		Matcher body = BODY.matcher(code).region(header, code.length());
		return body.lookingAt() ? end(code, body.end(), '}') : start;
	}

	/* After the next such character that is not within further brackets. */
	private static int end(String code, int start, char last) {
		int depth = 0;
		for (int i = start; i < code.length(); i++) {
			char character = code.charAt(i);
			if ("({[".indexOf(character) >= 0) {
				depth++;
			}
			else if (")}]".indexOf(character) >= 0) {
				depth--;
			}
			if (character == last && depth <= 0) {
				return i + 1;
			}
		}
		return code.length();
	}

	@Override
	public String toString() {
		return this.area + "/" + this.method;
	}

	/**
	 * A part of a source.
	 *
	 * @param file the file
	 * @param source the text of the file
	 * @param start the index of its first character
	 * @param end the index after its last one
	 */
	record Place(Path file, String source, int start, int end) {

		String replacedWith(String replacement) {
			return this.source.substring(0, this.start) + replacement + this.source.substring(this.end);
		}

		@Override
		public String toString() {
			return this.file.getFileName() + ":" + this.source.substring(0, this.start).lines().count();
		}

	}

}
