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

package io.github.watchdoglock.test;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the API of all published jars is that of the files in {@code src/api}.
 */
class ApiBaselineTests {

	private static final Path BASELINES = Path.of("../src/api");

	private static final String BASE = "io/github/watchdoglock";

	private static final Pattern METRICS = Pattern.compile("Lock(Acquire|Hold)ObservationC\\w+|LockObservationContext");

	private static final Pattern TYPE = Pattern.compile("^public .*?(?:class|interface|enum) ([\\w.$]+)");

	private static final Pattern ANY = Pattern.compile("[A-Z]\\w*(\\$[A-Z]\\w*)*");

	@Test
	void publicApiOfLibraryMatchesBaseline() throws Exception {
		check("watchdog-lock-autoconfigure.txt", LockService.class,
				Map.of(BASE, ANY, BASE + "/annotation", ANY, BASE + "/event", ANY, BASE + "/metrics", METRICS));
	}

	@Test
	void publicApiForTestsMatchesBaseline() throws Exception {
		check("watchdog-lock-test.txt", TestLocks.class, Map.of(BASE + "/test", ANY));
	}

	private static void check(String name, Class<?> member, Map<String, Pattern> packages) throws Exception {
		Path place = Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
		List<String> api = describe(place, packages);
		assertThat(api).hasSizeGreaterThan(5);
		Path file = BASELINES.resolve(name);
		if (Boolean.getBoolean("api.write")) {
			Files.createDirectories(BASELINES);
			Files.write(file, api);
		}
		List<String> baseline = Files.readAllLines(file);
		List<String> gone = new ArrayList<>(baseline);
		gone.removeAll(api);
		List<String> added = new ArrayList<>(api);
		added.removeAll(baseline);
		assertThat(added.isEmpty() && gone.isEmpty())
			.withFailMessage(
					"""
							The API is not what src/api/%s says. What is compiled against it breaks by what is gone:
							- %s
							and whoever implements it may break by what is new:
							+ %s
							Where this is meant, write the baseline anew, with an entry under Breaking in CHANGELOG.md for what is gone:
							mvn -pl watchdog-lock-test -am test -Dtest=ApiBaselineTests -Dsurefire.failIfNoSpecifiedTests=false -Dapi.write=true
							""",
					name, String.join("\n- ", gone), String.join("\n+ ", added))
			.isTrue();
	}

	/* Returns a line for each member, with its declaring type. */
	private static List<String> describe(Path place, Map<String, Pattern> packages) throws IOException {
		List<String> lines = new ArrayList<>();
		String type = "";
		for (String line : disassemble(place, packages).split("\n", -1)) {
			String text = line.strip().replace("io.github.watchdoglock.", "").replaceAll("java\\.lang\\.(?=[A-Z])", "");
			if (text.endsWith("{")) {
				Matcher name = TYPE.matcher(text);
				type = name.find() ? name.group(1) : "";
			}
			if (!type.isEmpty() && text.matches(".*[{;]")) {
				lines.add(type + " | " + text.replaceAll(" ?[{;]$", ""));
			}
		}
		return lines.stream().sorted().distinct().toList();
	}

	private static String disassemble(Path place, Map<String, Pattern> packages) throws IOException {
		StringWriter output = new StringWriter();
		List<String> arguments = new ArrayList<>(List.of("-protected", "-cp", place.toString()));
		arguments.addAll(types(place, packages));
		PrintWriter writer = new PrintWriter(output);
		int status = ToolProvider.findFirst("javap")
			.orElseThrow()
			.run(writer, writer, arguments.toArray(String[]::new));
		assertThat(status).as(output::toString).isZero();
		return output.toString();
	}

	private static Set<String> types(Path place, Map<String, Pattern> packages) throws IOException {
		if (Files.isDirectory(place)) {
			return typesBelow(place, packages);
		}
		try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
			return typesBelow(jar.getPath("/"), packages);
		}
	}

	private static Set<String> typesBelow(Path root, Map<String, Pattern> packages) throws IOException {
		Set<String> types = new TreeSet<>();
		for (Map.Entry<String, Pattern> room : packages.entrySet()) {
			try (Stream<Path> files = Files.list(root.resolve(room.getKey()))) {
				files.map((file) -> file.getFileName().toString())
					.filter((name) -> name.endsWith(".class") && !name.equals("package-info.class"))
					.map((name) -> name.substring(0, name.length() - ".class".length()))
					.filter((name) -> room.getValue().matcher(name).matches())
					.forEach((name) -> types.add(room.getKey().replace('/', '.') + "." + name));
			}
		}
		return types;
	}

}
