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

package io.github.watchdoglock.samples.flashsale.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.stereotype.Component;

/**
 * A component that pauses the process of this instance for longer than its leases last,
 * as the operating system or a virtual machine may do.
 */
@Component
class ProcessPauser {

	static final int SECONDS = 6;

	private static final Path SHELL = Path.of("/bin/sh");

	/* The first process of a container cannot be paused from inside. */
	static boolean isPossible() {
		return Files.isExecutable(SHELL) && ProcessHandle.current().pid() != 1;
	}

	/*
	 * A shell continues the process, and a Ctrl-C in the meantime must not end that
	 * shell.
	 */
	void pause() throws IOException {
		long pid = ProcessHandle.current().pid();
		String script = "trap '' HUP INT TERM; kill -STOP %d; sleep %d; kill -CONT %d".formatted(pid, SECONDS, pid);
		new ProcessBuilder(SHELL.toString(), "-c", script).start();
	}

}
