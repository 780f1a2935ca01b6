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

package io.github.watchdoglock.model;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Visits all states of the model within its bounds, and shows that each of its rules is
 * needed.
 */
@Tag("model")
class ModelTests {

	@ParameterizedTest
	@CsvFileSource(files = "bounds.csv", useHeadersInDisplayName = true)
	void modelHoldsWithAllRulesWithinBounds(String bounds, long atLeast) throws Exception {
		visitAll(bounds, atLeast);
	}

	@ParameterizedTest
	@EnabledIfSystemProperty(named = "model.long", matches = ".*")
	@CsvFileSource(files = "bounds-long.csv", useHeadersInDisplayName = true)
	void modelHoldsWithAllRulesWithinLongBounds(String bounds, long atLeast) throws Exception {
		visitAll(bounds, atLeast);
	}

	private static void visitAll(String bounds, long atLeast) throws Exception {
		ModelCheck check = ModelCheck.of(bounds);
		assertThat(check.passed()).as(check.output()).isTrue();
		assertThat(check.violated()).isNull();
		assertThat(check.states()).isGreaterThan(atLeast);
	}

	@ParameterizedTest
	@CsvFileSource(files = "variants.csv", useHeadersInDisplayName = true)
	void invariantIsViolatedWhenRuleIsRemoved(String bounds, String rule, String violated) throws Exception {
		ModelCheck check = ModelCheck.without(rule, bounds, violated);
		assertThat(check.violated()).as(check.output()).isEqualTo(violated);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Record", "Turns", "Kinds" })
	void eachRuleHasVariantThatRemovesRule(String specification) throws Exception {
		Set<String> rules = Pattern.compile("Is\\(\"([a-z-]+)\"\\)")
			.matcher(Files.readString(Path.of(specification + ".tla")))
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> variants = Files.readAllLines(Path.of("variants.csv"))
			.stream()
			.filter((line) -> line.startsWith(specification + "-"))
			.map((line) -> line.split(",", -1)[1].strip())
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(variants).isNotEmpty().isEqualTo(rules);
	}

}
