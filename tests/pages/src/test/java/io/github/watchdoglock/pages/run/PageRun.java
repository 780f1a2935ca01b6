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

package io.github.watchdoglock.pages.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import io.github.watchdoglock.pages.Block;
import io.github.watchdoglock.pages.Command;
import io.github.watchdoglock.pages.Marker.Kind;
import io.github.watchdoglock.pages.Page;
import io.github.watchdoglock.pages.Problem;
import io.github.watchdoglock.pages.run.Shell.Result;

/**
 * Runs the commands of a page one after the other, until one does not have the result on
 * the page. A command that starts the sample keeps running while the following ones run.
 */
final class PageRun {

	private static final String SAMPLE = "java -jar samples/flash-sale/target/flash-sale-*.jar";

	private static final String READY = "Started FlashSaleApplication";

	private static final Pattern STARTS_SAMPLE = Pattern
		.compile("(?s).*(?:-Psample spring-boot:run|-jar samples/flash-sale/target/).*");

	/* Tools that some pages need, but not the build. */
	private static final List<String> TOOLS = List.of("curl", "docker", "jq", "redis-cli");

	private final Shell shell;

	private final List<String> log = new ArrayList<>();

	private boolean sampleRuns;

	PageRun(Shell shell) {
		this.shell = shell;
	}

	/**
	 * Run the commands of a page.
	 * @param page a page, with or without commands that are run
	 * @return its problem, if there is one
	 */
	Optional<Problem> run(Page page) {
		for (Block block : page.blocks()) {
			if (!block.isCommands() || !block.marker().isRun()) {
				continue;
			}
			for (Command command : Command.in(block)) {
				Optional<String> missing = missing(command.text());
				if (missing.isPresent()) {
					log(command, "not run, nor what follows on the page, since there is no " + missing.get() + ": ");
					return Optional.empty();
				}
				Optional<Problem> problem = run(command, block.marker().kind() == Kind.RUN_SAMPLE);
				if (problem.isPresent()) {
					return problem;
				}
			}
		}
		return Optional.empty();
	}

	private Optional<String> missing(String command) {
		return TOOLS.stream()
			.filter((tool) -> command.matches("(?s)(?:.*[|;&( ])?" + tool + " .*"))
			.filter((tool) -> this.shell.run("command -v " + tool).status() != 0)
			.findFirst();
	}

	private Optional<Problem> run(Command command, boolean beside) {
		boolean starts = STARTS_SAMPLE.matcher(command.text()).matches();
		if (beside && !starts && !this.sampleRuns) {
			Result sample = startSample(SAMPLE);
			if (!this.sampleRuns) {
				return Optional.of(problem(command, "can't be run: the sample does not start", sample));
			}
		}
		log(command, "");
		Result result = starts ? startSample(command.text()) : this.shell.run(command.text());
		if (!result.inTime()) {
			return Optional.of(problem(command, "takes too long", result));
		}
		if (result.status() != 0) {
			return Optional.of(problem(command, "ends with status " + result.status(), result));
		}
		List<String> shown = command.output();
		if (shown != null && !Printed.matches(shown, command.numbersVary(), result.output())) {
			return Optional.of(problem(command, "prints something else than\n" + String.join("\n", shown), result));
		}
		return Optional.empty();
	}

	private Result startSample(String command) {
		Result result = this.shell.start(command, READY);
		this.sampleRuns |= result.output().contains(READY);
		return result;
	}

	private void log(Command command, String remark) {
		this.log.add(command.page() + ":" + command.line() + ": " + remark + command.text());
	}

	private static Problem problem(Command command, String what, Result result) {
		return command.problem("'" + command.text() + "' " + what + "\nIt has printed\n" + result.output());
	}

	/**
	 * Return the commands that were run.
	 * @return a line for each command
	 */
	List<String> log() {
		return this.log;
	}

}
