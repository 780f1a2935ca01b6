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

package io.github.watchdoglock.benchmarks.load;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.load.LoadCase.Java;

/**
 * The JDKs that are measured.
 */
final class Jdks {

	private static final int LATER = 25;

	private Jdks() {
	}

	/*
	 * Return the running JDK, and a JDK 25 if one is installed in the same folder, as the
	 * build does for its tests.
	 */
	static List<Java> find() throws IOException {
		Path home = Path.of(System.getProperty("java.home")).toRealPath();
		List<Java> found = new ArrayList<>(List.of(new Java(program(home), Runtime.version().feature())));
		if (Runtime.version().feature() < LATER && home.getParent() != null) {
			try (Stream<Path> folders = Files.list(home.getParent())) {
				folders.filter((folder) -> Files.isExecutable(program(folder)) && feature(folder) == LATER)
					.sorted()
					.findFirst()
					.ifPresent((folder) -> found.add(new Java(program(folder), LATER)));
			}
		}
		return found;
	}

	private static Path program(Path home) {
		return home.resolve("bin").resolve("java");
	}

	/* Zero if the folder does not name its version. */
	private static int feature(Path home) {
		Properties release = new Properties();
		try (Reader lines = Files.newBufferedReader(home.resolve("release"))) {
			release.load(lines);
			return Runtime.Version.parse(release.getProperty("JAVA_VERSION", "0").replace("\"", "")).feature();
		}
		catch (IOException | IllegalArgumentException ex) {
			return 0;
		}
	}

}
