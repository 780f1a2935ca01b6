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

package io.github.watchdoglock.metrics;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the alerts fire when they should, with Prometheus' own tool.
 */
@EnabledIf(value = "isToolFound", disabledReason = "there is no promtool on the path (Debian: prometheus)")
class AlertRulesTests {

	@Test
	void alertRulesPassPromtoolCheck() throws Exception {
		assertThat(promtool("check", "rules", "alerts.yml")).contains("SUCCESS: 7 rules found");
	}

	@Test
	void alertRulesPassPromtoolUnitTests() throws Exception {
		assertThat(promtool("test", "rules", "alerts-test.yml")).contains("SUCCESS");
	}

	static boolean isToolFound() {
		return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
			.splitAsStream(System.getenv().getOrDefault("PATH", ""))
			.anyMatch((folder) -> new File(folder, "promtool").canExecute());
	}

	private static String promtool(String... arguments) throws IOException, InterruptedException {
		ProcessBuilder command = new ProcessBuilder("promtool");
		command.command().addAll(List.of(arguments));
		Process process = command.directory(ObservabilityFiles.FOLDER.toFile()).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		return output;
	}

}
