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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.fault.ServerProcess;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.FileSystemUtils;

/**
 * A Redis of its own for a test class.
 */
@SuppressWarnings("NullAway.Init")
public final class RedisServerExtension implements BeforeAllCallback, AfterAllCallback {

	private static final Set<Integer> GIVEN_PORTS = ConcurrentHashMap.newKeySet();

	private final int port = freePort();

	/*
	 * A server reads what lies where it is started: a dump for another one's replica,
	 * say.
	 */
	private Path directory;

	private RedisServer server;

	private LettuceConnectionFactory factory;

	@Override
	public void beforeAll(ExtensionContext context) {
		start();
		this.factory = factory(this.port);
	}

	@Override
	public void afterAll(ExtensionContext context) {
		this.factory.destroy();
		stop();
	}

	/**
	 * Start it, empty.
	 * @param settings further lines of its configuration
	 */
	public void start(String... settings) {
		try {
			startIn(Files.createTempDirectory("redis-server"), settings);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * End it and start it again, with the data that it had when it ended.
	 */
	public void restartWithData() {
		template().execute((RedisCallback<Object>) (connection) -> connection.execute("CONFIG", bytes("SET"),
				bytes("save"), bytes("3600 1")));
		try {
			// SIGTERM: it saves what it has, since it is told to save at all.
			this.server.stop();
			startIn(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] bytes(String word) {
		return word.getBytes(StandardCharsets.UTF_8);
	}

	private void startIn(Path directory, String... settings) {
		try {
			this.directory = directory;
			RedisServerBuilder builder = RedisServer.newRedisServer()
				.port(this.port)
				.setting("dir " + this.directory)
				.bind("127.0.0.1")
				.setting("save \"\"")
				.setting("appendonly no")
				.executableProvider(RedisExecutable::file);
			Stream.of(settings).forEach(builder::setting);
			this.server = builder.build();
			this.server.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * End it, with what it has.
	 */
	public void stop() {
		try {
			if (this.server != null) {
				this.server.stop();
				FileSystemUtils.deleteRecursively(this.directory);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Where it listens.
	 * @return the port on the loopback address
	 */
	public int port() {
		return this.port;
	}

	/**
	 * What the operating system can do to it.
	 * @return its process, another one after each start
	 */
	public ServerProcess process() {
		return ServerProcess.of(this.factory);
	}

	/**
	 * A factory as an application has it.
	 * @return always the same one
	 */
	public LettuceConnectionFactory factory() {
		return this.factory;
	}

	/**
	 * What looks at the server from outside.
	 * @return a template over the application's factory
	 */
	public StringRedisTemplate template() {
		return new StringRedisTemplate(this.factory);
	}

	/**
	 * A factory of one's own.
	 * @param port where a server or a proxy listens
	 * @return a factory to be destroyed
	 */
	public static LettuceConnectionFactory factory(int port) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		return factory;
	}

	/**
	 * A port for a server, which nothing listens on yet and nobody is given again. It is
	 * below those that the system gives to whoever asks for any, such as clients; so is
	 * the one 10,000 above, where the node of a cluster has its bus.
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
