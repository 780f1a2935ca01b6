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

package com.example.lines;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the application after ahead-of-time processing, and for the hints for a
 * native image.
 */
@ExtendWith(RedisServerExtension.class)
class AheadOfTimeIT {

	@Test
	void methodHoldsLockAfterAotProcessing() throws IOException, InterruptedException {
		Process shop = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Dspring.aot.enabled=true", "-cp", System.getProperty("java.class.path"),
				"com.example.lines.ShopApplication", "--shop.sku=phone", "--server.port=0",
				"--watchdog-lock.lease-time=60s", "--watchdog-lock.command-timeout=10s",
				"--spring.data.redis.port=" + System.getProperty("spring.data.redis.port"))
			.redirectErrorStream(true)
			.start();
		assertThat(new String(shop.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
			.contains("Starting AOT-processed ShopApplication", "phone was bought, its lock held");
		assertThat(shop.waitFor()).isZero();
	}

	@Test
	void hintsHaveScriptsAnnotationsAndLockedMethods() throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("target/classes/META-INF/native-image"))) {
			String hints = files.filter(Files::isRegularFile).map(AheadOfTimeIT::read).reduce("", String::concat);
			assertThat(hints).contains("io/github/watchdoglock/redis/", ".lua",
					"io.github.watchdoglock.annotation.DistributedLock", "com.example.lines.Shop");
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file).replace("\\/", "/");
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
