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

package io.github.watchdoglock.topology.failover;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import redis.embedded.core.ExecutableProvider;

/**
 * A server or sentinel of this machine: the embedded one, unless
 * {@code -Dredis.executable} or the environment names another.
 *
 * @param directory its own
 * @param port where it listens, on the loopback address
 * @param sentinel whether it is a sentinel
 */
record ServerSpec(Path directory, int port, boolean sentinel) {

	Process start(List<String> settings) {
		try {
			Path file = this.directory.resolve(this.port + ".conf");
			if (!Files.exists(file)) {
				Files.writeString(file, String.join("\n",
						List.of("port " + this.port, "bind 127.0.0.1", "protected-mode no", "dir " + this.directory,
								"logfile " + this.directory.resolve(this.port + ".log"), String.join("\n", settings)))
						+ "\n");
			}
			return new ProcessBuilder(this.sentinel ? List.of(executable().getPath(), file.toString(), "--sentinel")
					: List.of(executable().getPath(), file.toString()))
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static synchronized File executable() throws IOException {
		String named = System.getProperty("redis.executable", System.getenv("EMBEDDED_REDIS_EXECUTABLE"));
		return (named != null) ? new File(named) : Embedded.FILE;
	}

	static void end(Process process) {
		process.destroyForcibly();
		try {
			process.waitFor(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Unpacked once.
	 */
	private static final class Embedded {

		private static final File FILE = unpack();

		private static File unpack() {
			try {
				return ExecutableProvider.newJarResourceProvider().get();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
