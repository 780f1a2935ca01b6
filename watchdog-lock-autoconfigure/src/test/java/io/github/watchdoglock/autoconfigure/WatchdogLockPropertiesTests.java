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

package io.github.watchdoglock.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.LockAdvisor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link WatchdogLockProperties}.
 */
class WatchdogLockPropertiesTests {

	@Test
	void defaultsAreThoseOfTheDocumentation() {
		WatchdogLockProperties properties = bind(Map.of());
		assertThat(properties.enabled()).isTrue();
		assertThat(properties.store()).isEqualTo(WatchdogLockProperties.Store.REDIS);
		assertThat(properties.keyPrefix()).isEqualTo("watchdog-lock");
		assertThat(properties.leaseTime()).hasSeconds(30);
		assertThat(properties.waitTime()).hasSeconds(10);
		assertThat(properties.minLeaseTime()).hasSeconds(1);
		assertThat(properties.onContention()).isEqualTo(OnContention.FAIL);
		assertThat(properties.release()).isEqualTo(LockRelease.AFTER_TRANSACTION);
		assertThat(properties.onLoss()).isEqualTo(OnLoss.DEFAULT);
		assertThat(properties.maxHoldTime()).isNull();
		assertThat(properties.longHoldWarning()).isNull();
		assertThat(properties.commandTimeout()).isNull();
		assertThat(properties.pollInterval()).hasSeconds(1);
		assertThat(properties.stopMargin()).isNull();
		assertThat(properties.recordRetention()).hasSeconds(120);
		assertThat(properties.wakeUps()).isTrue();
		assertThat(properties.addressCheck()).isTrue();
		assertThat(properties.adviceOrder()).isEqualTo(LockAdvisor.DEFAULT_ORDER);
		assertThat(properties.events()).isEqualTo(new WatchdogLockProperties.Events(false));
		assertThat(properties.metrics()).isEqualTo(new WatchdogLockProperties.Metrics(true, 100));
	}

	@Test
	void waitTimeOfMinusOneIsBoundAsNegativeDuration() {
		assertThat(bind(Map.of("watchdog-lock.wait-time", "-1")).waitTime()).isNegative();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					wait-time         | -2       | the only negative value allowed is -1 | 0s to try once, or -1 to wait indefinitely
					wait-time         | -10s     | the only negative value allowed is -1 | 0s to try once, or -1 to wait indefinitely
					max-id-length     | 0        | it is not positive | set at least 1
					linger            | -1s      | it is negative | set a duration
					linger            | 40000d   | it is longer than 36500 days | set a shorter one
					max-hold-time     | 0s       | it is less than 1ms | set a duration
					max-hold-time     | 40000d   | it is longer than 36500 days | set a shorter one
					long-hold-warning | -1s      | it is less than 1ms | set a duration
					long-hold-warning | 106751991167300d | it is longer than 36500 days | set a shorter one
					""")
	void valueOutOfRangeIsRejectedWithFix(String property, String value, String problem, String action) {
		assertThatException().isThrownBy(() -> bind(Map.of("watchdog-lock." + property, value)))
			.havingRootCause()
			.withMessageContainingAll("watchdog-lock." + property + " is '", problem)
			.satisfies((ex) -> assertThat(((LockConfigurationException) ex).getAction()).contains(action));
	}

	@Test
	void eachPropertyHasADescriptionAndEachDescriptionAProperty() throws IOException {
		Map<String, String> described = metadata().stream()
			.filter((property) -> ("" + property.get("name")).startsWith("watchdog-lock."))
			.collect(Collectors.toMap((property) -> (String) property.get("name"),
					(property) -> (String) property.getOrDefault("description", "")));
		Set<String> bound = Stream
			.concat(names("watchdog-lock.", WatchdogLockProperties.class), Stream.concat(
					names("watchdog-lock.events.", WatchdogLockProperties.Events.class),
					Stream.concat(names("watchdog-lock.metrics.", WatchdogLockProperties.Metrics.class),
							Stream.concat(names("watchdog-lock.fence.", WatchdogLockProperties.FenceProperties.class),
									Stream.of("watchdog-lock.leaders")))))
			.filter((name) -> !Set.of("watchdog-lock.events", "watchdog-lock.fence", "watchdog-lock.metrics")
				.contains(name))
			.collect(Collectors.toSet());
		assertThat(described.keySet()).isEqualTo(bound);
		assertThat(described.values()).allMatch((description) -> description.endsWith("."))
			.noneMatch((description) -> description.contains("{@"));
	}

	@Test
	void propertiesOfTheActuatorAreDescribed() throws IOException {
		assertThat(metadata()).filteredOn((property) -> ("" + property.get("name")).startsWith("management."))
			.extracting((property) -> (String) property.get("name"))
			.containsExactlyInAnyOrder("management.endpoint.leaders.access",
					"management.endpoint.leaders.cache.time-to-live", "management.endpoint.locks.access",
					"management.endpoint.locks.cache.time-to-live", "management.endpoint.locks.roles",
					"management.endpoint.locks.show-values", "management.health.watchdog-lock.enabled");
		assertThat(metadata()).allSatisfy((property) -> assertThat((String) property.get("description")).endsWith("."));
	}

	@Test
	void defaultIsRejectedForContentionAndReleaseProperties() {
		assertThatException().isThrownBy(() -> bind(Map.of("watchdog-lock.on-contention", "default")))
			.withStackTraceContaining("watchdog-lock.on-contention is 'default'");
		assertThatException().isThrownBy(() -> bind(Map.of("watchdog-lock.release", "default")))
			.withStackTraceContaining("watchdog-lock.release is 'default'");
	}

	@Test
	void enumPropertiesHaveHintsForAllAllowedValues() throws IOException {
		for (Map<String, Object> property : metadata()) {
			Class<?> type = type((String) property.getOrDefault("type", ""));
			if (type != null && type.isEnum() && type.getName().startsWith("io.github.watchdoglock.")) {
				assertThat(hints("" + property.get("name"))).as("" + property.get("name"))
					.containsExactlyInAnyOrder(Arrays.stream(type.getEnumConstants())
						.filter((value) -> value != OnContention.DEFAULT && value != LockRelease.DEFAULT)
						.map((value) -> ((Enum<?>) value).name().toLowerCase(Locale.ROOT).replace('_', '-'))
						.toArray(String[]::new));
			}
		}
		assertThat(hints("watchdog-lock.store")).containsExactly("redis", "local");
		assertThat(hints("watchdog-lock.show-keys")).containsExactly("always", "hashed", "never");
		assertThat(hints("watchdog-lock.locks.keys")).isNotEmpty();
	}

	private static @Nullable Class<?> type(String name) {
		return ClassUtils.isPresent(name, null) ? ClassUtils.resolveClassName(name, null) : null;
	}

	@SuppressWarnings("unchecked")
	private static List<String> hints(String property) throws IOException {
		for (Map<String, Object> hint : all("hints")) {
			if (property.equals(hint.get("name"))) {
				List<Map<String, Object>> values = (List<Map<String, Object>>) hint.getOrDefault("values", List.of());
				assertThat(values).allSatisfy((value) -> assertThat((String) value.get("description")).endsWith("."));
				return values.stream().map((value) -> (String) value.get("value")).toList();
			}
		}
		return List.of();
	}

	private static Stream<String> names(String prefix, Class<?> type) {
		return Arrays.stream(type.getRecordComponents())
			.map(RecordComponent::getName)
			.map((name) -> prefix + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
	}

	private static List<Map<String, Object>> metadata() throws IOException {
		return all("properties");
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> all(String kind) throws IOException {
		try (InputStream json = WatchdogLockProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			assertThat(json).isNotNull();
			String text = new String(json.readAllBytes(), StandardCharsets.UTF_8);
			Object all = JsonParserFactory.getJsonParser().parseMap(text).get(kind);
			return (List<Map<String, Object>>) Objects.requireNonNull(all);
		}
	}

	private static WatchdogLockProperties bind(Map<String, String> values) {
		return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("watchdog-lock",
				WatchdogLockProperties.class);
	}

}
