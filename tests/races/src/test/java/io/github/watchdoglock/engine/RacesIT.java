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

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.annotations.JCStressTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the races in JVMs of their own, and fails if one of them has a forbidden outcome.
 */
@Tag("races")
class RacesIT {

	private static final String ALL = ".*";

	private static final String TESTS = System.getProperty("races.tests", ALL);

	private static final int MILLISECONDS = Integer.getInteger("races.time", 1_000);

	private static final Path REPORT = Path.of(System.getProperty("races.report", "target/jcstress")).toAbsolutePath();

	private static final int ITERATIONS = 2;

	private static final String JVM = System.getProperty("races.jvm", "-XX:+UseSerialGC -Xmx256m");

	@Test
	void noRaceHasAForbiddenOutcome() throws Exception {
		List<String> lines = run();
		assertThat(lines).contains("  Failed tests: No matches.", "  Error tests: No matches.");
		if (TESTS.equals(ALL)) {
			assertThat(lines)
				.contains("  All remaining tests: " + races() + " matching test results. Use -v to print them.");
		}
	}

	private static long races() {
		return Stream
			.of(AlarmRaces.class, HoldRaces.class, MailboxRaces.class, RetirementRaces.class, WaiterRaces.class)
			.flatMap((group) -> Stream.of(group.getDeclaredClasses()))
			.filter((test) -> test.isAnnotationPresent(JCStressTest.class))
			.count();
	}

	/* As if there were two processors: the two threads of one test at a time. */
	private static List<String> run() throws IOException, InterruptedException {
		List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:ActiveProcessorCount=2", "-cp", System.getProperty("java.class.path"), Main.class.getName(), "-t",
				TESTS, "-f", "1", "-iters", String.valueOf(ITERATIONS), "-time",
				String.valueOf(MILLISECONDS / ITERATIONS), "-r", REPORT.toString(), "-af", "NONE", "-sc", "false",
				"-spinStyle", "THREAD_YIELD", "-jvmArgs", JVM);
		Process process = new ProcessBuilder(command).directory(Files.createDirectories(REPORT).toFile())
			.redirectErrorStream(true)
			.start();
		List<String> lines = new ArrayList<>();
		try (BufferedReader reader = process.inputReader()) {
			reader.lines().forEach((line) -> {
				System.out.println(line);
				lines.add(line);
			});
		}
		finally {
			process.destroy();
		}
		assertThat(process.waitFor()).as("exit code").isZero();
		return lines;
	}

}
