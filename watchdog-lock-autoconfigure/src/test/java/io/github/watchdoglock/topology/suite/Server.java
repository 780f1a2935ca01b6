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

package io.github.watchdoglock.topology.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.watchdoglock.fault.ServerProcess;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisExecutable;
import io.github.watchdoglock.redis.RedisServerExtension;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * A server with a directory of its own, which listens on the loopback address.
 */
final class Server implements AutoCloseable {

	/* In its directory, where it runs. */
	private static final String SOCKET = "redis.sock";

	private final int port;

	private final Path directory;

	private final Process process;

	private final Thread atExit;

	private final LettuceConnectionFactory factory;

	private Server(int port, boolean sentinel, String... settings) {
		this.port = port;
		try {
			this.directory = Files.createTempDirectory("topology");
			List<String> lines = new ArrayList<>(List.of("port " + port, "bind 127.0.0.1", "dir " + this.directory));
			if (!sentinel) {
				lines.addAll(List.of("save \"\"", "appendonly no", "repl-diskless-sync-delay 0"));
			}
			lines.addAll(List.of(settings));
			this.process = start(lines, sentinel);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.atExit = new Thread(this.process::destroyForcibly);
		Runtime.getRuntime().addShutdownHook(this.atExit);
		this.factory = RedisServerExtension.factory(port);
	}

	static Server start(String... settings) {
		return new Server(RedisServerExtension.freePort(), false, settings).listening();
	}

	static Server startWithSocket() {
		return start("unixsocket " + SOCKET);
	}

	static Server sentinel(String... settings) {
		return new Server(RedisServerExtension.freePort(), true, settings).listening();
	}

	private Process start(List<String> lines, boolean sentinel) throws IOException {
		Path configuration = this.directory.resolve("server.conf");
		Files.write(configuration, lines);
		List<String> command = new ArrayList<>(
				List.of(RedisExecutable.file().getAbsolutePath(), configuration.toString()));
		if (sentinel) {
			command.add("--sentinel");
		}
		return new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("server.log").toFile())
			.start();
	}

	private Server listening() {
		await().atMost(Duration.ofSeconds(30)).until(() -> this.process.isAlive() ? answers() : failed());
		return this;
	}

	private boolean failed() throws IOException {
		throw new IllegalStateException(Files.readString(this.directory.resolve("server.log")));
	}

	/* Whatever it answers: it may want a password. */
	private boolean answers() {
		try {
			return !raw("PING").isEmpty();
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	/* On a connection of its own, and without a driver. The first bytes of the answer. */
	String raw(String command) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout(1_000);
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
			byte[] answer = new byte[1_024];
			return new String(answer, 0, Math.max(0, socket.getInputStream().read(answer)), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.port;
	}

	String address() {
		return "127.0.0.1:" + this.port;
	}

	Path socket() {
		return this.directory.resolve(SOCKET);
	}

	/* Connects as the user who may do everything. */
	LettuceConnectionFactory factory() {
		return this.factory;
	}

	RedisAdmin admin() {
		return new RedisAdmin(this.factory);
	}

	ServerProcess process() {
		return new ServerProcess(this.process.pid());
	}

	/* But for replicas. */
	void killClients() {
		Stream.of("normal", "pubsub").forEach((type) -> raw("CLIENT KILL TYPE " + type));
	}

	@Override
	public void close() {
		this.factory.destroy();
		this.process.destroyForcibly();
		try {
			if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
				throw new IllegalStateException("still there: " + this.process);
			}
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		Runtime.getRuntime().removeShutdownHook(this.atExit);
	}

}
