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

package io.github.watchdoglock.leader;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.fault.ServerProcess;

/**
 * A {@link LeaderProcess} as seen from the test, with a proxy of its own.
 */
final class LeaderChild implements AutoCloseable {

	final FaultProxy proxy;

	private final Path file;

	private final Process process;

	private final PrintStream commands;

	/** Start the process; its output is added to the queue. */
	LeaderChild(int redis, Path folder, BlockingQueue<Said> heard) throws IOException {
		this.proxy = FaultProxy.to(redis);
		this.file = Files.createTempFile(folder, "moments", ".txt");
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				LeaderProcess.class.getName(), String.valueOf(this.proxy.port()), this.file.toString())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		this.commands = new PrintStream(this.process.getOutputStream(), true, StandardCharsets.UTF_8);
		Thread reader = new Thread(() -> read(heard), "leader-child");
		reader.setDaemon(true);
		reader.start();
	}

	private void read(BlockingQueue<Said> heard) {
		try (BufferedReader lines = this.process.inputReader(StandardCharsets.UTF_8)) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				heard.add(Said.of(this, line));
			}
		}
		catch (IOException ex) {
			// The process was killed.
		}
	}

	void say(String command) {
		this.commands.println(command);
	}

	ServerProcess process() {
		return new ServerProcess(this.process.pid());
	}

	/**
	 * Kill the process and return the time of the signal; the process has ended when this
	 * returns.
	 */
	long kill() throws InterruptedException {
		long now = System.nanoTime();
		this.process.destroyForcibly();
		this.process.waitFor(10, TimeUnit.SECONDS);
		return now;
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** Return the moments in which the process led. */
	List<Moment> moments() throws IOException {
		try (Stream<String> lines = Files.lines(this.file)) {
			return lines.filter((line) -> line.matches("\\d+ \\d+"))
				.map((line) -> line.split(" ", -1))
				.map((words) -> new Moment(Long.parseLong(words[0]), Long.parseLong(words[1])))
				.toList();
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		this.proxy.close();
	}

	/**
	 * A moment in which an instance led.
	 *
	 * @param term the number of the term
	 * @param nanos when
	 */
	record Moment(long term, long nanos) {

	}

	/**
	 * A line that an instance printed.
	 *
	 * @param by the instance
	 * @param what the event
	 * @param term the number of the term
	 * @param nanos when
	 * @param more the rest of the line
	 */
	record Said(LeaderChild by, String what, long term, long nanos, String more) {

		static Said of(LeaderChild by, String line) {
			String[] words = line.split(" ", -1);
			return new Said(by, words[0], Long.parseLong(words[1]), Long.parseLong(words[2]),
					(words.length > 3) ? words[3] : "");
		}

	}

}
