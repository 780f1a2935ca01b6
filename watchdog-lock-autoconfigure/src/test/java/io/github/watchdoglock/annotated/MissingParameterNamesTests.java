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

package io.github.watchdoglock.annotated;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.tools.ToolProvider;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for methods that were compiled without {@code -parameters} (row S4 of the
 * failures of other libraries).
 */
class MissingParameterNamesTests {

	private static final String SOURCE = """
			public class %s {
				@io.github.watchdoglock.annotation.DistributedLock(name = "orders", key = "%s")
				public String work(String id) {
					return id;
				}
			}
			""";

	private final InterceptorFixture fixture = new InterceptorFixture();

	@TempDir
	private Path folder;

	@Test
	void keyExpressionResolvesParameterByPosition() throws Exception {
		Object target = compiled("ByPosition", "#p0");
		Object orders = this.fixture.proxy(target);
		assertThat(target.getClass().getMethod("work", String.class).invoke(orders, "42")).isEqualTo("42");
		assertThat(this.fixture.service.requests).extracting(LockRequest::key)
			.containsExactly(LockKey.of("orders", "42"));
	}

	@Test
	void keyByParameterNameIsRejectedNamingCompilerOption() throws Exception {
		Object target = compiled("ByName", "#id");
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> this.fixture.check(target))
			.withMessageContainingAll("ByName.work(String): 'key' is '#id'", "compiled without -parameters")
			.satisfies((ex) -> assertThat(ex.getAction()).contains("-parameters", "#p0"));
	}

	private Object compiled(String name, String key) throws Exception {
		Path source = Files.writeString(this.folder.resolve(name + ".java"), SOURCE.formatted(name, key));
		assertThat(ToolProvider.getSystemJavaCompiler()
			.run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"), source.toString()))
			.isZero();
		try (URLClassLoader loader = new URLClassLoader(new URL[] { this.folder.toUri().toURL() },
				getClass().getClassLoader())) {
			return loader.loadClass(name).getDeclaredConstructor().newInstance();
		}
	}

}
