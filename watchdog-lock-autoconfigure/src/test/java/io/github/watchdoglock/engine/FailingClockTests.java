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

package io.github.watchdoglock.engine;

import java.util.List;

import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An error wherever the engine looks at the clock, asks for chance, or gives something to
 * a thread, one at a time: whatever step it is, nothing stays behind. Some of the places
 * of {@link EveryErrorTests}, in a fraction of the time.
 */
class FailingClockTests {

	private static final int MOST_TOLD = 10;

	/* Each engine of a scenario takes a turn, whatever its callers do. */
	private static final long POINTS_OF_TURNS = 3;

	/* Of long scenarios, spread over all; each with -Derrors.all=true. */
	private static final long MOST_POINTS = 150;

	static List<String> scenarios() {
		return ErrorScenarios.names();
	}

	@ParameterizedTest
	@MethodSource("scenarios")
	void errorWhereTheClockIsReadLeavesNothingBehind(String scenario) throws Exception {
		long points = ErrorScenarios.points(scenario);
		assertThat(points).isGreaterThan(POINTS_OF_TURNS);
		long step = Boolean.getBoolean("errors.all") ? 1 : Math.max(1, points / MOST_POINTS);
		SoftAssertions softly = new SoftAssertions();
		for (long point = 1; point <= points && softly.assertionErrorsCollected().size() < MOST_TOLD; point += step) {
			try {
				ErrorScenarios.run(scenario, point);
			}
			catch (AssertionError ex) {
				softly.fail(ex.getMessage());
			}
		}
		softly.assertAll();
	}

}
