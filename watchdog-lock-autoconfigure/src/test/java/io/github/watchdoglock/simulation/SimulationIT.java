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

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with very many simulated worlds, which reach every kind of fault and every branch
 * of the protocol; tagged {@code simulation}.
 */
@Tag("simulation")
@ExtendWith(Silent.class)
class SimulationIT {

	private static final long FIRST = Long.getLong("simulation.first", 1);

	private static final long WORLDS = Long.getLong("simulation.worlds", 1_000_000);

	@Test
	void millionSimulatedWorldsViolateNoInvariant() throws Exception {
		SimulationRun run = new SimulationRun();
		run.play(FIRST, Integer.MAX_VALUE, WORLDS);
		System.out.println(run.summary());
		assertThat(run.steps / run.played).as("steps of a world").isGreaterThanOrEqualTo(300);
		assertThat(run.missing()).as("kinds that were never met").isEmpty();
	}

}
