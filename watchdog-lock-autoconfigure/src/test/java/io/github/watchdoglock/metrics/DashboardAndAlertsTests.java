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
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the dashboard and the alerts query series that Prometheus gets from the
 * meters of locks, with existing labels and values.
 */
class DashboardAndAlertsTests {

	private static final Pattern SELECTOR = Pattern.compile("(watchdog_lock_\\w+)(?:\\{([^}]*)})?");

	private static final Pattern LABEL = Pattern.compile("(\\w+)(?:=~|!=|!~|=)\"([^\"]*)\"");

	private static final Pattern GROUPING = Pattern.compile("(?:by|without) \\(([^)]*)\\)");

	private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

	private static final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	/** The labels of each series with their values, by the name of the series. */
	private static final Map<String, Map<String, Set<String>>> series = new TreeMap<>();

	@BeforeAll
	static void fill() {
		registry.config().meterFilter(new Histograms());
		LockMeters meters = new LockMeters(registry, 10, () -> Duration.ZERO);
		meters.waiting(LockKey.of("orders"), Mode.EXCLUSIVE);
		meters.waiting(LockKey.of("export"), Mode.PERMIT);
		selectors(registry.scrape().replaceAll("(?m)^#.*$", "")).forEach((found) -> {
			Map<String, Set<String>> labels = series.computeIfAbsent(found.group(1), (name) -> new TreeMap<>());
			labels(found).forEach(
					(label) -> labels.computeIfAbsent(label.group(1), (name) -> new TreeSet<>()).add(label.group(2)));
		});
	}

	@Test
	void dashboardQueriesUseOnlyExistingMetersAndLabels() throws IOException {
		assertThat(ObservabilityFiles.targets()).hasSizeGreaterThan(20).allSatisfy((target) -> {
			assertThat(target.query()).contains("job=~\"$job\",instance=~\"$instance\"");
			assertKnown(target.query());
			assertThat(
					Pattern.compile("\\{\\{(\\w+)}}").matcher(target.legend()).results().map((label) -> label.group(1)))
				.as(target.query())
				.isSubsetOf(grouping(target.query()));
		});
		assertThat(ObservabilityFiles.variables()).hasSize(3)
			.allSatisfy((query) -> assertKnown(query.replaceFirst("^label_values\\((.*), \\w+\\)$", "$1")));
	}

	@Test
	void everyMeterIsOnTheDashboard() throws IOException {
		String queries = ObservabilityFiles.targets()
			.stream()
			.map(ObservabilityFiles.Target::query)
			.collect(Collectors.joining("\n"));
		assertThat(registry.getMeters()).isNotEmpty().allSatisfy((meter) -> assertThat(queries).contains(name(meter)));
	}

	@Test
	void alertQueriesAndAnnotationsUseExistingMetersAndLabels() throws IOException {
		assertThat(ObservabilityFiles.alerts()).hasSize(7).allSatisfy((alert) -> {
			assertKnown(alert.query());
			assertThat(alert.query()).doesNotContain(" by ");
			Set<String> left = labels(alert.query());
			left.addAll(OF_PROMETHEUS);
			left.removeAll(grouping(alert.query()));
			assertThat(Pattern.compile("\\$labels\\.(\\w+)")
				.matcher(alert.annotations())
				.results()
				.map((label) -> label.group(1))).isNotEmpty().isSubsetOf(left);
		});
	}

	@Test
	void eachAlertIsTestedWithExistingMeters() throws IOException {
		String tests = ObservabilityFiles.tests();
		assertThat(selectors(tests)).hasSizeGreaterThan(10).allSatisfy(DashboardAndAlertsTests::assertKnown);
		assertThat(ObservabilityFiles.alerts())
			.allSatisfy((alert) -> assertThat(tests).contains("alertname: " + alert.name()));
	}

	private static void assertKnown(String query) {
		assertThat(selectors(query)).as(query).isNotEmpty().allSatisfy(DashboardAndAlertsTests::assertKnown);
		Set<String> labels = labels(query);
		labels.addAll(OF_PROMETHEUS);
		assertThat(labels).as(query).containsAll(grouping(query));
	}

	private static void assertKnown(MatchResult selector) {
		assertThat(series).containsKey(selector.group(1));
		Map<String, Set<String>> known = series.getOrDefault(selector.group(1), Map.of());
		assertThat(labels(selector)).allSatisfy((label) -> {
			String name = label.group(1);
			if (!OF_PROMETHEUS.contains(name)) {
				assertThat(known).as(selector.group()).containsKey(name);
				if (!name.equals("lock")) {
					assertThat(known.get(name)).as(selector.group()).contains(label.group(2).split("\\|", -1));
				}
			}
		});
	}

	/* The labels of all series that a query uses. */
	private static Set<String> labels(String query) {
		return selectors(query).stream()
			.flatMap((selector) -> series.getOrDefault(selector.group(1), Map.of()).keySet().stream())
			.collect(Collectors.toCollection(HashSet::new));
	}

	private static List<MatchResult> labels(MatchResult selector) {
		String labels = selector.group(2);
		return (labels != null) ? LABEL.matcher(labels).results().toList() : List.of();
	}

	private static List<MatchResult> selectors(String text) {
		return SELECTOR.matcher(text).results().toList();
	}

	private static Set<String> grouping(String query) {
		return GROUPING.matcher(query)
			.results()
			.flatMap((labels) -> Stream.of(labels.group(1).split(", ", -1)))
			.collect(Collectors.toSet());
	}

	private static String name(Meter meter) {
		Meter.Id id = meter.getId();
		return registry.config().namingConvention().name(id.getName(), id.getType(), id.getBaseUnit());
	}

	/* The histograms that the dashboard asks its readers to enable. */
	private static final class Histograms implements MeterFilter {

		@Override
		public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
			boolean wanted = Set.of("watchdog.lock.acquire", "watchdog.lock.hold").contains(id.getName());
			return wanted ? DistributionStatisticConfig.builder().percentilesHistogram(true).build().merge(config)
					: config;
		}

	}

}
