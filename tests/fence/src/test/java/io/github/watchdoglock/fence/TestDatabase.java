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

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

import org.springframework.util.FileSystemUtils;
import org.springframework.util.function.ThrowingSupplier;

/**
 * The databases of the tests: H2, and the servers that are installed on the machine. Each
 * is started when it is first used, and ends with the JVM.
 */
enum TestDatabase {

	H2 {

		@Override
		boolean isInstalled() {
			return true;
		}

		@Override
		String start() {
			return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;USER=sa";
		}

	},

	POSTGRESQL {

		@Override
		boolean isInstalled() {
			return postgresql() != null;
		}

		@Override
		String start() throws Exception {
			Path directory = directory();
			List<String> user = List.of();
			if (isRoot()) {
				// The server refuses to run as root.
				run(List.of("chown", "postgres", directory.toString()));
				user = List.of("runuser", "-u", "postgres", "--");
			}
			String data = directory.resolve("data").toString();
			run(join(user, postgresql() + "/initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E",
					"UTF8"));
			int port = freePort();
			begin(directory,
					join(user, postgresql() + "/postgres", "-D", data, "-p", "" + port, "-k", directory.toString(),
							"-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=200"));
			return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
		}

	},

	MARIADB {

		@Override
		boolean isInstalled() {
			return find("mariadbd") != null && find("mariadb-install-db") != null;
		}

		@Override
		String start() throws Exception {
			Path directory = directory();
			String data = directory.resolve("data").toString();
			List<String> user = isRoot() ? List.of("--user=root") : List.of();
			run(join(List.of(find("mariadb-install-db"), "--no-defaults", "--datadir=" + data), user));
			int port = freePort();
			begin(directory, join(List.of(find("mariadbd"), "--no-defaults", "--datadir=" + data, "--port=" + port,
					"--bind-address=127.0.0.1", "--socket=" + directory.resolve("socket"), "--skip-grant-tables",
					"--innodb-flush-log-at-trx-commit=0", "--pid-file=" + directory.resolve("pid")), user));
			return "jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=root";
		}

	},

	/** In a container, only with -Dtests=containers. */
	MYSQL {

		@Override
		boolean isInstalled() {
			return System.getProperty("tests", "").equals("containers");
		}

		/* The database ends with the JVM, as the servers do. */
		@Override
		@SuppressWarnings("resource")
		String start() {
			String parameters = "?user=root&allowPublicKeyRetrieval=true&useSSL=false";
			GenericContainer<?> server = new GenericContainer<>(System.getProperty("mysql.image", "mysql:8.4"))
				.withEnv("MYSQL_ALLOW_EMPTY_PASSWORD", "yes")
				.withEnv("MYSQL_ROOT_HOST", "%")
				.withExposedPorts(3306);
			server.start();
			return "jdbc:mysql://" + server.getHost() + ":" + server.getMappedPort(3306) + "/mysql" + parameters;
		}

	};

	private static final Duration STARTUP = Duration.ofSeconds(60);

	private static final Map<TestDatabase, String> STARTED = new EnumMap<>(TestDatabase.class);

	abstract boolean isInstalled();

	abstract String start() throws Exception;

	static Stream<TestDatabase> installed() {
		return Stream.of(values()).filter((database) -> {
			if (!database.isInstalled() && database != MYSQL) {
				System.out.println("Not run on " + database + ", which this machine does not have");
			}
			return database.isInstalled();
		});
	}

	/* Return the URL of a database that accepts connections, which tests share. */
	String url() {
		return STARTED.computeIfAbsent(this, TestDatabase::started);
	}

	private static String started(TestDatabase database) {
		try {
			String url = database.start();
			Awaitility.await().atMost(STARTUP).ignoreExceptions().until(() -> accepts(url));
			return url;
		}
		catch (Exception ex) {
			throw new IllegalStateException(database + " does not start", ex);
		}
	}

	private static boolean accepts(String url) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url)) {
			return connection.isValid(1);
		}
	}

	private static @Nullable String postgresql() {
		try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
			return versions.map((version) -> version.resolve("bin"))
				.filter((bin) -> Files.isExecutable(bin.resolve("postgres")))
				.sorted()
				.map(Path::toString)
				.reduce((first, second) -> second)
				.orElse(null);
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static @Nullable String find(String program) {
		return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin")
			.map((place) -> Path.of(place, program))
			.filter(Files::isExecutable)
			.map(Path::toString)
			.findFirst()
			.orElse(null);
	}

	private static boolean isRoot() {
		return "root".equals(System.getProperty("user.name"));
	}

	private static Path directory() {
		Path directory = ThrowingSupplier.of(() -> Files.createTempDirectory("database")).get();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(directory.toFile())));
		return directory;
	}

	static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private static List<String> join(List<String> first, String... second) {
		return join(first, List.of(second));
	}

	private static List<String> join(List<String> first, List<String> second) {
		List<String> all = new ArrayList<>(first);
		all.addAll(second);
		return all;
	}

	private static void run(List<String> command) throws Exception {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IllegalStateException(command + " failed: " + output);
		}
	}

	private static void begin(Path directory, List<String> command) throws IOException {
		Process server = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(directory.resolve("log").toFile())
			.start();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			server.descendants().forEach(ProcessHandle::destroyForcibly);
			server.destroyForcibly();
		}));
	}

}
