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

package io.github.watchdoglock.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The tables of a page of the documentation, for tests that compare them with the code.
 */
public final class PageTables {

	private static final Pattern NAME = Pattern.compile("`([\\w.]+)`");

	private PageTables() {
	}

	/**
	 * Return the rows of the first table that has a column with a title.
	 * @param page name of the page
	 * @param column the title
	 * @return the cells of each row; names in the first cell without their code marks
	 * @throws IOException if the page can't be read
	 */
	public static List<List<String>> of(String page, String column) throws IOException {
		List<String> lines = Files.readAllLines(Path.of("../contributing", page));
		int head = 0;
		while (!lines.get(head).startsWith("|") || !cells(lines.get(head)).contains(column)) {
			head++;
		}
		return lines.subList(head + 2, lines.size())
			.stream()
			.takeWhile((line) -> line.startsWith("|"))
			.map(PageTables::cells)
			.toList();
	}

	/**
	 * Return the names in a cell, which have code marks.
	 * @param cell the cell
	 * @return the names, in their order
	 */
	public static List<String> names(String cell) {
		return NAME.matcher(cell).results().map((MatchResult name) -> name.group(1)).toList();
	}

	private static List<String> cells(String line) {
		return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|")).map(String::strip).toList();
	}

}
