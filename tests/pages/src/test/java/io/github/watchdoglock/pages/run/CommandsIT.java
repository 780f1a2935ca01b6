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

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.pages.Page;
import io.github.watchdoglock.pages.Pages;
import io.github.watchdoglock.pages.Problem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each command of a page that is marked to be run has the result on the page,
 * in a clone that is built and installed. They use port 8080.
 */
@Tag("commands")
class CommandsIT {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final Pages pages = Pages.ofThisProject();

	@TempDir
	private Path data;

	@Test
	void commandsOfPagesHaveDocumentedResults() throws IOException {
		List<String> log = new ArrayList<>();
		List<Problem> problems = new ArrayList<>();
		for (Page page : pages.all()) {
			try (Shell shell = new Shell(pages.root(), environment(page), TIMEOUT)) {
				Thread hook = new Thread(shell::close);
				Runtime.getRuntime().addShutdownHook(hook);
				PageRun run = new PageRun(shell);
				run.run(page).ifPresent(problems::add);
				log.addAll(run.log());
				Runtime.getRuntime().removeShutdownHook(hook);
			}
		}
		System.out.println("Commands that were run from the pages:");
		log.forEach((line) -> System.out.println("  " + line));
		assertThat(problems).isEmpty();
		assertThat(log).isNotEmpty();
	}

	/* The sample of each page is a new instance with a Redis of its own. */
	private Map<String, String> environment(Page page) throws IOException {
		String java = System.getProperty("java.home");
		Path shop = Files.createDirectories(this.data.resolve(page.name().replace('/', '_')));
		return Map.of("JAVA_HOME", java, "PATH", java + "/bin:" + System.getenv("PATH"), "MAVEN_OPTS",
				"-Dmaven.repo.local=" + System.getProperty("pages.repository"), "FLASH_SALE_DATA", shop.toString(),
				"SPRING_DATA_REDIS_PORT", String.valueOf(freePort()));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
