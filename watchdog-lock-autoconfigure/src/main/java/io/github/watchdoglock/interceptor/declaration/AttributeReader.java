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

package io.github.watchdoglock.interceptor.declaration;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.regex.Pattern;

import io.github.watchdoglock.LockConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads attributes that may be placeholders, and durations, of which it refuses those
 * whose meaning would be a guess.
 */
final class AttributeReader {

	/* What a wait without end and a lease time that is not given are written as. */
	private static final String UNSET = "-1";

	private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

	private final StringValueResolver placeholders;

	AttributeReader(StringValueResolver placeholders) {
		this.placeholders = placeholders;
	}

	String text(DeclaredAnnotation<?> annotation, Method method, String attribute, String text) {
		try {
			String resolved = this.placeholders.resolveStringValue(text);
			return (resolved != null) ? resolved : "";
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(method,
					annotation.quoted(attribute) + " is '" + text + "', which can't be resolved: " + ex.getMessage(),
					"Set the property, or give the placeholder a default: ${property:default}.", ex);
		}
	}

	/* Negative only where -1 is written; null where nothing is. */
	@Nullable Duration duration(DeclaredAnnotation<?> annotation, Method method, String attribute, String text) {
		String resolved = text(annotation, method, attribute, text).trim();
		if (!StringUtils.hasText(resolved)) {
			return null;
		}
		String given = annotation.quoted(attribute) + " is '" + resolved + "'"
				+ (resolved.equals(text.trim()) ? "" : " (by '" + text + "')");
		if (NUMBER.matcher(resolved).matches() && !resolved.equals("0") && !resolved.equals(UNSET)) {
			throw new LockConfigurationException(method, given + ", a number without a unit",
					resolved.startsWith("-") ? advice(attribute)
							: "Write " + resolved + "s for seconds, or " + resolved + "ms for milliseconds.");
		}
		Duration duration = parse(method, given, resolved);
		if (duration.isNegative() && !resolved.equals(UNSET)) {
			throw new LockConfigurationException(method, given
					+ (maybeUnset(attribute) ? ", and the only negative value allowed is -1" : ", which is negative"),
					advice(attribute));
		}
		return duration;
	}

	private static boolean maybeUnset(String attribute) {
		return attribute.equals("waitTime") || attribute.equals("leaseTime");
	}

	private static Duration parse(Method method, String given, String text) {
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new LockConfigurationException(method, given + ", which is no duration",
					"Write a duration such as 500ms, 10s or PT1M.", ex);
		}
	}

	private static String advice(String attribute) {
		return switch (attribute) {
			case "waitTime" -> "Write -1 to wait indefinitely, 0s to try once, or a duration such as 10s.";
			case "leaseTime" -> "Leave it out to have the lease of watchdog-lock.lease-time, renewed, or write a"
					+ " duration such as 30s.";
			default -> "Write a duration such as 30s, or leave it out.";
		};
	}

}
