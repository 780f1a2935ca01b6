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

import java.time.Duration;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads attributes of an annotation that may contain placeholders, and durations. Rejects
 * durations that are ambiguous.
 *
 * @param annotation the annotation
 * @param placeholders resolves placeholders, and fails if one cannot be resolved
 */
record AttributeReader(DeclaredAnnotation annotation, StringValueResolver placeholders) {

	/* Means an indefinite wait time, or a lease time that is not set. */
	private static final String UNSET = "-1";

	private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

	/* A century: with longer durations, nanoseconds would overflow. */
	private static final Duration MAXIMUM = Duration.ofDays(36_500);

	String text(String attribute, String text) {
		try {
			String resolved = this.placeholders.resolveStringValue(text);
			return (resolved != null) ? resolved : "";
		}
		catch (IllegalArgumentException ex) {
			throw this.annotation.problem(
					this.annotation.quoted(attribute) + " is '" + text + "', which cannot be resolved: "
							+ ex.getMessage(),
					"Set the property, or give the placeholder a default: ${property:default}.", ex);
		}
	}

	/* Negative only for -1, if that is valid for the attribute; null if it is empty. */
	@Nullable Duration duration(String attribute, String text, Duration minimum) {
		String resolved = text(attribute, text).trim();
		if (resolved.isEmpty()) {
			return null;
		}
		boolean mayBeUnset = attribute.equals("waitTime") || attribute.equals("leaseTime");
		if (mayBeUnset && resolved.equals(UNSET)) {
			return Duration.ofMillis(-1);
		}
		String given = this.annotation.quoted(attribute) + " is '" + resolved + "'"
				+ (resolved.equals(text.trim()) ? "" : " (from '" + text + "')");
		if (NUMBER.matcher(resolved).matches() && !resolved.equals("0")) {
			throw this.annotation.problem(given + ", a number without a unit",
					resolved.startsWith("-") ? advice(attribute)
							: "Write " + resolved + "s for seconds, or " + resolved + "ms for milliseconds.");
		}
		Duration duration = parse(given, resolved);
		if (duration.compareTo(minimum) < 0 || duration.compareTo(MAXIMUM) > 0) {
			throw this.annotation.problem(given + ", and must be from " + minimum.toMillis() + "ms to "
					+ MAXIMUM.toDays() + " days" + (mayBeUnset ? ", or -1" : ""), advice(attribute));
		}
		return duration;
	}

	private Duration parse(String given, String text) {
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw this.annotation.problem(given + ", which is not a duration",
					"Write a duration such as 500ms, 10s or PT1M.", ex);
		}
	}

	private static String advice(String attribute) {
		return switch (attribute) {
			case "waitTime" -> "Write -1 to wait indefinitely, 0s to try once, or a duration such as 10s.";
			case "leaseTime" ->
				"Leave it out to use watchdog-lock.lease-time, with renewal, or write a duration such as 30s.";
			case "maxHoldTime" -> "Write a duration such as 5m, or leave it out to use watchdog-lock.max-hold-time.";
			default -> "Write a duration such as 30s, or leave it out.";
		};
	}

}
