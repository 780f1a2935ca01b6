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

package io.github.watchdoglock.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that verbs and messages have the same names in contributing/protocol.md, in the
 * scripts and in the model.
 */
class ProtocolNamesTests {

	private static final Path DOCUMENT = Path.of("../contributing/protocol.md");

	private static final Path MODEL = Path.of("../contributing/model");

	/* An instance sends this message, not a script. */
	private static final String OF_INSTANCES = "in-use";

	@Test
	void documentedVerbsMatchScripts() throws IOException {
		assertThat(firstWords("| verb |"))
			.isEqualTo(LockScript.VERBS.stream().map(LockScript::word).collect(Collectors.toCollection(TreeSet::new)));
	}

	@Test
	void documentedMessagesMatchThoseOfScripts() throws IOException {
		Set<String> messages = new TreeSet<>(Set.of(OF_INSTANCES));
		for (LockScript script : LockScript.VERBS) {
			messages
				.addAll(find("\\btell\\(to, '([a-z-]+)'", new String(script.text(), StandardCharsets.UTF_8)).toList());
		}
		assertThat(firstWords("| message |")).isEqualTo(messages);
	}

	@Test
	void modelHasEachDocumentedVerbAndMessage() throws IOException {
		Set<String> words = firstWords("| verb |");
		words.addAll(firstWords("| message |"));
		assertThat(modelled("(?m)^([A-Z][A-Za-z]*)(?:\\([^)]*\\))? *==")).containsAll(words);
	}

	/* A step of Redis that answers a command is a verb. */
	@Test
	void modelHasNoUndocumentedVerbs() throws IOException {
		assertThat(modelled("(?m)^([A-Z][A-Za-z]*) == \\\\E m \\\\in net : m\\.k = \"[a-z]+\"")).isNotEmpty()
			.isSubsetOf(firstWords("| verb |"));
	}

	private static Set<String> firstWords(String heading) throws IOException {
		List<String> lines = Files.readAllLines(DOCUMENT);
		int start = 0;
		while (!lines.get(start).startsWith(heading)) {
			start++;
		}
		return lines.subList(start + 2, lines.size())
			.stream()
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> line.replaceFirst("^\\| `([a-z-]+).*", "$1"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/*
	 * The operators of all specifications, spelt as words of the protocol: InUse is
	 * in-use.
	 */
	private static Set<String> modelled(String pattern) throws IOException {
		Set<String> words = new TreeSet<>();
		try (Stream<Path> files = Files.list(MODEL)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".tla")).toList()) {
				find(pattern, Files.readString(file))
					.map((name) -> name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT))
					.forEach(words::add);
			}
		}
		return words;
	}

	private static Stream<String> find(String pattern, String text) {
		return Pattern.compile(pattern).matcher(text).results().map((MatchResult match) -> match.group(1));
	}

}
