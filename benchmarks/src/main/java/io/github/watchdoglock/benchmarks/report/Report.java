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

package io.github.watchdoglock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The pages and the charts, created from stored results.
 */
public final class Report {

	/** The folder of results, charts and all tables, from the root of the project. */
	public static final Path FOLDER = Path.of("contributing", "performance");

	/** The file of results. */
	public static final String RESULTS = "results.json";

	/** The file of results of locks that several callers may hold. */
	public static final String KINDS = "kinds.json";

	/** The page of all tables. */
	static final String CASES = "cases.md";

	/* The file of results with Valkey. */
	private static final String VALKEY = "results-valkey.json";

	private Report() {
	}

	/**
	 * Return the file of results.
	 * @param results the results
	 * @return the file, which depends on the kind of the server
	 */
	public static Path file(Results results) {
		return FOLDER.resolve(results.isOnValkey() ? VALKEY : RESULTS);
	}

	/**
	 * Create pages and charts, in the root of the project.
	 * @throws IOException if there are no results, or no page with marks for them
	 */
	public static void write() throws IOException {
		Results results = Results.read(FOLDER.resolve(RESULTS));
		Files.writeString(FOLDER.resolve("results.svg"), Plot.svg(results));
		Path page = FOLDER.resolveSibling("measurements.md");
		Files.writeString(page, update(Files.readString(page), FOLDER));
		Files.writeString(FOLDER.resolve(CASES), cases(FOLDER));
	}

	/**
	 * Create the tables of results that no page shows.
	 * @param results the results
	 * @return a table for each case
	 */
	public static String tables(Results results) {
		return results.cases().stream().map(Page::table).collect(Collectors.joining());
	}

	/* Return the page with all its generated parts. */
	static String update(String page, Path folder) throws IOException {
		String text = Page.update(page, Results.read(folder.resolve(RESULTS)), readValkey(folder));
		Path kinds = folder.resolve(KINDS);
		return Files.exists(kinds) ? Page.updateKinds(text, Results.read(kinds)) : text;
	}

	/* Return the page of all tables. */
	static String cases(Path folder) {
		Map<String, Results> runs = new LinkedHashMap<>();
		runs.put("Exclusive locks", Results.read(folder.resolve(RESULTS)));
		Path kinds = folder.resolve(KINDS);
		if (Files.exists(kinds)) {
			runs.put("Readers, writers and permits", Results.read(kinds));
		}
		return Page.cases(runs);
	}

	static List<Results> readValkey(Path folder) {
		Path file = folder.resolve(VALKEY);
		return Files.exists(file) ? List.of(Results.read(file)) : List.of();
	}

}
