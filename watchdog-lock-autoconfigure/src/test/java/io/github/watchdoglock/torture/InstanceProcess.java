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

package io.github.watchdoglock.torture;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.fault.ServerProcess;

/**
 * An instance in a JVM of its own, as seen from the test, with a proxy of its own. It may
 * be killed and started again. For one thread.
 */
final class InstanceProcess implements AutoCloseable {

	/* In minutes; each instance has a different retention. */
	private static final int MAX_RETENTION = 10;

	final int number;

	final FaultProxy proxy;

	private final Path folder;

	private final String rate;

	private final Variant variant;

	/* The seeded bug whose workload the instance runs. */
	private final Variant workload;

	private final String classPath;

	private final long seed;

	private int life;

	private Process process;

	private BufferedReader replies;

	private PrintStream commands;

	private Path file;

	private long read;

	InstanceProcess(int number, int redis, Path folder, double rate, Variant variant, Variant workload, long seed,
			Path scripts) {
		this.number = number;
		this.proxy = FaultProxy.to(redis);
		this.folder = folder;
		this.rate = String.valueOf(rate);
		this.variant = variant;
		this.workload = workload;
		this.seed = seed;
		this.classPath = scripts + File.pathSeparator + System.getProperty("java.class.path");
	}

	/* Start the process; the instance waits until it receives the start command. */
	void begin() throws IOException {
		this.life++;
		this.read = 0;
		this.file = this.folder.resolve("instance-" + this.number + "-" + this.life + ".txt");
		Files.createFile(this.file);
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		this.process = new ProcessBuilder(java, "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
				this.classPath, TortureInstance.class.getName(), String.valueOf(this.proxy.port()),
				this.file.toString(), this.rate, this.variant.name(), this.workload.name(),
				String.valueOf(this.seed + this.life * 1_000L), this.folder.getFileName().toString(),
				String.valueOf(MAX_RETENTION - this.number))
			.redirectError(new File(this.folder.toFile(), "instance-" + this.number + "-" + this.life + ".log"))
			.start();
		this.replies = this.process.inputReader(StandardCharsets.UTF_8);
		this.commands = new PrintStream(this.process.getOutputStream(), true, StandardCharsets.UTF_8);
	}

	String ask(String command) throws IOException {
		this.commands.println(command);
		String reply = this.replies.readLine();
		if (reply == null) {
			throw new IllegalStateException("instance " + this.number + " has died: see its log in " + this.folder);
		}
		return reply;
	}

	/* All processes must share one clock, or their logs cannot be merged. */
	void checkClock() throws IOException {
		long before = System.nanoTime();
		long there = Long.parseLong(ask("clock"));
		long after = System.nanoTime();
		if (before > there || there > after) {
			throw new IllegalStateException("System.nanoTime() differs between processes: " + there
					+ " was read between " + before + " and " + after);
		}
	}

	void freeze() {
		new ServerProcess(this.process.pid()).freeze();
	}

	void thaw() {
		new ServerProcess(this.process.pid()).thaw();
	}

	/* SIGKILL: the process has ended when this returns, and its log is complete. */
	void kill() throws InterruptedException {
		this.process.destroyForcibly();
		if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
			throw new IllegalStateException("still alive: " + this.process.pid());
		}
	}

	/* Read the complete lines that were written since the last call. */
	void readInto(History history) throws IOException {
		byte[] bytes;
		try (InputStream in = Files.newInputStream(this.file)) {
			in.skipNBytes(this.read);
			bytes = in.readAllBytes();
		}
		int from = 0;
		for (int at = 0; at < bytes.length; at++) {
			if (bytes[at] == '\n') {
				history.read(this.number, this.life, new String(bytes, from, at - from, StandardCharsets.UTF_8));
				from = at + 1;
			}
		}
		this.read += from;
	}

	@Override
	public void close() {
		if (this.process != null) {
			this.process.destroyForcibly();
		}
		this.proxy.close();
	}

}
