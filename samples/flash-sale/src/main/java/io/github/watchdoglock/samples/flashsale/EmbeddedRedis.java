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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * An initializer that starts a Redis if none listens, before any bean connects to it. The
 * instance that started it also stops it; instances that joined later lose it then.
 */
final class EmbeddedRedis implements ApplicationContextInitializer<GenericApplicationContext> {

	private static final Log logger = LogFactory.getLog(EmbeddedRedis.class);

	@Override
	public void initialize(GenericApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		if (environment.containsProperty("spring.data.redis.sentinel.master")) {
			return;
		}
		String host = environment.getRequiredProperty("spring.data.redis.host");
		int port = environment.getRequiredProperty("spring.data.redis.port", int.class);
		if (RedisProcess.listens(host, port)) {
			logger.info("Using the Redis that listens at " + host + ":" + port);
			return;
		}
		try {
			RedisProcess redis = new RedisProcess(command(environment, host, port), host, port);
			// Beans are destroyed in reverse order, so Redis stops after all beans that
			// use it.
			context.getDefaultListableBeanFactory().registerDisposableBean("redisProcess", redis::stop);
			boolean started = redis.awaitListening();
			if (started) {
				context.getBeanFactory().registerSingleton("redisProcess", redis);
			}
			logger.info((started ? "Started a Redis at " : "Another instance started a Redis at ") + host + ":" + port);
		}
		catch (IOException ex) {
			throw RedisProcess.unavailable(host, port, ex.getMessage(), ex);
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

}
