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

package io.github.watchdoglock.simulation;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bugs that simulated worlds have to find, each alone; for the profile {@code simulate}.
 */
class PlantedBugsIT {

	private static final long MOST = 20_000;

	static List<PlantedBug> bugs() {
		return PlantedBugs.all();
	}

	@ParameterizedTest
	@MethodSource("bugs")
	void isFound(PlantedBug bug) {
		long seed = new Worlds(bug.compile()).find(1, 1, MOST);
		System.out.println(bug + ": " + ((seed > 0) ? "seed " + seed : "not found"));
		assertThat(seed).as("%s", bug).isPositive();
	}

}
