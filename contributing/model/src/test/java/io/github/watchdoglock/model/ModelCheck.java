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

package io.github.watchdoglock.model;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What the model checker says of a specification within some bounds.
 *
 * @param passed whether all states within the bounds were visited, and none was wrong
 * @param violated the invariant or property that does not hold; null for none
 * @param states how many distinct states were visited
 * @param output what the checker printed
 */
record ModelCheck(boolean passed, @Nullable String violated, long states, String output) {

	private static final Path FOLDER = Path.of("").toAbsolutePath();

	private static final Path TARGET = FOLDER.resolve("target/model");

	/* Long bounds, on a machine that does other things too. */
	private static final int MAX_MINUTES = 90;

	private static final Pattern VIOLATED = Pattern
		.compile("Invariant (\\w+) is violated|(Temporal properties) were violated");

	private static final Pattern STATES = Pattern.compile("(\\d+) distinct states found, \\d+ states left");

	/* With all rules. */
	static ModelCheck of(String bounds) throws Exception {
		return run(bounds, bounds, configuration(bounds), "-XX:TieredStopAtLevel=4");
	}

	/* Without a rule, and looking at one thing only. */
	static ModelCheck without(String rule, String bounds, String expected) throws Exception {
		String temporal = configuration(bounds).matches("(?s).*\nPROPERTIES [^\n]*\\b" + expected + "\\b.*")
				? "PROPERTY " : "INVARIANT ";
		String configuration = configuration(bounds).replace(" Broken = {}", " Broken = {\"" + rule + "\"}")
			.replaceAll("(?m)^(INVARIANTS|PROPERTIES) .*\n", "") + temporal + expected + "\n";
		// Ends after seconds: what a better compiler would make of it comes too late.
		ModelCheck check = run(bounds, bounds + "-" + rule + "-" + expected, configuration, "-XX:TieredStopAtLevel=1");
		// The checker does not name a property; it was given this one alone.
		return "Temporal properties".equals(check.violated)
				? new ModelCheck(check.passed, expected, check.states, check.output) : check;
	}

	private static String configuration(String bounds) throws IOException {
		return Files.readString(FOLDER.resolve(bounds + ".cfg"));
	}

	private static ModelCheck run(String bounds, String name, String configuration, String compiler) throws Exception {
		Path target = Files.createDirectories(TARGET.resolve(name));
		Path file = Files.writeString(target.resolve("model.cfg"), configuration);
		File printed = target.resolve("output.txt").toFile();
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-Xmx2g", compiler, "-Djava.io.tmpdir=" + target, "-cp",
				System.getProperty("java.class.path"), "tlc2.TLC", "-workers", "1", "-metadir",
				target.resolve("states").toString(), "-config", file.toString(),
				bounds.substring(0, bounds.indexOf('-')) + ".tla")
			.directory(FOLDER.toFile())
			.redirectErrorStream(true)
			.redirectOutput(printed)
			.start();
		try {
			if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
				throw new IllegalStateException(name + " took longer than " + MAX_MINUTES + " minutes");
			}
		}
		finally {
			process.destroyForcibly();
		}
		return parse(Files.readString(printed.toPath()));
	}

	private static ModelCheck parse(String output) {
		Matcher violated = VIOLATED.matcher(output);
		String name = null;
		if (violated.find()) {
			name = (violated.group(1) != null) ? violated.group(1) : violated.group(2);
		}
		long states = 0;
		Matcher found = STATES.matcher(output);
		while (found.find()) {
			states = Long.parseLong(found.group(1));
		}
		return new ModelCheck(output.contains("No error has been found"), name, states, output);
	}

}
