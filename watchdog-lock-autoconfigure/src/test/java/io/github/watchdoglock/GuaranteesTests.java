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

package io.github.watchdoglock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each documented guarantee names tests that exist.
 */
class GuaranteesTests {

	private static final Path DOCUMENT = Path.of("../contributing/guarantees-and-tests.md");

	private static final List<Path> SOURCES = List.of(Path.of("src/test/java"),
			Path.of("../tests/fence/src/test/java"));

	private static final Pattern NAME = Pattern.compile("`((\\w+(?:Tests|IT))\\.(\\w+))`");

	private static final Pattern PARENT = Pattern.compile("\\bclass \\w+ extends (\\w+)");

	@Test
	void everyGuaranteeNamesTestsThatExist() throws IOException {
		Map<String, String> sources = sources();
		List<String> rows = Files.readAllLines(DOCUMENT)
			.stream()
			.filter((line) -> line.startsWith("|") && !line.startsWith("|---") && !line.endsWith("| test |"))
			.toList();
		assertThat(rows).hasSizeGreaterThan(60).allSatisfy((row) -> {
			assertThat(row).containsPattern(NAME);
			NAME.matcher(row)
				.results()
				.forEach(
						(name) -> assertThat(exists(name.group(2), name.group(3), sources)).as(name.group(1)).isTrue());
		});
	}

	/* Whether the class declares or inherits the method. */
	private static boolean exists(String type, String method, Map<String, String> sources) {
		String source = sources.getOrDefault(type, "");
		if (source.contains("void " + method + "(")) {
			return true;
		}
		Matcher parent = PARENT.matcher(source);
		return parent.find() && exists(parent.group(1), method, sources);
	}

	/* Source code by the simple name of its type. */
	private static Map<String, String> sources() throws IOException {
		Map<String, String> sources = new HashMap<>();
		for (Path folder : SOURCES) {
			try (Stream<Path> files = Files.walk(folder)) {
				for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
					sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
				}
			}
		}
		return sources;
	}

}
