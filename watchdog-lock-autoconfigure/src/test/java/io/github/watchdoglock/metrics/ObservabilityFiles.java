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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.json.JsonParserFactory;

/**
 * Reads the documented dashboard and alerts.
 */
final class ObservabilityFiles {

	static final Path FOLDER = Path.of("../docs/observability");

	private ObservabilityFiles() {
	}

	static List<Target> targets() throws IOException {
		return list(dashboard(), "panels").stream()
			.flatMap((panel) -> list(panel, "targets").stream())
			.map((target) -> new Target(text(target, "expr"), text(target, "legendFormat")))
			.toList();
	}

	static List<String> variables() throws IOException {
		return list(map(dashboard(), "templating"), "list").stream()
			.filter((variable) -> text(variable, "type").equals("query"))
			.map((variable) -> text(variable, "definition"))
			.toList();
	}

	static List<Alert> alerts() throws IOException {
		Map<String, Object> file = new Yaml().load(read("alerts.yml"));
		return list(file, "groups").stream()
			.flatMap((group) -> list(group, "rules").stream())
			.map((rule) -> new Alert(text(rule, "alert"), text(rule, "expr"), map(rule, "annotations").toString()))
			.toList();
	}

	static String tests() throws IOException {
		return read("alerts-test.yml");
	}

	private static Map<String, Object> dashboard() throws IOException {
		return JsonParserFactory.getJsonParser().parseMap(read("grafana-dashboard.json"));
	}

	private static String read(String file) throws IOException {
		return Files.readString(FOLDER.resolve(file));
	}

	private static String text(Map<String, Object> parent, String name) {
		return (String) Objects.requireNonNull(parent.get(name), name);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Map<String, Object> parent, String name) {
		return (Map<String, Object>) Objects.requireNonNull(parent.get(name), name);
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(Map<String, Object> parent, String name) {
		return (List<Map<String, Object>>) Objects.requireNonNull(parent.get(name), name);
	}

	record Target(String query, String legend) {

	}

	record Alert(String name, String query, String annotations) {

	}

}
