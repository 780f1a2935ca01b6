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
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for simulated worlds with leaders, always with the same seeds, and for elections
 * with seeded bugs, each of which the worlds must find.
 */
@ExtendWith(Silent.class)
class LeaderSimulationTests {

	private static final long WORLDS = Long.getLong("simulation.leaders", 50);

	/* A busy machine needs more time. */
	private static final long MAX_MINUTES = 5;

	private static final long MAX_WORLDS = 1_000;

	@Tag("slow")
	@Test
	void leadersViolateNoInvariantInSimulatedWorlds() {
		Worlds worlds = new Worlds();
		long played = worlds.play(Leaders.ONE_OF, Leaders.ONE_OF, TimeUnit.MINUTES.toNanos(MAX_MINUTES), WORLDS);
		assertThat(played).isEqualTo(WORLDS);
		assertThat(worlds.counts()).containsKeys("fault: resigned", "fault: asked to resign", "fault: role forced");
	}

	static List<PlantedBug> bugs() {
		return PlantedBugs.ofLeaders();
	}

	@ParameterizedTest
	@MethodSource("bugs")
	@Tag("slow")
	void seededLeaderBugIsFoundInSimulatedWorlds(PlantedBug bug) {
		long seed = new Worlds(bug.compile()).find(Leaders.ONE_OF, Leaders.ONE_OF, MAX_WORLDS);
		assertThat(seed).as("%s", bug).isPositive();
	}

}
