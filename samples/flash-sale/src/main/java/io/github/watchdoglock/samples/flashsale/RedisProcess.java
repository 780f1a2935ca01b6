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

package io.github.watchdoglock.samples.flashsale;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A Redis that this instance has started and that keeps no data. Thread-safe.
 */
public final class RedisProcess {

	private static final int CONNECT_TIMEOUT_MILLIS = 500;

	private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

	private final List<String> command;

	private final String host;

	private final int port;

	private final Path output;

	private Process process;

	private boolean stopped;

	/*
	 * Not with RedisServer.start(), whose shutdown hook stops Redis while it is in use.
	 */
	RedisProcess(List<String> command, String host, int port) throws IOException {
		this.command = command;
		this.host = host;
		this.port = port;
		this.output = Files.createTempFile("flash-sale-redis", ".log");
		this.output.toFile().deleteOnExit();
		this.process = start();
	}

	private Process start() throws IOException {
		return new ProcessBuilder(this.command).redirectErrorStream(true).redirectOutput(this.output.toFile()).start();
	}

	/*
	 * Return whether this process listens, and not that of another instance, which may
	 * have got the port first.
	 */
	synchronized boolean awaitListening() throws IOException, InterruptedException {
		long start = System.nanoTime();
		boolean exited;
		do {
			exited = this.process.waitFor(100, TimeUnit.MILLISECONDS);
			if (listens(this.host, this.port)) {
				return this.process.isAlive();
			}
		}
		while (!exited && System.nanoTime() - start < START_TIMEOUT.toNanos());
		this.process.destroyForcibly();
		throw unavailable(this.host, this.port, Files.readString(this.output), null);
	}

	/**
	 * Kill Redis, and start it again without its data.
	 * @throws IOException if it does not start
	 * @throws InterruptedException if the thread is interrupted
	 */
	public synchronized void restart() throws IOException, InterruptedException {
		if (this.stopped) {
			throw new IllegalStateException("Redis is stopped");
		}
		this.process.destroyForcibly().waitFor();
		this.process = start();
		if (!awaitListening()) {
			throw new IllegalStateException("Another process has the port of Redis now");
		}
	}

	synchronized void stop() {
		this.stopped = true;
		this.process.destroy();
	}

	static boolean listens(String host, int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MILLIS);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	static IllegalStateException unavailable(String host, int port, @Nullable String said, @Nullable Throwable cause) {
		return new IllegalStateException("No Redis listens at " + host + ":" + port
				+ ", and none could be started. Start one there, or set EMBEDDED_REDIS_EXECUTABLE to a redis-server."
				+ " Result of the attempt: " + said, cause);
	}

}
