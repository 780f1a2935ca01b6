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

package io.github.watchdoglock.pages;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A check for measured figures whose commit is no longer recent. A page names the commit
 * as {@code commit `0123abc`}, a table of the benchmarks behind the version.
 */
final class Figures {

	/* After this number of commits a figure may no longer be true. */
	private static final int RECENT = 50;

	private static final Pattern COMMIT = Pattern
		.compile("(?:commit|提交) `([0-9a-f]{7,40})`|\\d(?:-SNAPSHOT)? \\(([0-9a-f]{7,40})(?:-dirty)?\\)");

	/* The number of commits after a commit; empty if it is unknown. */
	private final Function<String, OptionalInt> age;

	Figures(Path root) {
		this((commit) -> age(root, commit));
	}

	Figures(Function<String, OptionalInt> age) {
		this.age = age;
	}

	List<Problem> problems(Page page) {
		List<Problem> problems = new ArrayList<>();
		List<String> lines = page.text().lines().toList();
		for (int i = 0; i < lines.size(); i++) {
			Matcher found = COMMIT.matcher(lines.get(i));
			while (found.find()) {
				String commit = (found.group(1) != null) ? found.group(1) : found.group(2);
				int age = this.age.apply(commit).orElse(0);
				if (age > RECENT) {
					problems.add(new Problem(page.name(), i + 1, "figures were measured on commit " + commit + ", "
							+ age + " commits ago. Measure them again with benchmarks/run."));
				}
			}
		}
		return problems;
	}

	/* Without a history, or without git, no figure is known to be old. */
	static OptionalInt age(Path root, String commit) {
		try {
			Process git = new ProcessBuilder("git", "rev-list", "--count", commit + "..HEAD").directory(root.toFile())
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			return (git.waitFor() == 0) ? OptionalInt.of(Integer.parseInt(answer)) : OptionalInt.empty();
		}
		catch (IOException ex) {
			return OptionalInt.empty();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return OptionalInt.empty();
		}
	}

}
