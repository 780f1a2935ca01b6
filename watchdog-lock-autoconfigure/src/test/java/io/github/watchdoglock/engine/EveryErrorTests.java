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

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.support.ErrorPoints;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An error at each step of what callers do, one at a time: whatever step it is, nothing
 * stays behind.
 */
@Tag("slow")
class EveryErrorTests {

	private static final int MOST_TOLD = 10;

	/* Of scenarios with thousands, spread over all; each with -Derrors.all=true. */
	private static final long MOST_POINTS = 150;

	private static final List<String> LONG = List.of("method", "one of several", "waited for", "others wait for",
			"permits", "readers");

	private static final List<String> POINTED = List.of("engine.", "interceptor.", "LockHandles", "SeveralHandles");

	private static final ErrorPoints CLASSES = new ErrorPoints(
			(name) -> POINTED.stream().anyMatch((room) -> name.startsWith("io.github.watchdoglock." + room))
					&& !name.contains("Test") && !name.contains("ErrorScenario") && !name.contains("Recording")
					&& !name.contains("ManualTicker"));

	static Stream<String> scenarios() throws Exception {
		return ((List<?>) call("names")).stream().map(String::valueOf);
	}

	@ParameterizedTest
	@MethodSource("scenarios")
	void leavesNothingBehind(String scenario) throws Exception {
		long points = (long) call("points", scenario);
		assertThat(points).isGreaterThan(50);
		boolean all = Boolean.getBoolean("errors.all") || LONG.stream().noneMatch(scenario::contains);
		long step = all ? 1 : Math.max(1, points / MOST_POINTS);
		SoftAssertions softly = new SoftAssertions();
		for (long point = 1; point <= points && softly.assertionErrorsCollected().size() < MOST_TOLD; point += step) {
			try {
				call("run", scenario, point);
			}
			catch (AssertionError ex) {
				softly.fail(ex.getMessage());
			}
		}
		softly.assertAll();
	}

	private static Object call(String method, Object... arguments) throws Exception {
		Class<?> scenarios = Class.forName("io.github.watchdoglock.engine.ErrorScenarios", true, CLASSES);
		Class<?>[] types = Stream.of(arguments)
			.map((argument) -> (argument instanceof Long) ? long.class : argument.getClass())
			.toArray(Class<?>[]::new);
		try {
			return scenarios.getMethod(method, types).invoke(null, arguments);
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw ex;
		}
	}

}
