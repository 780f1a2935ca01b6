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

package io.github.watchdoglock.migration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The JVM of an instance, as seen from the test.
 */
final class InstanceProcess implements AutoCloseable {

	private final Process process;

	private final AtomicInteger sections = new AtomicInteger();

	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	private final CompletableFuture<Void> stopped = new CompletableFuture<>();

	InstanceProcess(Generation generation, int redisPort, Queue<Section> sections) throws IOException {
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx96m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+UnlockDiagnosticVMOptions",
				"-XX:-BytecodeVerificationRemote", "-cp", System.getProperty("java.class.path"),
				MigratingInstance.class.getName(), generation.name(), "" + redisPort)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		Thread reader = new Thread(() -> read(this.process.inputReader(), sections));
		reader.setDaemon(true);
		reader.start();
	}

	private void read(BufferedReader output, Queue<Section> sections) {
		output.lines().forEach((line) -> {
			switch (line) {
				case MigratingInstance.READY -> this.ready.complete(null);
				case MigratingInstance.STOPPED -> this.stopped.complete(null);
				default -> {
					sections.add(Section.parse(line));
					this.sections.incrementAndGet();
				}
			}
		});
		IOException ended = new IOException("The instance has ended");
		this.ready.completeExceptionally(ended);
		this.stopped.completeExceptionally(ended);
	}

	/* Begin to work, after the start. */
	void work() throws Exception {
		this.ready.get(180, TimeUnit.SECONDS);
		OutputStream input = this.process.getOutputStream();
		input.write('\n');
		input.flush();
	}

	int sections() {
		return this.sections.get();
	}

	/* Stop after the running sections. */
	void stop() throws Exception {
		this.process.getOutputStream().close();
		this.stopped.get(60, TimeUnit.SECONDS);
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
