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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A check that the artifacts in dependencies on pages belong to this project, with its
 * version.
 *
 * @param root the root of the project
 * @param version its version
 */
record Coordinates(Path root, String version) {

	private static final String GROUP = "io\\.github\\.watchdoglock";

	private static final Pattern MAVEN = Pattern.compile(
			"<groupId>" + GROUP + "</groupId>\\s*<artifactId>([^<]+)</artifactId>(?:\\s*<version>([^<]+)</version>)?");

	private static final Pattern GRADLE = Pattern.compile(GROUP + ":([a-z-]+)(?::([\\w.-]+))?");

	List<Problem> problems(Page page) {
		List<Problem> problems = new ArrayList<>();
		for (Pattern pattern : List.of(MAVEN, GRADLE)) {
			Matcher artifact = pattern.matcher(page.text());
			while (artifact.find()) {
				int line = 1
						+ (int) page.text().substring(0, artifact.start()).chars().filter((c) -> c == '\n').count();
				if (!Files.exists(this.root.resolve(artifact.group(1)).resolve("pom.xml"))) {
					problems.add(new Problem(page.name(), line, "there is no artifact " + artifact.group(1)));
				}
				if (artifact.group(2) != null && !artifact.group(2).equals(this.version)) {
					problems.add(new Problem(page.name(), line,
							artifact.group(1) + " is in version " + this.version + ", not " + artifact.group(2)));
				}
			}
		}
		return problems;
	}

}
