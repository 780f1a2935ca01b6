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

package io.github.watchdoglock.autoconfigure;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.watchdoglock.actuate.AllLocksDescriptor;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.redis.RedisLocks;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WatchdogLockRuntimeHints}, as Spring discovers them.
 */
class WatchdogLockRuntimeHintsTests {

	private final RuntimeHints hints = new RuntimeHints();

	WatchdogLockRuntimeHintsTests() {
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter(WatchdogLockRuntimeHints.class::isInstance)
			.forEach((registrar) -> registrar.registerHints(this.hints, getClass().getClassLoader()));
	}

	@Test
	void allLuaScriptsHaveResourceHints() throws IOException, URISyntaxException {
		List<String> scripts = files(RedisLocks.class, ".lua");
		assertThat(scripts).contains("acquire.lua", "queue.lua");
		assertThat(scripts).allMatch((name) -> RuntimeHintsPredicates.resource()
			.forResource("io/github/watchdoglock/redis/" + name)
			.test(this.hints));
	}

	@Test
	void annotationsHaveProxyHintsAndMethodHints() throws IOException, URISyntaxException {
		List<Class<?>> annotations = files(DistributedLock.class, ".class").stream()
			.<Class<?>>map((name) -> load(DistributedLock.class, name))
			.filter(Class::isAnnotation)
			.toList();
		assertThat(annotations).contains(DistributedLock.class);
		assertThat(annotations).allSatisfy((annotation) -> {
			assertThat(RuntimeHintsPredicates.proxies().forInterfaces(annotation)).accepts(this.hints);
			assertThat(annotation.getDeclaredMethods())
				.allMatch((method) -> RuntimeHintsPredicates.reflection().onMethodInvocation(method).test(this.hints));
		});
	}

	@Test
	void configurationFieldOfConnectionFactoryHasAccessHint() {
		assertThat(
				RuntimeHintsPredicates.reflection()
					.onFieldAccess(Objects
						.requireNonNull(ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration"))))
			.accepts(this.hints);
	}

	@Test
	void descriptorsOfAllLocksHaveReflectionHints() {
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(this.hints,
				WatchdogLockEndpointAutoConfiguration.class);
		assertThat(RuntimeHintsPredicates.reflection().onType(AllLocksDescriptor.class)).accepts(this.hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(AllLocksDescriptor.HeldDescriptor.class))
			.accepts(this.hints);
	}

	private static Class<?> load(Class<?> neighbour, String file) {
		try {
			return Class.forName(neighbour.getPackageName() + "." + file.replace(".class", ""));
		}
		catch (ClassNotFoundException ex) {
			throw new AssertionError(ex);
		}
	}

	/* The files in the package of a class. */
	private static List<String> files(Class<?> neighbour, String suffix) throws IOException, URISyntaxException {
		Path folder = Path
			.of(Objects.requireNonNull(neighbour.getResource(neighbour.getSimpleName() + ".class")).toURI())
			.resolveSibling("");
		try (Stream<Path> files = Files.list(folder)) {
			return files.map((file) -> file.getFileName().toString()).filter((name) -> name.endsWith(suffix)).toList();
		}
	}

}
