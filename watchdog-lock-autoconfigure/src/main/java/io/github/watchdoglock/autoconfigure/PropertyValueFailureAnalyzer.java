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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.github.watchdoglock.PrintableText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;

/**
 * Explains a property of ours that must be one of several words, without the name of the
 * type that it is converted to. Asked before Boot's own analyzers.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class PropertyValueFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConversionFailedException failure = findCause(cause, ConversionFailedException.class);
		String property = cause.getName().toString();
		if (failure == null || !failure.getTargetType().getType().isEnum() || !property.startsWith("watchdog-lock.")) {
			return null;
		}
		List<String> words = Arrays.stream(failure.getTargetType().getType().getEnumConstants())
			.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
			.toList();
		String value = PrintableText.of(String.valueOf(failure.getValue()));
		ConfigurationProperty source = cause.getProperty();
		return new FailureAnalysis(
				"The property '" + property + "' is '" + value + "'"
						+ ((source != null && source.getOrigin() != null) ? " (" + source.getOrigin() + ")" : "")
						+ ", and must be one of " + words + "." + NearestName.suggest(value, words),
				"Set one of these values, or remove the property.", cause);
	}

}
