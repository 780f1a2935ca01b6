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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.github.watchdoglock.fault.ServerProcess;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.FileSystemUtils;

/**
 * A Redis of its own for a test class.
 */
@SuppressWarnings("NullAway.Init")
public final class RedisServerExtension implements BeforeAllCallback, AfterAllCallback {

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
			this.directory = Files.createTempDirectory("redis-server");
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
	 * A port that nothing listens on yet.
	 * @return its number
	 */
	public static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
