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

package io.github.watchdoglock.pages;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The configuration properties of everything on the class path, according to their
 * metadata.
 */
final class Metadata {

	private static final String LOCATION = "META-INF/spring-configuration-metadata.json";

	private static final String OURS = "watchdog-lock";

	private static final String NAMED = OURS + ".locks";

	private final Map<String, Property> properties = new TreeMap<>();

	private final Set<String> ofOneLock;

	private Metadata(Set<String> ofOneLock) {
		this.ofOneLock = ofOneLock;
	}

	static Metadata ofTheClassPath() {
		try {
			Class<?> named = Class.forName("io.github.watchdoglock.autoconfigure.NamedLockProperties");
			Metadata metadata = new Metadata(Stream.of(named.getRecordComponents())
				.map(RecordComponent::getName)
				.map((name) -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
				.collect(Collectors.toSet()));
			for (URL location : Collections.list(Metadata.class.getClassLoader().getResources(LOCATION))) {
				try (InputStream json = location.openStream()) {
					metadata.add(JsonMapper.shared().readTree(json),
							location.toString().contains(OURS + "-autoconfigure"));
				}
			}
			return metadata;
		}
		catch (IOException | ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void add(JsonNode json, boolean ours) {
		Map<String, List<String>> values = new TreeMap<>();
		json.path("hints").forEach((hint) -> {
			List<String> described = new ArrayList<>();
			hint.path("values")
				.forEach((value) -> described
					.add("`" + value.path("value").asString() + "`: " + value.path("description").asString()));
			values.put(hint.path("name").asString(), described);
		});
		json.path("properties").forEach((property) -> {
			String name = property.path("name").asString();
			JsonNode value = property.path("defaultValue");
			this.properties.put(name,
					new Property(name, property.path("type").asString(), value.isValueNode() ? value.asString() : null,
							property.path("description").asString(), values.getOrDefault(name, List.of()), ours));
		});
	}

	List<Property> ours() {
		return this.properties.values().stream().filter(Property::ours).toList();
	}

	/* A group of properties. */
	boolean knowsBelow(String key) {
		return this.properties.keySet().stream().anyMatch((name) -> name.startsWith(key + "."));
	}

	/* An index in a list is not part of a name. */
	boolean knows(String key) {
		String name = key.replaceAll("\\[\\d+]", "");
		if (name.startsWith(NAMED + ".") || name.startsWith(NAMED + "[")) {
			// A lock's name that contains a dot needs brackets.
			return name.substring(NAMED.length()).matches("(\\.[^.\\[]+|\\[[^\\]]+])\\.[^.]+")
					&& this.ofOneLock.contains(name.substring(name.lastIndexOf('.') + 1));
		}
		return this.properties.containsKey(name) || this.properties.values()
			.stream()
			.anyMatch((property) -> property.isMap() && name.startsWith(property.name() + "."));
	}

	/**
	 * A property.
	 *
	 * @param name its name
	 * @param type its type
	 * @param defaultValue its default, or null
	 * @param description its description
	 * @param values the meanings of its values, if documented
	 * @param ours whether it belongs to this project
	 */
	record Property(String name, String type, @Nullable String defaultValue, String description, List<String> values,
			boolean ours) {

		boolean isMap() {
			return this.type.startsWith("java.util.Map<") || this.type.equals("java.util.Properties");
		}

	}

}
