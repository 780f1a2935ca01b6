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

package io.github.watchdoglock.simulation;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.support.ErrorPoints;

/**
 * Simulated worlds in a class loader of their own, in which an error can be thrown
 * anywhere in the engine. Not thread-safe; several can play at once.
 */
final class Worlds {

	private static final List<String> INITIALIZED = List.of("engine", "time", "repeat", "listener");

	private final Class<?> simulation;

	Worlds() {
		this(Map.of());
	}

	/* With some classes that replace those of the build. */
	Worlds(Map<String, byte[]> changed) {
		ErrorPoints classes = new ErrorPoints((name) -> isPointed(name), changed);
		try {
			this.simulation = Class.forName("io.github.watchdoglock.simulation.Simulation", true, classes);
			initialize(classes);
		}
		catch (ClassNotFoundException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/* An error during the initialization of a class would affect all later worlds. */
	private static void initialize(ClassLoader classes) throws ClassNotFoundException, IOException {
		Path place = Path
			.of(URI.create(LockEngine.class.getProtectionDomain().getCodeSource().getLocation().toString()));
		if (Files.isDirectory(place)) {
			initialize(place, classes);
		}
		else {
			try (FileSystem jar = FileSystems.newFileSystem(place)) {
				initialize(jar.getPath("/"), classes);
			}
		}
	}

	private static void initialize(Path place, ClassLoader classes) throws ClassNotFoundException, IOException {
		for (String room : INITIALIZED) {
			try (Stream<Path> files = Files.list(place.resolve("io/github/watchdoglock/" + room))) {
				for (String name : files.map((file) -> file.getFileName().toString())
					.filter((name) -> name.endsWith(".class") && !name.startsWith("package-info"))
					.toList()) {
					Class.forName("io.github.watchdoglock." + room + "." + name.replace(".class", ""), true, classes);
				}
			}
		}
	}

	private static boolean isPointed(String name) {
		return name.startsWith("io.github.watchdoglock.engine.") && !name.contains("Simulated");
	}

	long play(long first, long by, long nanos, long most) {
		return (long) call("play", first, by, nanos, most);
	}

	long find(long first, long by, long most) {
		return (long) call("find", first, by, most);
	}

	void play(long seed) {
		call("play", seed);
	}

	String tell(long seed) {
		return (String) call("tell", seed);
	}

	@SuppressWarnings("unchecked")
	Map<String, Long> counts() {
		return (Map<String, Long>) call("counts");
	}

	long steps() {
		return (long) call("steps");
	}

	private Object call(String method, Object... arguments) {
		Class<?>[] types = Stream.of(arguments).map((argument) -> long.class).toArray(Class<?>[]::new);
		try {
			return this.simulation.getMethod(method, types).invoke(null, arguments);
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw new IllegalStateException(ex.getCause());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
