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

package io.github.watchdoglock.fence;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The JVM of an instance, as seen from the test.
 */
final class TortureProcess implements AutoCloseable {

	final int number;

	private final Process process;

	private final PrintStream commands;

	private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();

	private final Path log;

	private @Nullable Process pause;

	TortureProcess(int number, String url, int redis, Path folder, Queue<TortureEvent> events) throws IOException {
		this.number = number;
		this.log = folder.resolve("instance-" + number + ".log");
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		this.process = new ProcessBuilder(java, "-Xmx96m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote", "-cp",
				System.getProperty("java.class.path"), TortureInstance.class.getName(), "" + number, url, "" + redis)
			.redirectError(this.log.toFile())
			.start();
		// Also if the process is paused, and does not notice the end of its input.
		Runtime.getRuntime().addShutdownHook(new Thread(this.process::destroyForcibly));
		this.commands = new PrintStream(this.process.getOutputStream(), true, StandardCharsets.UTF_8);
		Thread reader = new Thread(() -> read(this.process.inputReader(StandardCharsets.UTF_8), events));
		reader.setDaemon(true);
		reader.start();
	}

	private void read(BufferedReader output, Queue<TortureEvent> events) {
		output.lines().forEach((line) -> {
			if (line.startsWith("event ")) {
				events.add(TortureEvent.parse(line, this.number));
			}
			else {
				this.replies.add(line);
			}
		});
		this.replies.add("nothing more, since it has ended");
	}

	void send(String command) {
		this.commands.println(command);
	}

	void expect(String reply) throws InterruptedException {
		String line = this.replies.poll(60, TimeUnit.SECONDS);
		if (!("reply " + reply).equals(line)) {
			throw new IllegalStateException(
					"Instance " + this.number + " answers " + line + ", not " + reply + ". See " + this.log);
		}
	}

	/*
	 * Send SIGSTOP and, later, SIGCONT: in between the JVM does nothing, and its
	 * connections stay open. A process that survives this one sends them. Returns false
	 * if the JVM is already paused.
	 */
	boolean pause(int millis) throws IOException {
		if (this.pause != null && this.pause.isAlive()) {
			return false;
		}
		this.pause = new ProcessBuilder("sh", "-c", "kill -STOP $0 && sleep $1 && kill -CONT $0",
				"" + this.process.pid(), "" + millis / 1_000.0)
			.inheritIO()
			.start();
		return true;
	}

	void awaitResumption() throws InterruptedException {
		if (this.pause != null && this.pause.waitFor() != 0) {
			throw new IllegalStateException("Instance " + this.number + " has ended. See " + this.log);
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

}
