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

package io.github.watchdoglock.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of a table of contributing/protocol/cases.md.
 *
 * @param line its line
 * @param name its title
 * @param redisAlone whether the store in memory cannot reach this state
 * @param record the record of the key
 * @param command the command
 * @param becomes the record afterwards
 * @param answer the answer
 * @param told the messages
 */
public record ProtocolCase(int line, String name, boolean redisAlone, String record, String command, String becomes,
		String answer, String told) {

	public static final Path DOCUMENT = Path.of("../contributing/protocol/cases.md");

	private static final String COLUMNS = "| record | command | becomes | answer | told |";

	public static List<ProtocolCase> all() throws IOException {
		List<ProtocolCase> cases = new ArrayList<>();
		List<String> lines = Files.readAllLines(DOCUMENT);
		for (int i = 0; i < lines.size(); i++) {
			if (lines.get(i).endsWith(COLUMNS)) {
				boolean redisAlone = lines.get(i).startsWith("| in Redis alone ");
				for (i += 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
					cases.add(of(i + 1, redisAlone, lines.get(i)));
				}
			}
		}
		return cases;
	}

	private static ProtocolCase of(int line, boolean redisAlone, String row) {
		String[] cells = row.split("\\|", -1);
		if (cells.length != 8) {
			throw new IllegalArgumentException("line " + line + " has not six cells: " + row);
		}
		for (int i = 0; i < cells.length; i++) {
			cells[i] = cells[i].strip().replace("`", "");
		}
		String becomes = cells[4].equals("the same") ? cells[2] : cells[4];
		return new ProtocolCase(line, cells[1], redisAlone, cells[2], cells[3], becomes, cells[5], cells[6]);
	}

	@Override
	public String toString() {
		return this.line + ": " + this.command + ", " + this.name;
	}

}
