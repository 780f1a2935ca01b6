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

package io.github.watchdoglock.listener;

import java.lang.reflect.InvocationTargetException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

import io.github.watchdoglock.support.ErrorPoints;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Events}.
 */
class EventsTests {

	private static final ErrorPoints CLASSES = new ErrorPoints(
			(name) -> name.startsWith("io.github.watchdoglock.listener.") && !name.contains("ErrorScenario"));

	@Test
	void nobodyHearsTheSameTwiceAndOneMissesAtMostOnePieceOfNewsWhateverErrorIsThrown() throws Exception {
		Logger logger = Logger.getLogger("io.github.watchdoglock");
		Level before = logger.getLevel();
		logger.setLevel(Level.OFF);
		try {
			long points = (long) call("points");
			assertThat(points).isGreaterThan(100);
			for (long point = 1; point <= points; point++) {
				call("run", point);
			}
		}
		finally {
			logger.setLevel(before);
		}
	}

	private static Object call(String method, Object... arguments) throws Exception {
		Class<?> scenario = Class.forName("io.github.watchdoglock.listener.ErrorScenario", true, CLASSES);
		Class<?>[] types = Stream.of(arguments).map((argument) -> long.class).toArray(Class<?>[]::new);
		try {
			return scenario.getMethod(method, types).invoke(null, arguments);
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw ex;
		}
	}

}
