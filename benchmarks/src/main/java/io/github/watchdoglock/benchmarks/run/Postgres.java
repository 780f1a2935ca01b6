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
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL of the machine's packages, with its default settings, so that commits wait
 * for the disk. It ends with the JVM.
 *
 * @param url its URL
 * @param version its version
 */
record Postgres(String url, String version) {

	private static final Path PROGRAMS = Path.of("/usr/lib/postgresql");

	/* Return null if PostgreSQL is not installed. */
	static @Nullable Postgres start() throws IOException, InterruptedException {
		Path programs = programs();
		if (programs == null) {
			return null;
		}
		Path folder = Files.createTempDirectory("benchmarks");
		List<String> user = List.of();
		if (System.getProperty("user.name").equals("root")) {
			// The server does not run as root.
			run(List.of(), "chown", "postgres", folder.toString());
			user = List.of("runuser", "-u", "postgres", "--");
		}
		String data = folder.resolve("data").toString();
		String control = programs.resolve("pg_ctl").toString();
		run(user, programs.resolve("initdb").toString(), "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8");
		int port = freePort();
		run(user, control, "-D", data, "-w", "-l", folder.resolve("log").toString(), "-o",
				"-p " + port + " -k " + folder + " -c listen_addresses=127.0.0.1", "start");
		List<String> owner = user;
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			try {
				run(owner, control, "-D", data, "-m", "immediate", "stop");
			}
			catch (IOException | InterruptedException ex) {
				System.err.println("PostgreSQL was not stopped: " + ex);
			}
			FileSystemUtils.deleteRecursively(folder.toFile());
		}));
		String version = run(List.of(), programs.resolve("postgres").toString(), "--version");
		return new Postgres("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres",
				version.replaceFirst("^\\D*(\\S+).*", "$1").strip());
	}

	/* The programs of the latest version, as Debian's packages install them. */
	private static @Nullable Path programs() throws IOException {
		if (!Files.isDirectory(PROGRAMS)) {
			return null;
		}
		try (Stream<Path> versions = Files.list(PROGRAMS)) {
			return versions.map((version) -> version.resolve("bin"))
				.filter((bin) -> Files.isExecutable(bin.resolve("postgres")))
				.sorted()
				.reduce((first, second) -> second)
				.orElse(null);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/* The output goes through a file, because the server would keep a pipe open. */
	private static String run(List<String> user, String... command) throws IOException, InterruptedException {
		List<String> all = new ArrayList<>(user);
		all.addAll(List.of(command));
		Path output = Files.createTempFile("benchmarks", ".log");
		try {
			Process process = new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output.toFile()).start();
			int status = process.waitFor();
			String text = Files.readString(output, StandardCharsets.UTF_8);
			if (status != 0) {
				throw new IllegalStateException(all + " failed: " + text);
			}
			return text;
		}
		finally {
			Files.delete(output);
		}
	}

}
