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

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
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

	/* The first element that is neither a property nor the name of a lock or role. */
	private static String suggest(ConfigurationPropertyName name) {
		Set<String> known = Stream
			.of(WatchdogLockProperties.class, NamedLockProperties.class, LeaderProperties.class,
					WatchdogLockProperties.FenceProperties.class, WatchdogLockProperties.Metrics.class)
			.flatMap((type) -> Stream.of(type.getRecordComponents()))
			.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()))
			.collect(Collectors.toSet());
		return IntStream.range(1, name.getNumberOfElements())
			.filter((i) -> !Set.of("locks", "leaders").contains(name.getElement(i - 1, Form.DASHED)))
			.mapToObj((i) -> name.getElement(i, Form.DASHED))
			.filter((element) -> !known.contains(element))
			.findFirst()
			.map((element) -> Spelling.suggest(element, known))
			.orElse("");
	}

}
