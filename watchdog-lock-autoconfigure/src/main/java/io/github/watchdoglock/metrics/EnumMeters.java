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

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A meter for each constant of a set, tagged with that constant.
 */
final class EnumMeters<E extends Enum<E>, M> {

	private final Map<E, M> meters;

	/* The function creates a meter with a tag value. */
	EnumMeters(Set<E> constants, Function<String, M> meter) {
		this.meters = new EnumMap<>(constants.stream()
			.collect(Collectors.toMap(Function.identity(), (constant) -> meter.apply(tag(constant)))));
	}

	static String tag(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	M get(E constant) {
		return Objects.requireNonNull(this.meters.get(constant));
	}

}
