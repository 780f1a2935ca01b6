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
import java.io.StringWriter;
import java.net.URI;
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

/**
 * A seeded bug: an expression or statements of the library's code are replaced with wrong
 * ones.
 *
 * @param anchor the correct ones
 * @param wrong the replacement
 * @param consequence the visible effect
 */
record PlantedBug(Anchor anchor, String wrong, String consequence) {

	private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "watchdoglock");

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	/* Opening the JDK's classes takes longer than compiling one; not thread-safe. */
	private static final ThreadLocal<JavaFileManager> FILES = ThreadLocal
		.withInitial(() -> COMPILER.getStandardFileManager(null, null, null));

	/* The code of its classes, by their names. Throws if its anchor is not there once. */
	Map<String, byte[]> compile() {
		Anchor.Place place = this.anchor.find(SOURCES);
		return compile(place.file(), place.replacedWith(this.wrong));
	}

	private Map<String, byte[]> compile(Path path, String source) {
		Map<String, ByteArrayOutputStream> classes = new HashMap<>();
		JavaFileManager files = new ForwardingJavaFileManager<>(FILES.get()) {

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
		JavaFileObject file = new SimpleJavaFileObject(URI.create("memory:///" + path.getFileName()),
				JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}

		};
		String classPath = Stream.of(LockEngine.class, NullMarked.class, Log.class)
			.map((type) -> Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
				.toString())
			.collect(Collectors.joining(java.io.File.pathSeparator));
		StringWriter errors = new StringWriter();
		boolean compiled = COMPILER
			.getTask(errors, files, null,
					List.of("-proc:none", "-nowarn", "-g", "-parameters", "--release", "17", "-cp", classPath), null,
					List.of(file))
			.call();
		if (!compiled) {
			throw new IllegalStateException("'" + this.wrong + "' can't be compiled: " + errors);
		}
		return classes.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().toByteArray()));
	}

	@Override
	public String toString() {
		return this.anchor + ": " + this.consequence;
	}

}
