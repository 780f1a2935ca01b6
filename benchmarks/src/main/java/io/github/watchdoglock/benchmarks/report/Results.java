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

package io.github.watchdoglock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonParserFactory;

/**
 * What was measured: for each case, contender and kind of value one value a round.
 */
public final class Results {

	private final Map<String, String> environment;

	private final Map<String, String> settings;

	private final Map<String, CaseResults> cases = new LinkedHashMap<>();

	/**
	 * Begin without values.
	 * @param environment what numbers depend on
	 * @param settings how much is measured
	 */
	public Results(Map<String, String> environment, Map<String, String> settings) {
		this.environment = environment;
		this.settings = settings;
	}

	/**
	 * Add what one round brought.
	 * @param id names the case
	 * @param title says what happens in it
	 * @param contender who was measured
	 * @param values the values, by what they are
	 */
	public void add(String id, String title, String contender, Map<String, Double> values) {
		CaseResults results = this.cases.computeIfAbsent(id,
				(key) -> new CaseResults(id, title, new LinkedHashMap<>()));
		values.forEach((measure, value) -> results.values(contender, measure).add(value));
	}

	Map<String, String> environment() {
		return this.environment;
	}

	/* The Redis, and its version. */
	String server() {
		return "Redis " + this.environment.getOrDefault("Redis", "").replaceFirst(",.*", "");
	}

	Map<String, String> settings() {
		return this.settings;
	}

	Collection<CaseResults> cases() {
		return this.cases.values();
	}

	/* The median, not a number where nothing was measured. */
	double median(String id, String contender, String measure) {
		CaseResults results = this.cases.get(id);
		return (results != null) ? Medians.median(results.of(contender, measure)) : Double.NaN;
	}

	/**
	 * Write them as JSON.
	 * @param file where to
	 * @throws IOException if that is not possible
	 */
	public void write(Path file) throws IOException {
		Map<String, Object> content = new LinkedHashMap<>();
		content.put("environment", this.environment);
		content.put("settings", this.settings);
		content.put("cases", this.cases.values().stream().map(CaseResults::content).toList());
		Files.createDirectories(file.toAbsolutePath().getParent());
		Files.writeString(file, JsonText.of(content));
	}

	/* Without its line breaks, with which Spring's parser has trouble. */
	static Results read(Path file) throws IOException {
		String text = Files.readString(file).replaceAll("\\n\\s*", "");
		Map<String, Object> content = JsonParserFactory.getJsonParser().parseMap(text);
		Results results = new Results(texts(content.get("environment")), texts(content.get("settings")));
		for (Object each : (List<?>) content.getOrDefault("cases", new ArrayList<>())) {
			CaseResults part = CaseResults.from((Map<?, ?>) each);
			results.cases.put(part.id(), part);
		}
		return results;
	}

	private static Map<String, String> texts(@Nullable Object content) {
		Map<String, String> texts = new LinkedHashMap<>();
		if (content instanceof Map<?, ?> map) {
			map.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
		}
		return texts;
	}

}
