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
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.core.util.Separators.Spacing;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What was measured: for each case, contender and kind of value one value a round. Kept
 * as JSON with a line for each list of values, so that a change of results can be read.
 *
 * @param environment what numbers depend on
 * @param settings how much is measured
 * @param cases what was measured, case by case
 */
public record Results(Map<String, String> environment, Map<String, String> settings, List<CaseResults> cases) {

	private static final MathContext DIGITS = new MathContext(5);

	private static final JsonMapper JSON = JsonMapper.builder()
		.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
		.defaultPrettyPrinter(new DefaultPrettyPrinter(Separators.createDefaultInstance()
			.withObjectNameValueSpacing(Spacing.AFTER)
			.withArrayElementSpacing(Spacing.AFTER)).withObjectIndenter(new DefaultIndenter("  ", "\n"))
			.withArrayIndenter(new DefaultPrettyPrinter.NopIndenter()))
		.build();

	/**
	 * Begin without values.
	 * @param environment what numbers depend on
	 * @param settings how much is measured
	 */
	public Results(Map<String, String> environment, Map<String, String> settings) {
		this(environment, settings, new ArrayList<>());
	}

	static Results read(Path file) {
		return JSON.readValue(file, Results.class);
	}

	/**
	 * Write them as JSON.
	 * @param file where to, in a folder that exists
	 * @throws IOException if that is not possible
	 */
	public void write(Path file) throws IOException {
		Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
	}

	/**
	 * Add what one round brought, rounded to five digits.
	 * @param id names the case
	 * @param title says what happens in it
	 * @param contender who was measured
	 * @param values the values, by what they are
	 */
	public void add(String id, String title, String contender, Map<Measure, Double> values) {
		CaseResults results = this.cases.stream().filter((each) -> each.id.equals(id)).findFirst().orElseGet(() -> {
			CaseResults added = new CaseResults(id, title, new LinkedHashMap<>());
			this.cases.add(added);
			return added;
		});
		Map<String, List<Double>> measures = results.contenders.computeIfAbsent(contender,
				(key) -> new LinkedHashMap<>());
		values.forEach((measure, value) -> measures.computeIfAbsent(measure.key(), (key) -> new ArrayList<>())
			.add(BigDecimal.valueOf(value).round(DIGITS).doubleValue()));
	}

	/* The Redis, and its version. */
	String server() {
		return "Redis " + this.environment.getOrDefault("Redis", "").replaceFirst(",.*", "");
	}

	/* The median of all rounds, not a number where nothing was measured. */
	double median(String id, String contender, Measure measure) {
		return this.cases.stream()
			.filter((each) -> each.id.equals(id))
			.mapToDouble((each) -> median(each.of(contender, measure)))
			.findFirst()
			.orElse(Double.NaN);
	}

	/* The middle, which one bad round does not move; not a number where there is none. */
	static double median(List<Double> values) {
		List<Double> sorted = values.stream().sorted().toList();
		int middle = sorted.size() / 2;
		if (sorted.isEmpty()) {
			return Double.NaN;
		}
		return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
	}

	/**
	 * What was measured in one case.
	 *
	 * @param id names it
	 * @param title says what happens in it
	 * @param contenders for each contender and kind of value the values of all rounds
	 */
	record CaseResults(String id, String title, Map<String, Map<String, List<Double>>> contenders) {

		List<Double> of(String contender, Measure measure) {
			return this.contenders.getOrDefault(contender, Map.of()).getOrDefault(measure.key(), List.of());
		}

		boolean has(Measure measure) {
			return this.contenders.values().stream().anyMatch((values) -> values.containsKey(measure.key()));
		}

	}

}
