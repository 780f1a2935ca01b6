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

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis in a process of its own, which writes nothing to disk.
 *
 * @param process the process
 * @param port where it listens
 */
record RedisProcess(Process process, int port) implements AutoCloseable {

	private static final int TRIES = 100;

	/* The one that is named, the one of the path, or the one that a jar brings. */
	static RedisProcess start(@Nullable String executable, Path log) throws IOException, InterruptedException {
		String program = (executable != null) ? executable : find();
		int port = freePort();
		Process process = new ProcessBuilder(program, "--port", String.valueOf(port), "--bind", "127.0.0.1", "--save",
				"", "--appendonly", "no")
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
		for (int i = 0; i < TRIES; i++) {
			if (listens(port)) {
				return new RedisProcess(process, port);
			}
			if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
				break;
			}
		}
		throw new IllegalStateException("'" + program + "' did not start; it said: " + Files.readString(log));
	}

	private static String find() throws IOException {
		String path = System.getenv().getOrDefault("PATH", "");
		return Stream.of(path.split(File.pathSeparator, -1))
			.map((folder) -> new File(folder, "redis-server"))
			.filter(File::canExecute)
			.findFirst()
			.orElseGet(RedisProcess::embedded)
			.getPath();
	}

	private static File embedded() {
		try {
			return ExecutableProvider.newJarResourceProvider().get();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
