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
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import redis.embedded.core.ExecutableProvider;

import org.springframework.util.FileSystemUtils;

/**
 * A Redis that loses acknowledged writes: it is killed, and its successor at the same
 * port has an earlier copy of its data, or none.
 */
final class TortureRedis implements AutoCloseable {

	private final File executable;

	private final Path directory;

	private final int port = freePort();

	private Process process;

	TortureRedis() throws IOException {
		String named = System.getProperty("redis.executable", System.getenv("EMBEDDED_REDIS_EXECUTABLE"));
		this.executable = (named != null) ? new File(named) : ExecutableProvider.newJarResourceProvider().get();
		this.directory = Files.createTempDirectory("torture-redis");
		this.process = start();
		Runtime.getRuntime().addShutdownHook(new Thread(this::close));
		awaitReady();
	}

	int port() {
		return this.port;
	}

	private Process start() throws IOException {
		return new ProcessBuilder(this.executable.getPath(), "--port", "" + this.port, "--bind", "127.0.0.1", "--save",
				"", "--appendonly", "no", "--dir", this.directory.toString())
			.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("log").toFile())
			.start();
	}

	private void awaitReady() {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.ignoreExceptions()
			.until(() -> command("PING").equals("+PONG"));
	}

	/* Send a command whose words have no blanks. */
	String command(String words) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
				BufferedReader answer = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
			socket.getOutputStream().write((words + "\r\n").getBytes(StandardCharsets.UTF_8));
			String line = answer.readLine();
			if (line == null || line.startsWith("-")) {
				throw new IOException("Redis answers to " + words + ": " + line);
			}
			return line;
		}
	}

	void save() throws IOException {
		command("SAVE");
	}

	/* Fail over to the saved data, or to no data. */
	void failOver(boolean toCopy) throws Exception {
		this.process.destroyForcibly().waitFor();
		if (!toCopy) {
			Files.deleteIfExists(this.directory.resolve("dump.rdb"));
		}
		this.process = start();
		awaitReady();
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

	/*
	 * Below the ports that the system assigns to clients, which could use the port while
	 * the server is restarted.
	 */
	private static int freePort() {
		return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(22_000, 32_000))
			.filter(TortureRedis::isFree)
			.findFirst()
			.orElseThrow();
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
