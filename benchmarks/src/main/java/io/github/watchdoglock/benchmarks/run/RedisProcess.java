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

package io.github.watchdoglock.benchmarks.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis in a process of its own, which writes nothing to disk.
 *
 * @param program what was started
 * @param process the process
 * @param port where it listens
 */
record RedisProcess(String program, Process process, int port) implements AutoCloseable {

	private static final int TRIES = 100;

	/*
	 * Replicas come and go: none writes to disk or is waited for, and what is kept for
	 * one that is gone burdens nobody.
	 */
	private static final List<String> OPTIONS = List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
			"--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0", "--repl-diskless-load", "on-empty-db",
			"--repl-backlog-ttl", "1");

	/* The one that is named, or the one that a jar brings. */
	static RedisProcess start(@Nullable String executable, Path log) throws IOException, InterruptedException {
		String program = (executable != null) ? executable
				: ExecutableProvider.newJarResourceProvider().get().getPath();
		return start(program, log, List.of());
	}

	/* One more of the same program, which follows this one. */
	RedisProcess startReplica(Path log) throws IOException, InterruptedException {
		return start(this.program, log, List.of("--replicaof", "127.0.0.1", String.valueOf(this.port)));
	}

	private static RedisProcess start(String program, Path log, List<String> options)
			throws IOException, InterruptedException {
		int port = freePort();
		List<String> command = new ArrayList<>(List.of(program, "--port", String.valueOf(port), "--dir",
				String.valueOf(log.toAbsolutePath().getParent())));
		command.addAll(OPTIONS);
		command.addAll(options);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
		for (int i = 0; i < TRIES; i++) {
			if (listens(port)) {
				return new RedisProcess(program, process, port);
			}
			if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
				break;
			}
		}
		throw new IllegalStateException("'" + program + "' did not start; it said: " + Files.readString(log));
	}

	private static boolean listens(int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Override
	public void close() {
		this.process.destroy();
	}

}
