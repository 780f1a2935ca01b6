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
 * The results: one value per round for each case, contender and measure. They are stored
 * as JSON, with a line for each list of values, so that changes of results are readable.
 *
 * @param environment the environment that the numbers depend on
 * @param settings the extent of the measurement
 * @param cases the results of each case
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
	 * Create results without values.
	 * @param environment the environment that the numbers depend on
	 * @param settings the extent of the measurement
	 */
	public Results(Map<String, String> environment, Map<String, String> settings) {
		this(environment, settings, new ArrayList<>());
	}

	static Results read(Path file) {
		return JSON.readValue(file, Results.class);
	}

	/**
	 * Write the results as JSON.
	 * @param file the file, in a folder that exists
	 * @throws IOException if that is not possible
	 */
	public void write(Path file) throws IOException {
		Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
	}

	/**
	 * Add the values of one round, rounded to five digits.
	 * @param id the id of the case
	 * @param title the description of the case
	 * @param contender the contender that was measured
	 * @param values the values by their measures
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

	/* The name and version of the server. */
	String server() {
		String version = this.environment.getOrDefault("Redis", "").replaceFirst(",.*", "");
		return isOnValkey() ? version : "Redis " + version;
	}

	/* Whether the server is Valkey. */
	boolean isOnValkey() {
		return this.environment.getOrDefault("Redis", "").startsWith("Valkey ");
	}

	/* The median of all rounds; NaN if nothing was measured. */
	double median(String id, String contender, Measure measure) {
		return this.cases.stream()
			.filter((each) -> each.id.equals(id))
			.mapToDouble((each) -> median(each.of(contender, measure)))
			.findFirst()
			.orElse(Double.NaN);
	}

	/* The ratio of one contender to another; without a median if nothing was measured. */
	Ratio ratio(String id, String contender, String to, Measure measure) {
		return this.cases.stream()
			.filter((each) -> each.id.equals(id))
			.map((each) -> Ratio.of(each, contender, to, measure))
			.findFirst()
			.orElse(new Ratio(Double.NaN, Double.NaN, Double.NaN));
	}

	/* The median, which one bad round does not move; NaN if there are no values. */
	static double median(List<Double> values) {
		List<Double> sorted = values.stream().sorted().toList();
		int middle = sorted.size() / 2;
		if (sorted.isEmpty()) {
			return Double.NaN;
		}
		return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
	}

	/**
	 * The results of one case.
	 *
	 * @param id the id of the case
	 * @param title the description of the case
	 * @param contenders the values of all rounds, by contender and measure
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
