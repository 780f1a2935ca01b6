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

package io.github.watchdoglock.benchmarks.run;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.lock.Contender;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that is measured, seen from outside.
 */
final class WorkerProcess implements AutoCloseable {

	/*
	 * The same for all: a heap of a fixed maximum size, and the JVM's own output away
	 * from the answers.
	 */
	private static final List<String> OPTIONS = List.of("-Xms256m", "-Xmx512m", "-XX:+DisplayVMOutputToStderr");

	/* Starts sooner, and never gets as fast: for runs that compare nothing. */
	private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1");

	private final Process process;

	private final Path log;

	private final ObjectOutputStream tasks;

	private @Nullable ObjectInputStream answers;

	WorkerProcess(Path log, Contender contender, Options options, Object... arguments) throws IOException {
		this.log = log;
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(OPTIONS);
		command.addAll(options.quick() ? QUICK : List.of());
		command.addAll(List.of("-cp", classPath(System.getProperty("java.class.path"), contender, options.before()),
				Worker.class.getName(), contender.name()));
		Stream.of(arguments).map(String::valueOf).forEach(command::add);
		this.process = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
		this.tasks = new ObjectOutputStream(this.process.getOutputStream());
		this.tasks.flush();
	}

	/* The earlier build replaces the present one. Contenders differ in optional JARs. */
	static String classPath(String present, Contender contender, @Nullable Path before) {
		boolean earlier = contender == Contender.WATCHDOG_LOCK_BEFORE;
		if (earlier && before == null) {
			throw new IllegalStateException("No earlier build was named");
		}
		return Stream.of(present.split(File.pathSeparator, -1))
			.filter((entry) -> contender.uses(new File(entry).getName()))
			.map((entry) -> (earlier && new File(entry).getName().startsWith("watchdog-lock-autoconfigure-"))
					? String.valueOf(before) : entry)
			.collect(Collectors.joining(File.pathSeparator));
	}

	void give(Task<?> task) throws IOException {
		this.tasks.writeObject(task);
		this.tasks.flush();
		this.tasks.reset();
	}

	/*
	 * The first answer says that the JVM is connected, the others are the answers to its
	 * tasks.
	 */
	Object answer() throws IOException {
		try {
			ObjectInputStream stream = this.answers;
			if (stream == null) {
				stream = new ObjectInputStream(this.process.getInputStream());
				this.answers = stream;
			}
			Object answer = stream.readObject();
			if (answer instanceof Worker.Failure failure) {
				throw new IllegalStateException(failure.text() + "(log: " + this.log + ")");
			}
			return answer;
		}
		catch (EOFException ex) {
			throw new IllegalStateException("A JVM ended unasked (log: " + this.log + ")", ex);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
