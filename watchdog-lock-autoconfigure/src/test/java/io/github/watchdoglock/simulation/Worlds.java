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

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.watchdoglock.support.ErrorPoints;

/**
 * Simulated worlds with classes of their own, in which an error can be thrown anywhere.
 * Not thread-safe; several can play at once.
 */
final class Worlds {

	private static final List<String> POINTED = List.of("engine", "time", "repeat", "listener");

	private final Class<?> simulation;

	Worlds() {
		this(Map.of());
	}

	/* With some classes that are others than those of the build. */
	Worlds(Map<String, byte[]> changed) {
		ErrorPoints classes = new ErrorPoints((name) -> isPointed(name), changed);
		try {
			this.simulation = Class.forName("io.github.watchdoglock.simulation.Simulation", true, classes);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean isPointed(String name) {
		return POINTED.stream().anyMatch((room) -> name.startsWith("io.github.watchdoglock." + room + "."))
				&& !name.contains("Simulated");
	}

	long play(long first, long by, long nanos, long most) {
		return (long) call("play", first, by, nanos, most);
	}

	long find(long first, long most) {
		return (long) call("find", first, most);
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
