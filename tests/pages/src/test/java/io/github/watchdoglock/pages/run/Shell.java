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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands in a folder, and stops those that still run when it is closed.
 */
final class Shell implements AutoCloseable {

	private static final Duration GRACE = Duration.ofSeconds(10);

	private final Path folder;

	private final Map<String, String> environment;

	private final Duration timeout;

	private final Deque<Process> started = new ArrayDeque<>();

	/**
	 * Create a shell.
	 * @param folder the folder of the commands
	 * @param environment variables in addition to those of this JVM
	 * @param timeout how long one command may take
	 */
	Shell(Path folder, Map<String, String> environment, Duration timeout) {
		this.folder = folder;
		this.environment = environment;
		this.timeout = timeout;
	}

	/**
	 * Run a command to its end.
	 * @param command as it is typed
	 * @return its result
	 */
	Result run(String command) {
		return begin(command, (process, output) -> {
			boolean ended = process.waitFor(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
			if (!ended) {
				stop(process);
			}
			return new Result(ended, ended ? process.exitValue() : -1, Files.readString(output));
		});
	}

	/**
	 * Start a command that keeps running.
	 * @param command as it is typed
	 * @param ready the output that says that it is ready
	 * @return its result so far: in time if it is ready
	 */
	Result start(String command, String ready) {
		return begin(command, (process, output) -> {
			this.started.push(process);
			long start = System.nanoTime();
			boolean ended;
			String printed;
			do {
				ended = process.waitFor(100, TimeUnit.MILLISECONDS);
				printed = Files.readString(output);
			}
			while (!ended && !printed.contains(ready) && System.nanoTime() - start < this.timeout.toNanos());
			boolean inTime = printed.contains(ready);
			return new Result(inTime || ended, ended ? process.exitValue() : 0, printed);
		});
	}

	private Result begin(String command, Ending ending) {
		try {
			Path output = Files.createTempFile("pages", ".log");
			ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(this.folder.toFile())
				.redirectInput(Path.of("/dev/null").toFile())
				.redirectErrorStream(true)
				.redirectOutput(output.toFile());
			builder.environment().putAll(this.environment);
			try {
				return ending.await(builder.start(), output);
			}
			finally {
				Files.delete(output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while '" + command + "' ran", ex);
		}
	}

	@Override
	public void close() {
		this.started.forEach(Shell::stop);
		this.started.clear();
	}

	private static void stop(Process process) {
		List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
		all.add(process.toHandle());
		all.forEach(ProcessHandle::destroy);
		CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
			.completeOnTimeout(null, GRACE.toMillis(), TimeUnit.MILLISECONDS)
			.join();
		all.forEach(ProcessHandle::destroyForcibly);
	}

	/**
	 * The result of a command.
	 *
	 * @param inTime whether it has ended, or is ready, in time
	 * @param status its exit status; 0 while it runs
	 * @param output its output, including errors
	 */
	record Result(boolean inTime, int status, String output) {

	}

	/**
	 * Waits for the expected end of a command.
	 */
	private interface Ending {

		Result await(Process process, Path output) throws IOException, InterruptedException;

	}

}
