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

package io.github.watchdoglock.benchmarks.lock;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application with the configuration of a user, and nothing except what the starter
 * brings.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Application {

	private static final Duration CONNECTING = Duration.ofSeconds(30);

	/**
	 * Begin to configure an application.
	 * @param more additional configuration classes
	 * @return the builder
	 */
	public static SpringApplicationBuilder with(Class<?>... more) {
		return new SpringApplicationBuilder(Application.class).sources(more)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties("spring.main.banner-mode=off", "spring.jmx.enabled=false", "spring.data.redis.host=127.0.0.1");
	}

	/**
	 * Wait until an application is connected to Redis.
	 * @param context the application
	 * @return its locks
	 */
	public static LockService locks(ConfigurableApplicationContext context) {
		LockService locks = context.getBean(LockService.class);
		var unused = insist(() -> locks.find(LockKey.of("none")));
		return locks;
	}

	/**
	 * Repeat an attempt until it succeeds: a JVM that has just started, or that has many
	 * connections to open, may need longer to connect than the timeout of a command.
	 * @param <T> the type of the result
	 * @param attempt the attempt
	 * @return the result
	 */
	public static <T> T insist(Supplier<T> attempt) {
		long start = System.nanoTime();
		while (true) {
			try {
				return attempt.get();
			}
			catch (LockStoreException | CompletionException ex) {
				if (System.nanoTime() - start > CONNECTING.toNanos()) {
					throw ex;
				}
			}
		}
	}

}
