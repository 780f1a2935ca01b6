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

package com.example.lines;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each line has all classes to which the classes of the jars refer, except for
 * those of another line.
 */
class LinkageTests {

	private static final Map<String, String> OF_OTHER_LINES = Map.of("3.5", "LockHealthIndicator", "4.0",
			"Boot35LockHealthIndicator", "4.1", "Boot35LockHealthIndicator");

	@Test
	void referencedClassesExistExceptThoseOfOtherVersions() throws IOException {
		Map<String, Set<String>> missing = new TreeMap<>();
		int classes = 0;
		for (Resource file : new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/github/watchdoglock/**/*.class")) {
			try (InputStream content = file.getInputStream()) {
				Set<String> of = new ClassReferences(content.readAllBytes()).missing();
				if (!of.isEmpty()) {
					missing.put(String.valueOf(file.getFilename()).replace(".class", ""), of);
				}
				classes++;
			}
		}
		assertThat(classes).as("number of classes found in the jars").isGreaterThan(300);
		assertThat(missing).containsOnlyKeys(OF_OTHER_LINES.get(SpringBootVersion.getVersion().substring(0, 3)));
	}

	@Test
	void springBootVersionMatchesBuildProperty() {
		assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("boot.line"));
	}

}
