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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.watchdoglock.pages.Marker.Kind;

import org.springframework.util.function.ThrowingSupplier;

/**
 * A check that each block has a marker, that blocks with commands say how they are run,
 * and that CI runs the commands for which pages say so.
 */
final class Commands {

	private static final Pattern SEPARATOR = Pattern.compile("&&|\\|\\||[();|]|\\R");

	private static final Pattern MANNERS = Pattern.compile(" (?:-B|-ntp|-q|-o|\"\\$@\"|</dev/null)(?= |$)");

	/* The syntax of commands in .ci/steps. */
	private static final Pattern STEP = Pattern.compile("^(?:step \"[^\"]*\" )?maven ");

	private final Set<String> runByCi;

	Commands(Path root) {
		this.runByCi = runBy(root.resolve(".ci/run"));
	}

	private static Set<String> runBy(Path script) {
		String text = ThrowingSupplier.of(() -> Files.readString(script)).get().replaceAll("\\\\\\R\\s*", "");
		return SEPARATOR.splitAsStream(text).map(Commands::plain).collect(Collectors.toSet());
	}

	private static String plain(String command) {
		String bare = STEP.matcher(command.strip()).replaceFirst("mvn ");
		return MANNERS.matcher(bare).replaceAll("");
	}

	List<Problem> problems(Page page) {
		List<Problem> problems = new ArrayList<>();
		for (Block block : page.blocks()) {
			switch (block.language()) {
				case "" -> problems.add(block.problem("this block has no language: console, sh, text, …"));
				case "bash", "shell" ->
					problems.add(block.problem("commands are 'sh', or 'console' with their output"));
				case "console", "sh" -> problems.addAll(problems(block));
				case "text" -> {
					if (block.lines().stream().anyMatch((line) -> line.startsWith("$ "))) {
						problems.add(block.problem("a command in a block of text"));
					}
				}
				default -> {
				}
			}
		}
		return problems;
	}

	private List<Problem> problems(Block block) {
		Kind kind = block.marker().kind();
		if (kind == Kind.NONE || kind == Kind.NOT_COMPILED) {
			return List
				.of(block.problem("nothing is said of how these commands are run: <!-- run --> or the like is to "
						+ "stand on the line before"));
		}
		List<Command> commands = Command.in(block);
		if (commands.isEmpty()) {
			return List.of(block.problem("a block of commands without a command"));
		}
		if (kind != Kind.RUN_BY_CI) {
			return List.of();
		}
		return commands.stream()
			.filter((command) -> !isRunByCi(command.text()))
			.map((command) -> command.problem("CI does not run '" + command.text() + "'"))
			.toList();
	}

	private boolean isRunByCi(String command) {
		return this.runByCi.contains(plain(command));
	}

}
