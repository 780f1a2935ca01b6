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

package io.github.watchdoglock.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import io.github.watchdoglock.fault.ServerProcess;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.function.ThrowingSupplier;

import static org.awaitility.Awaitility.await;

/**
 * A process of a Redis or of a sentinel, on a port of its own. It can be started again,
 * and is empty then.
 */
public class RedisServer implements AutoCloseable {

	private static final Set<Integer> GIVEN_PORTS = ConcurrentHashMap.newKeySet();

	private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

	private static @Nullable File embedded;

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
	}

	private final int port;

	private final boolean sentinel;

	private final List<String> settings;

	private final List<LettuceConnectionFactory> factories = new CopyOnWriteArrayList<>();

	private @Nullable RedisLocks locks;

	/* A server reads the files in its directory, such as a dump of another server. */
	private @Nullable Path directory;

	private @Nullable Process process;

	private RedisServer(int port, boolean sentinel, String... settings) {
		this.port = port;
		this.sentinel = sentinel;
		this.settings = List.of(settings);
	}

	/**
	 * Create a server that is not started.
	 * @param settings further lines of its configuration
	 */
	public RedisServer(String... settings) {
		this(freePort(), false, settings);
	}

	/**
	 * Start a server.
	 * @param settings further lines of its configuration
	 * @return the server, which accepts connections
	 */
	public static RedisServer started(String... settings) {
		RedisServer server = new RedisServer(settings);
		server.start();
		return server;
	}

	/**
	 * Start a sentinel.
	 * @param settings further lines of its configuration
	 * @return the sentinel, which accepts connections
	 */
	public static RedisServer sentinel(String... settings) {
		RedisServer sentinel = new RedisServer(freePort(), true, settings);
		sentinel.start();
		return sentinel;
	}

	/**
	 * Start the server without data.
	 * @param further lines of its configuration for this start only
	 */
	public final void start(String... further) {
		try {
			startIn(Files.createTempDirectory("redis-server"), further);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Stop the server and start it again with its data.
	 */
	public final void restartWithData() {
		admin().command("CONFIG", "SET", "save", "3600 1");
		Process process = Objects.requireNonNull(this.process);
		// SIGTERM: the server saves its data, because it is configured to save.
		process.destroy();
		process.onExit().join();
		try {
			startIn(Objects.requireNonNull(this.directory));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void startIn(Path directory, String... further) throws IOException {
		List<String> lines = new ArrayList<>(List.of("port " + this.port, "bind 127.0.0.1", "dir " + directory));
		if (!this.sentinel) {
			lines.addAll(List.of("save \"\"", "appendonly no", "repl-diskless-sync-delay 0"));
		}
		lines.addAll(this.settings);
		lines.addAll(List.of(further));
		Path configuration = Files.write(directory.resolve("server.conf"), lines);
		Path log = directory.resolve("server.log");
		List<String> command = new ArrayList<>(List.of(executable().getAbsolutePath(), configuration.toString()));
		if (this.sentinel) {
			command.add("--sentinel");
		}
		Process process = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		RUNNING.add(process);
		this.directory = directory;
		this.process = process;
		await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(10)).until(() -> {
			if (!process.isAlive()) {
				throw new IllegalStateException(Files.readString(log));
			}
			return isListening();
		});
	}

	private boolean isListening() {
		try {
			// An error is an answer as well: the server may require a password.
			return !admin().raw("PING").isEmpty();
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	/**
	 * Return the executable that tests start: the one that {@code -Dredis.executable} or
	 * the environment names, or else the embedded one.
	 * @return a file
	 */
	public static synchronized File executable() {
		String named = System.getProperty("redis.executable", System.getenv("EMBEDDED_REDIS_EXECUTABLE"));
		if (named != null) {
			return new File(named);
		}
		if (embedded == null) {
			embedded = ThrowingSupplier.of(() -> ExecutableProvider.newJarResourceProvider().get()).get();
		}
		return embedded;
	}

	/**
	 * Stop the server and delete its data.
	 */
	public final void stop() {
		if (this.process == null || this.directory == null) {
			return;
		}
		this.process.destroyForcibly().onExit().join();
		RUNNING.remove(this.process);
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

	@Override
	public final void close() {
		if (this.locks != null) {
			this.locks.close();
		}
		this.factories.forEach(LettuceConnectionFactory::destroy);
		stop();
	}

	/**
	 * Return the port on which it listens.
	 * @return a port of the loopback address
	 */
	public final int port() {
		return this.port;
	}

	/**
	 * Return its address in the syntax of properties.
	 * @return host and port
	 */
	public final String address() {
		return "127.0.0.1:" + this.port;
	}

	/**
	 * Return its process.
	 * @return another one after each start
	 */
	public final ServerProcess process() {
		return new ServerProcess(Objects.requireNonNull(this.process).pid());
	}

	/**
	 * Return whether it is started and was not killed.
	 * @return true if it runs
	 */
	public final boolean isRunning() {
		return this.process != null && this.process.isAlive();
	}

	/**
	 * Return a factory like that of an application.
	 * @return always the same one, of the user with all permissions
	 */
	public final synchronized LettuceConnectionFactory factory() {
		if (this.factories.isEmpty()) {
			this.factories.add(factory(this.port));
		}
		return this.factories.get(0);
	}

	/**
	 * Return locks in this Redis, with the default settings.
	 * @return always the same ones, which are connected
	 */
	public final synchronized RedisLocks locks() {
		if (this.locks == null) {
			this.locks = new RedisLocks(factory(), settings());
			this.locks.connect();
		}
		return this.locks;
	}

	/**
	 * Create or change a user.
	 * @param name of the user
	 * @param rules all of its permissions
	 * @return a factory for this user
	 */
	public final LettuceConnectionFactory user(String name, String rules) {
		return user(name, rules, 0);
	}

	final LettuceConnectionFactory user(String name, String rules, int database) {
		admin().setUser(name, rules);
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.port);
		configuration.setUsername(name);
		configuration.setPassword(RedisAdmin.PASSWORD);
		configuration.setDatabase(database);
		LettuceConnectionFactory factory = initialized(new LettuceConnectionFactory(configuration));
		this.factories.add(factory);
		return factory;
	}

	/**
	 * Return a template to inspect the server.
	 * @return a template of the user with all permissions
	 */
	public final StringRedisTemplate template() {
		return new StringRedisTemplate(factory());
	}

	/**
	 * Return the administration of the server.
	 * @return its administration
	 */
	public final RedisAdmin admin() {
		return new RedisAdmin(factory());
	}

	/**
	 * Return settings as an application has them by default.
	 * @return the settings
	 */
	public static RedisLockSettings settings() {
		return new RedisLockSettings("watchdog-lock", "watchdog-lock", Duration.ofMinutes(2), true,
				Duration.ofSeconds(1), true, true);
	}

	/**
	 * Create a factory.
	 * @param port on which a server or a proxy listens
	 * @return a factory to be destroyed
	 */
	public static LettuceConnectionFactory factory(int port) {
		return initialized(new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port)));
	}

	/**
	 * Initialize a factory.
	 * @param factory a configured factory
	 * @return the same
	 */
	public static LettuceConnectionFactory initialized(LettuceConnectionFactory factory) {
		factory.afterPropertiesSet();
		return factory;
	}

	/**
	 * Return a port for a server. The port is not in use and is not returned again. It is
	 * below the ports that the system assigns, for example to clients, and so is the port
	 * 10,000 above, which a cluster node uses for its bus.
	 * @return its number
	 */
	public static int freePort() {
		return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(11_000, 22_000))
			.filter((port) -> GIVEN_PORTS.add(port) && isFree(port) && isFree(port + 10_000))
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
