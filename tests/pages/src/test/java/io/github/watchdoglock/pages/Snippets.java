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

package io.github.watchdoglock.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;
import io.github.watchdoglock.pages.Marker.Kind;

/**
 * A check that the Java code of pages compiles: as whole types, as members, or as
 * statements.
 */
final class Snippets {

	private static final String BASE = "com.example.Assumed";

	/* Single types of packages whose names collide with others. */
	private static final String IMPORTS = Stream.of("java.lang.annotation.*", "java.math.*", "java.time.*",
			"java.util.*", "java.util.concurrent.*", "java.util.concurrent.locks.*", "io.github.watchdoglock.*",
			"io.github.watchdoglock.annotation.*", "io.github.watchdoglock.event.*", "io.github.watchdoglock.test.*",
			"net.javacrumbs.shedlock.core.*", "org.junit.jupiter.api.AutoClose", "org.junit.jupiter.api.Test",
			"org.apache.curator.framework.CuratorFramework",
			"org.apache.curator.framework.recipes.locks.InterProcessMutex",
			"org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock",
			"org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2", "org.redisson.api.RLock",
			"org.redisson.api.RPermitExpirableSemaphore", "org.redisson.api.RReadWriteLock",
			"org.redisson.api.RSemaphore", "org.springframework.beans.factory.annotation.*",
			"org.springframework.boot.test.context.*", "org.springframework.context.annotation.*",
			"org.springframework.context.event.EventListener", "org.springframework.core.annotation.AliasFor",
			"org.springframework.http.*", "org.springframework.integration.leader.DefaultCandidate",
			"org.springframework.integration.support.leader.LockRegistryLeaderInitiator",
			"org.springframework.integration.support.locks.LockRegistry", "org.springframework.scheduling.annotation.*",
			"org.springframework.stereotype.*", "org.springframework.test.context.bean.override.mockito.*",
			"org.springframework.transaction.annotation.*", "org.springframework.web.bind.annotation.*",
			"reactor.core.publisher.*", "static com.example.Assumed.*", "static org.assertj.core.api.Assertions.*",
			"static org.mockito.BDDMockito.*")
		.map((name) -> "import " + name + ";")
		.collect(Collectors.joining(" "));

	private static final List<String> OPTIONS = List.of("-proc:none", "-parameters", "-nowarn", "-Xmaxerrs", "10000",
			"--release", "17", "-classpath", System.getProperty("java.class.path"));

	private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

	List<Problem> problems(List<Page> pages) {
		List<List<Snippet>> blocks = pages.stream()
			.flatMap((page) -> page.blocks().stream())
			.filter((block) -> block.language().equals("java") && block.marker().kind() != Kind.NOT_COMPILED)
			.map((block) -> Snippet.readings(block, IMPORTS, BASE))
			.toList();
		List<Snippet> all = blocks.stream().flatMap(List::stream).toList();
		Map<JavaFileObject, List<Problem>> syntax = all.isEmpty() ? Map.of() : errors(all, JavacTask::parse);
		List<Problem> problems = new ArrayList<>();
		List<Snippet> read = new ArrayList<>();
		for (List<Snippet> readings : blocks) {
			Snippet best = Collections.min(readings,
					Comparator.comparingInt((reading) -> syntax.getOrDefault(reading, List.of()).size()));
			if (syntax.containsKey(best)) {
				problems.addAll(syntax.get(best));
			}
			else {
				read.add(best);
			}
		}
		if (!read.isEmpty()) {
			errors(read, JavacTask::analyze).values().forEach(problems::addAll);
		}
		return problems;
	}

	private Map<JavaFileObject, List<Problem>> errors(List<Snippet> units, Step step) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		try {
			step.take((JavacTask) this.compiler.getTask(null, null, diagnostics, OPTIONS, null, units));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Map<JavaFileObject, List<Problem>> errors = new LinkedHashMap<>();
		for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
			if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
				Snippet snippet = (Snippet) diagnostic.getSource();
				String text = diagnostic.getMessage(Locale.ROOT).replaceAll("\\s*\\R\\s*", ", ");
				errors.computeIfAbsent(snippet, (key) -> new ArrayList<>())
					.add(snippet.problem(diagnostic.getLineNumber(), "does not compile: " + text));
			}
		}
		return errors;
	}

	/**
	 * The extent of the compilation.
	 */
	private interface Step {

		Object take(JavacTask task) throws IOException;

	}

}
