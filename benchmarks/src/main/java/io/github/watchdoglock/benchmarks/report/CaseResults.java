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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was measured in one case.
 *
 * @param id names it
 * @param title says what happens in it
 * @param contenders for each contender and kind of value the values of all rounds
 */
record CaseResults(String id, String title, Map<String, Map<String, List<Double>>> contenders) {

	List<Double> values(String contender, String measure) {
		return this.contenders.computeIfAbsent(contender, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(measure, (key) -> new ArrayList<>());
	}

	List<Double> of(String contender, String measure) {
		return this.contenders.getOrDefault(contender, Map.of()).getOrDefault(measure, List.of());
	}

	boolean has(String measure) {
		return this.contenders.values().stream().anyMatch((values) -> values.containsKey(measure));
	}

	Map<String, Object> content() {
		Map<String, Object> content = new LinkedHashMap<>();
		content.put("id", this.id);
		content.put("title", this.title);
		content.put("contenders", this.contenders);
		return content;
	}

	static CaseResults from(Map<?, ?> content) {
		CaseResults results = new CaseResults(String.valueOf(content.get("id")), String.valueOf(content.get("title")),
				new LinkedHashMap<>());
		if (content.get("contenders") instanceof Map<?, ?> contenders) {
			contenders.forEach((name, measures) -> ((Map<?, ?>) measures).forEach((measure, values) -> {
				List<Double> numbers = results.values(String.valueOf(name), String.valueOf(measure));
				((List<?>) values).forEach((value) -> numbers.add(((Number) value).doubleValue()));
			}));
		}
		return results;
	}

}
