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
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.lock.Contender;

/**
 * A JVM that is measured: it reads tasks from its input and writes answers to its output,
 * until the input ends.
 */
public final class Worker {

	private Worker() {
	}

	/**
	 * Connect, and run tasks.
	 * @param args the contender, the port of Redis, the lease in milliseconds, the number
	 * of the first instance, the number of instances, the URL of the database
	 * @throws Exception if the instances could not be created
	 */
	public static void main(String[] args) throws Exception {
		ObjectOutputStream answers = new ObjectOutputStream(System.out);
		ObjectInputStream tasks = new ObjectInputStream(System.in);
		// The output of libraries must not get between the answers.
		System.setOut(System.err);
		Duration lease = Duration.ofMillis(Long.parseLong(args[2]));
		List<Competitor> instances = Stream
			.generate(() -> Contender.valueOf(args[0]).create(Integer.parseInt(args[1]), lease, args[5]))
			.limit(Integer.parseInt(args[4]))
			.toList();
		Task.Workplace place = new Task.Workplace(Integer.parseInt(args[3]), instances);
		answer(answers, "connected");
		try {
			while (tasks.readObject() instanceof Task<?> task) {
				answer(answers, run(task, place));
			}
		}
		catch (EOFException ex) {
			// The process that gave the tasks has ended.
		}
		System.exit(0);
	}

	/*
	 * Failures are answers, too: as strings, because not all of them can be serialized.
	 */
	private static Serializable run(Task<?> task, Task.Workplace place) {
		try {
			return task.run(place);
		}
		catch (Exception | Error ex) {
			StringWriter text = new StringWriter();
			ex.printStackTrace(new PrintWriter(text));
			return new Failure(text.toString());
		}
	}

	private static void answer(ObjectOutputStream answers, Serializable answer) throws IOException {
		answers.writeObject(answer);
		answers.flush();
		answers.reset();
	}

	/**
	 * The answer to a task that failed.
	 *
	 * @param text what happened, with its stack
	 */
	record Failure(String text) implements Serializable {

	}

}
