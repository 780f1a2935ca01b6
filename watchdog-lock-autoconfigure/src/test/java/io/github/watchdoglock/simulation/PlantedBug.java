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

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import io.github.watchdoglock.engine.LockEngine;
import org.apache.commons.logging.Log;
import org.jspecify.annotations.NullMarked;

import org.springframework.util.function.ThrowingSupplier;

/**
 * A seeded bug: one line of the library's code is replaced with a wrong one.
 *
 * @param type the class, by its path without package and ending
 * @param line part of a line that occurs once in the class
 * @param wrong its replacement
 * @param consequence the visible effect
 */
record PlantedBug(String type, String line, String wrong, String consequence) {

	private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "watchdoglock");

	/* The code of its classes, by their names. */
	Map<String, byte[]> compile() {
		return compile(source());
	}

	/* The source with the bug. Throws unless the line occurs exactly once. */
	String source() {
		String source = ThrowingSupplier.of(() -> Files.readString(SOURCES.resolve(this.type + ".java"))).get();
		int place = source.indexOf(this.line);
		if (place < 0 || source.indexOf(this.line, place + 1) >= 0) {
			throw new IllegalStateException("'" + this.line + "' is not there once in " + this.type);
		}
		return source.replace(this.line, this.wrong);
	}

	private Map<String, byte[]> compile(String source) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		Map<String, ByteArrayOutputStream> classes = new HashMap<>();
		JavaFileManager files = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {

			@Override
			public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
					javax.tools.FileObject sibling) {
				return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {

					@Override
					public OutputStream openOutputStream() {
						return classes.computeIfAbsent(name, (same) -> new ByteArrayOutputStream());
					}

				};
			}

		};
		JavaFileObject file = new SimpleJavaFileObject(URI.create("memory:///" + this.type + ".java"),
				JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}

		};
		String path = Stream.of(LockEngine.class, NullMarked.class, Log.class)
			.map((type) -> Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
				.toString())
			.collect(Collectors.joining(java.io.File.pathSeparator));
		boolean compiled = compiler
			.getTask(null, files, null,
					List.of("-proc:none", "-nowarn", "-g", "-parameters", "--release", "17", "-cp", path), null,
					List.of(file))
			.call();
		if (!compiled) {
			throw new IllegalStateException("'" + this.wrong + "' can't be compiled in " + this.type);
		}
		return classes.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().toByteArray()));
	}

	@Override
	public String toString() {
		return this.type + ": " + this.consequence;
	}

}
