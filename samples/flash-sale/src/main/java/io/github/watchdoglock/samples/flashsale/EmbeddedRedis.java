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

package io.github.watchdoglock.samples.flashsale;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * An initializer that starts a Redis if none listens, before any bean connects to it. The
 * instance that started it also stops it; instances that joined later lose it then.
 */
final class EmbeddedRedis implements ApplicationContextInitializer<GenericApplicationContext> {

	private static final Log logger = LogFactory.getLog(EmbeddedRedis.class);

	private static final int CONNECT_TIMEOUT_MILLIS = 500;

	private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

	@Override
	public void initialize(GenericApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		if (environment.containsProperty("spring.data.redis.sentinel.master")) {
			return;
		}
		String host = environment.getRequiredProperty("spring.data.redis.host");
		int port = environment.getRequiredProperty("spring.data.redis.port", int.class);
		if (listens(host, port)) {
			logger.info("Using the Redis that listens at " + host + ":" + port);
			return;
		}
		try {
			Path output = Files.createTempFile("flash-sale-redis", ".log");
			Process redis = start(command(environment, host, port), output);
			// Beans are destroyed in reverse order, so Redis stops after all beans that
			// use it.
			context.getDefaultListableBeanFactory().registerDisposableBean("embeddedRedis", redis::destroy);
			awaitListening(redis, host, port, output);
			boolean started = redis.isAlive();
			environment.getPropertySources()
				.addFirst(new MapPropertySource("embeddedRedis", Map.of("flash-sale.started-redis", started)));
			logger.info((started ? "Started a Redis at " : "Another instance started a Redis at ") + host + ":" + port);
		}
		catch (IOException ex) {
			throw unavailable(host, port, ex.getMessage(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while Redis started", ex);
		}
	}

	private static List<String> command(Environment environment, String host, int port) throws IOException {
		RedisServerBuilder server = RedisServer.newRedisServer().bind(host).port(port).setting("save \"\"");
		String executable = environment.getProperty("embedded.redis.executable");
		if (executable != null) {
			server.executableProvider(() -> new File(executable));
		}
		List<String> command = new ArrayList<>(server.buildCommandArgs());
		if (isFound("setsid")) {
			// Otherwise Ctrl-C in a terminal stops it while it is in use.
			command.add(0, "setsid");
		}
		return command;
	}

	private static boolean isFound(String program) {
		return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
			.splitAsStream(System.getenv().getOrDefault("PATH", ""))
			.anyMatch((folder) -> new File(folder, program).canExecute());
	}

	/*
	 * Not with RedisServer.start(), whose shutdown hook stops Redis while it is in use.
	 */
	private static Process start(List<String> command, Path output) throws IOException {
		output.toFile().deleteOnExit();
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
	}

	private static void awaitListening(Process redis, String host, int port, Path output)
			throws IOException, InterruptedException {
		long start = System.nanoTime();
		boolean exited;
		do {
			exited = redis.waitFor(100, TimeUnit.MILLISECONDS);
			// Guard against a race with another instance, whose Redis may have the port.
			if (listens(host, port)) {
				return;
			}
		}
		while (!exited && System.nanoTime() - start < START_TIMEOUT.toNanos());
		redis.destroyForcibly();
		throw unavailable(host, port, Files.readString(output), null);
	}

	private static IllegalStateException unavailable(String host, int port, @Nullable String said,
			@Nullable Throwable cause) {
		return new IllegalStateException("No Redis listens at " + host + ":" + port
				+ ", and none could be started. Start one there, or set EMBEDDED_REDIS_EXECUTABLE to a redis-server."
				+ " Result of the attempt: " + said, cause);
	}

	private static boolean listens(String host, int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MILLIS);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
