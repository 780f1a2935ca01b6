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

package io.github.watchdoglock.torture;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The injected faults, and whether they had an effect.
 */
final class Effects {

	private final Map<FaultKind, Integer> drawn = new EnumMap<>(FaultKind.class);

	private final Map<FaultKind, Integer> felt = new EnumMap<>(FaultKind.class);

	/* Whether a fault had an effect may be known only when all logs are complete. */
	private final List<Map.Entry<FaultKind, BooleanSupplier>> open = new ArrayList<>();

	void add(FaultKind kind, BooleanSupplier felt) {
		this.drawn.merge(kind, 1, Integer::sum);
		this.open.add(Map.entry(kind, felt));
	}

	/* The kinds of faults that never had an effect, according to the logs so far. */
	List<FaultKind> vainSoFar() {
		Set<FaultKind> vain = EnumSet.noneOf(FaultKind.class);
		vain.addAll(this.drawn.keySet());
		this.open.stream()
			.filter((each) -> each.getValue().getAsBoolean())
			.forEach((each) -> vain.remove(each.getKey()));
		return List.copyOf(vain);
	}

	void settle() {
		this.open.stream()
			.filter((each) -> each.getValue().getAsBoolean())
			.forEach((each) -> this.felt.merge(each.getKey(), 1, Integer::sum));
		this.open.clear();
	}

	/* The kinds of faults that never had an effect, and therefore test nothing. */
	List<FaultKind> neverFelt() {
		return this.drawn.keySet().stream().filter((kind) -> !this.felt.containsKey(kind)).toList();
	}

	int count() {
		return this.drawn.values().stream().mapToInt(Integer::intValue).sum();
	}

	@Override
	public String toString() {
		return this.drawn.entrySet()
			.stream()
			.map((each) -> each.getKey() + " " + this.felt.getOrDefault(each.getKey(), 0) + "/" + each.getValue())
			.collect(Collectors.joining(", "));
	}

}
