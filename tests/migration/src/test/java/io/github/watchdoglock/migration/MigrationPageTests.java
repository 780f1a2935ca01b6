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

package io.github.watchdoglock.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the page about migrations shows the code that is tested here.
 */
class MigrationPageTests {

	private static final Path SOURCES = Path.of("src/test/java/io/github/watchdoglock/migration");

	private static final Path PAGE = Path.of("../../docs/migrating/without-downtime.md");

	@ParameterizedTest
	@ValueSource(strings = { "PreviousLock", "PreviousLockAspect" })
	void pageShowsCodeThatIsTested(String source) throws IOException {
		String code = Files.readString(SOURCES.resolve(source + ".java"));
		String type = code.substring(code.indexOf("\n */\n@") + 5);
		assertThat(type).startsWith("@");
		assertThat(Files.readString(PAGE)).contains("```java\n" + type + "```\n");
	}

}
