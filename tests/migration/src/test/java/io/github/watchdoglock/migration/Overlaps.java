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

package io.github.watchdoglock.migration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sections of one key that were executed at the same time.
 */
final class Overlaps {

	private Overlaps() {
	}

	static List<String> in(Collection<Section> sections) {
		Map<String, Section> latest = new HashMap<>();
		List<String> overlaps = new ArrayList<>();
		for (Section section : ordered(sections)) {
			latest.merge(section.key(), section, (earlier, next) -> {
				if (next.begin() <= earlier.end()) {
					overlaps.add(earlier.format() + " / " + next.format());
				}
				return (next.end() > earlier.end()) ? next : earlier;
			});
		}
		return overlaps;
	}

	/*
	 * The number of hand-overs of a lock from an instance of one generation to one of
	 * another.
	 */
	static Map<List<Generation>, Integer> handOvers(Collection<Section> sections) {
		Map<String, Section> latest = new HashMap<>();
		Map<List<Generation>, Integer> handOvers = new HashMap<>();
		for (Section section : ordered(sections)) {
			Section before = latest.put(section.key(), section);
			if (before != null && before.generation() != section.generation()) {
				handOvers.merge(List.of(before.generation(), section.generation()), 1, Integer::sum);
			}
		}
		return handOvers;
	}

	private static List<Section> ordered(Collection<Section> sections) {
		return sections.stream().sorted(Comparator.comparingLong(Section::begin)).toList();
	}

}
