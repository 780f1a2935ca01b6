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

package com.example.lines;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for properties and their metadata.
 */
@ExtendWith(RedisServerExtension.class)
class PropertiesTests {

	@Test
	void metadataContainPropertiesOfLocksAndEndpoint() throws IOException {
		assertThat(metadata("$.properties[*].name")).contains("watchdog-lock.lease-time", "watchdog-lock.on-loss",
				"management.endpoint.locks.show-values", "management.health.watchdog-lock.enabled");
		assertThat(metadata("$.hints[*].name")).isNotEmpty();
	}

	@Test
	void applicationStartsWithDefaultsSetExplicitly() throws IOException {
		List<Map<String, Object>> properties = metadata("$.properties[?(@.defaultValue)]");
		String[] written = properties.stream()
			.filter((property) -> String.valueOf(property.get("name")).startsWith("watchdog-lock."))
			.map((property) -> property.get("name") + "=" + property.get("defaultValue"))
			.toArray(String[]::new);
		assertThat(written).as("number of properties with a documented default").hasSizeGreaterThan(10);
		try (ConfigurableApplicationContext instance = ShopInstance.start(written)) {
			assertThat(instance.getBean(Shop.class).buy("phone")).isEqualTo("held");
		}
	}

	private static <T> List<T> metadata(String path) throws IOException {
		for (URL file : Collections
			.list(PropertiesTests.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream json = file.openStream()) {
				if (file.getPath().contains("watchdog-lock-autoconfigure")) {
					return JsonPath.read(json, path);
				}
			}
		}
		throw new IllegalStateException("The jar has no metadata");
	}

}
