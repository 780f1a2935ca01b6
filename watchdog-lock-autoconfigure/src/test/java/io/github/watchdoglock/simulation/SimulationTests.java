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

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests with as many simulated worlds as fit into some time, always with the same seeds.
 * With {@code -Dsimulation.seed=} one of them is played; if it fails, its event trace is
 * printed.
 */
@ExtendWith(Silent.class)
class SimulationTests {

	private static final long SECONDS = Long.getLong("simulation.seconds", 15);

	@Test
	void simulatedWorldsViolateNoInvariant() throws Exception {
		Long seed = Long.getLong("simulation.seed");
		if (seed != null) {
			new Worlds().play(seed);
			return;
		}
		SimulationRun run = new SimulationRun();
		run.play(1, SECONDS, Long.MAX_VALUE);
		// The number depends on the load of the machine.
		assertThat(run.played).isPositive();
		assertThat(run.steps / run.played).as("steps of a world").isGreaterThan(300);
	}

	/* With a bug that the first worlds find. */
	@Tag("slow")
	@Test
	void failureReportHasSeedViolationAndReducedActs() {
		PlantedBug bug = PlantedBugs.all().get(0);
		long seed = new Worlds(bug.compile()).find(1, 1, 100);
		String story = failure(bug, seed);
		Matcher acts = Pattern.compile("Seed " + seed + ": (.+)\nWith (\\d+) of (\\d+) acts:\n").matcher(story);
		assertThat(acts.lookingAt()).as(story).isTrue();
		assertThat(Integer.parseInt(acts.group(2))).isLessThan(Integer.parseInt(acts.group(3)));
		assertThat(story.substring(acts.end())).contains(" ms i1 ", acts.group(1).replaceAll("\\d.*", ""));
		assertThat(failure(bug, seed)).isEqualTo(story);
	}

	private static String failure(PlantedBug bug, long seed) {
		return String.valueOf(
				catchThrowableOfType(AssertionError.class, () -> new Worlds(bug.compile()).play(seed)).getMessage());
	}

	@Tag("slow")
	@Test
	void sameSeedYieldsSameEventTrace() {
		// The last one has leaders.
		for (long seed = Leaders.ONE_OF - 4; seed <= Leaders.ONE_OF; seed++) {
			assertThat(new Worlds().tell(seed)).isEqualTo(new Worlds().tell(seed)).isNotEmpty();
		}
	}

}
