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

import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests that the seeded bugs still apply to the sources.
 */
@Tag("slow")
class PlantedBugsTests {

	@Test
	void eachBugAppliesToOnePlaceAndCompiles() {
		String failures = PlantedBugsIT.allBugs()
			.parallelStream()
			.map(PlantedBugsTests::failure)
			.filter((failure) -> !failure.isEmpty())
			.collect(Collectors.joining("\n"));
		assertThat(failures).as("seeded bugs that no longer apply").isEmpty();
	}

	private static String failure(PlantedBug bug) {
		Throwable failure = catchThrowable(bug::compile);
		return (failure != null) ? bug + "\n\t" + failure.getMessage() : "";
	}

}
