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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that simulated worlds find each of the seeded bugs, and a report of the first
 * fast test that finds it; tagged {@code simulation}.
 */
@Tag("simulation")
@ExtendWith(Silent.class)
class PlantedBugsIT {

	private static final long MAX_WORLDS = 50_000;

	/* Some bugs let a test wait forever. */
	private static final long MAX_MINUTES = 3;

	static List<PlantedBug> bugs() {
		return PlantedBugs.all();
	}

	static List<PlantedBug> allBugs() {
		return Stream.concat(PlantedBugs.all().stream(), PlantedBugs.ofLeaders().stream()).toList();
	}

	@ParameterizedTest
	@MethodSource("bugs")
	void seededBugIsFoundInSimulatedWorlds(PlantedBug bug) {
		long seed = new Worlds(bug.compile()).find(1, 1, MAX_WORLDS);
		System.out.println(bug + ": " + ((seed > 0) ? "seed " + seed : "not found"));
		assertThat(seed).as("%s", bug).isPositive();
	}

	@Test
	void fastTestsPassWithoutSeededBug(@TempDir Path classes) throws Exception {
		assertThat(firstFailure(classes)).isEqualTo(FirstFailure.PASSED);
	}

	/*
	 * Prints the name of the test. A bug that only simulated worlds find is not a
	 * failure.
	 */
	@ParameterizedTest
	@MethodSource("allBugs")
	@Execution(ExecutionMode.CONCURRENT)
	void firstFastTestThatFindsSeededBugIsPrinted(PlantedBug bug, @TempDir Path classes) throws Exception {
		for (Map.Entry<String, byte[]> type : bug.compile().entrySet()) {
			Path file = classes.resolve(type.getKey().replace('.', '/') + ".class");
			Files.createDirectories(file.getParent());
			Files.write(file, type.getValue());
		}
		System.out.println(bug + ": fast tests: " + firstFailure(classes));
	}

	private static String firstFailure(Path classes) throws IOException, InterruptedException {
		Path output = classes.resolve("output");
		Process tests = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", classes + File.pathSeparator + System.getProperty("java.class.path"),
				FirstFailure.class.getName(), "io.github.watchdoglock.engine", "io.github.watchdoglock.leader",
				"io.github.watchdoglock.listener", "io.github.watchdoglock.memory", "io.github.watchdoglock.repeat",
				"io.github.watchdoglock.time")
			.redirectError(classes.resolve("errors").toFile())
			.redirectOutput(output.toFile())
			.start();
		try {
			if (!tests.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
				return "a test that waits forever";
			}
			assertThat(output).as(Files.readString(classes.resolve("errors"))).isNotEmptyFile();
			return Files.readString(output).strip();
		}
		finally {
			tests.destroyForcibly();
		}
	}

}
