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
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each guarantee that is written down names tests, and they have run in this build. Reads
 * the reports of all other tests, so it runs after them.
 */
class GuaranteesIT {

	private static final Path DOCUMENT = Path.of("../docs/guarantees.md");

	/* Their module runs after this one, and fails with them. */
	private static final Path FENCE_TESTS = Path.of("../tests/fence/src/test/java");

	private static final Pattern TEST = Pattern.compile("`(\\w+(?:Tests|IT))\\.(\\w+)`");

	@Test
	void everyGuaranteeIsShownByTestsThatHaveRun() throws Exception {
		Set<String> passed = new HashSet<>();
		Set<String> others = new HashSet<>();
		for (Path report : reports()) {
			read(report, passed, others);
		}
		passed.addAll(fenceTests());
		Map<String, String> missing = new HashMap<>();
		for (String row : rows()) {
			Matcher test = TEST.matcher(row);
			assertThat(test.find()).as("a test in %s", row).isTrue();
			do {
				String name = test.group(1) + "." + test.group(2);
				if (!passed.contains(name)) {
					missing.put(name, others.contains(name) ? "failed or skipped" : "did not run");
				}
			}
			while (test.find());
		}
		assertThat(missing).isEmpty();
	}

	private static Set<String> fenceTests() throws IOException {
		Set<String> tests = new HashSet<>();
		try (Stream<Path> files = Files.walk(FENCE_TESTS)) {
			for (Path file : files.filter((path) -> path.toString().endsWith("Tests.java")).toList()) {
				String type = file.getFileName().toString().replace(".java", "");
				Pattern.compile("\\tvoid (\\w+)\\(")
					.matcher(Files.readString(file))
					.results()
					.forEach((method) -> tests.add(type + "." + method.group(1)));
			}
		}
		return tests;
	}

	/* The rows of all tables, without their heads. */
	private static List<String> rows() throws IOException {
		List<String> lines = Files.readAllLines(DOCUMENT);
		List<String> rows = lines.stream()
			.filter((line) -> line.startsWith("|") && !line.startsWith("|---") && !line.endsWith("| test |"))
			.toList();
		assertThat(rows).hasSizeGreaterThan(60);
		return rows;
	}

	private static List<Path> reports() throws IOException {
		List<Path> reports = new ArrayList<>();
		for (String folder : List.of("target/surefire-reports", "target/failsafe-reports")) {
			try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(folder), "TEST-*.xml")) {
				files.forEach(reports::add);
			}
		}
		return reports;
	}

	/* A test with parameters has passed when none of its runs has not. */
	private static void read(Path report, Set<String> passed, Set<String> others) throws Exception {
		NodeList cases = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(report.toFile())
			.getElementsByTagName("testcase");
		for (int i = 0; i < cases.getLength(); i++) {
			Element test = (Element) cases.item(i);
			String type = test.getAttribute("classname");
			String name = type.substring(type.lastIndexOf('.') + 1) + "."
					+ test.getAttribute("name").split("\\W", 2)[0];
			boolean bad = Stream.of("skipped", "failure", "error")
				.anyMatch((outcome) -> test.getElementsByTagName(outcome).getLength() > 0);
			(bad ? others : passed).add(name);
		}
		passed.removeAll(others);
	}

}
