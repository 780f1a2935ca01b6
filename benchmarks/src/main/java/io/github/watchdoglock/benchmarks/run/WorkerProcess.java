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
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.worker.Failure;
import io.github.watchdoglock.benchmarks.worker.Task;
import io.github.watchdoglock.benchmarks.worker.Worker;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that is measured, seen from outside.
 */
final class WorkerProcess implements AutoCloseable {

	/*
	 * The same for all: a heap whose size is not in question, and the JVM's words where
	 * they are in nobody's way.
	 */
	private static final List<String> OPTIONS = List.of("-Xms256m", "-Xmx512m", "-XX:+DisplayVMOutputToStderr");

	/* Sooner there, and never as fast: for runs that compare nothing. */
	private static final String QUICK = "-XX:TieredStopAtLevel=1";

	private final Process process;

	private final Path log;

	private final ObjectOutputStream tasks;

	private @Nullable ObjectInputStream answers;

	WorkerProcess(Path log, String classPath, boolean quick, Object... arguments) throws IOException {
		this.log = log;
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(OPTIONS);
		if (quick) {
			command.add(QUICK);
		}
		command.addAll(List.of("-cp", classPath, Worker.class.getName()));
		Stream.of(arguments).map(String::valueOf).forEach(command::add);
		this.process = new ProcessBuilder(command)
			.redirectError(ProcessBuilder.Redirect.appendTo(new File(log.toString())))
			.start();
		this.tasks = new ObjectOutputStream(this.process.getOutputStream());
		this.tasks.flush();
	}

	/* Until it is connected. */
	void awaitStart() throws IOException {
		this.answers = new ObjectInputStream(this.process.getInputStream());
		answer();
		answer();
	}

	void give(Task<?> task) throws IOException {
		this.tasks.writeObject(task);
		this.tasks.flush();
		this.tasks.reset();
	}

	Serializable answer() throws IOException {
		ObjectInputStream stream = this.answers;
		if (stream == null) {
			throw new IllegalStateException("Not started yet");
		}
		try {
			Serializable answer = (Serializable) stream.readObject();
			if (answer instanceof Failure failure) {
				throw new TaskFailedException(failure.text() + "(log: " + this.log + ")");
			}
			return answer;
		}
		catch (EOFException ex) {
			throw new TaskFailedException("A JVM ended unasked (log: " + this.log + ")");
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
