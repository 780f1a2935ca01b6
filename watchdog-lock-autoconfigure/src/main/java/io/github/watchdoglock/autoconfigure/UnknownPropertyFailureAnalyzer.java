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

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * A failure analyzer that explains properties of the library that do not exist. It
 * precedes Boot's own analyzers, which do not know that names of locks may contain dots.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		List<ConfigurationProperty> unknown = cause.getUnboundProperties()
			.stream()
			.filter((property) -> property.getName().toString().startsWith("watchdog-lock."))
			.toList();
		if (unknown.isEmpty()) {
			return null;
		}
		return new FailureAnalysis("These properties do not exist: "
				+ unknown.stream().map((property) -> property.getName() + " (" + property.getOrigin() + ")").toList(),
				String.join("", unknown.stream().map((property) -> suggest(property.getName())).distinct().toList())
					.strip()
						+ " Correct or remove them. Write the name of a lock in brackets if it has a dot, for example"
						+ " watchdog-lock.locks[Shop.buy].wait-time=5s.",
				cause);
	}

	/* Descend to the first element that is no property. */
	private static String suggest(ConfigurationPropertyName name) {
		Class<?> type = WatchdogLockProperties.class;
		for (int i = 1; i < name.getNumberOfElements(); i++) {
			String element = name.getElement(i, Form.DASHED);
			Map<String, RecordComponent> known = Stream.of(type.getRecordComponents())
				.collect(Collectors.toMap((component) -> dashed(component.getName()), Function.identity()));
			RecordComponent component = known.get(element);
			if (component == null) {
				return Spelling.suggest(element, known.keySet());
			}
			boolean map = component.getType() == Map.class;
			type = map ? ResolvableType.forType(component.getGenericType()).resolveGeneric(1) : component.getType();
			i += map ? 1 : 0;
			if (type == null || !type.isRecord()) {
				return "";
			}
		}
		return "";
	}

	private static String dashed(String name) {
		return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

}
