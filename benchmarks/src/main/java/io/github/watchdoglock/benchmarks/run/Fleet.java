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

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.watchdoglock.benchmarks.lock.Contender;

/**
 * The JVMs of one contender.
 *
 * @param contender the contender
 * @param place the environment of the measurement
 * @param jvms each of the JVMs
 */
record Fleet(Contender contender, Place place, List<WorkerProcess> jvms) implements AutoCloseable {

	static Fleet start(Contender contender, Shape asked, Place place) throws IOException {
		Fleet fleet = new Fleet(contender, place, new ArrayList<>());
		Shape shape = contender.isOfOneJvm() ? asked.inOneJvm() : asked;
		try {
			for (int i = 0; i < shape.jvms(); i++) {
				Path log = place.folder().resolve(contender.name().toLowerCase(Locale.ROOT) + ".log");
				fleet.jvms.add(new WorkerProcess(log, contender, place.options(), place.redis().port(),
						shape.lease().toMillis(), 1 + i * shape.instances(), shape.instances(), place.database()));
			}
			for (WorkerProcess jvm : fleet.jvms) {
				jvm.answer();
			}
			return fleet;
		}
		catch (IOException | RuntimeException ex) {
			fleet.close();
			throw ex;
		}
	}

	/* Send a task to all JVMs, which begin to work. */
	@SuppressWarnings("unchecked")
	<R extends Serializable> Answers<R> give(Task<R> task) throws IOException {
		for (WorkerProcess jvm : this.jvms) {
			jvm.give(task);
		}
		return () -> {
			List<R> answers = new ArrayList<>();
			for (WorkerProcess jvm : this.jvms) {
				answers.add((R) jvm.answer());
			}
			return answers;
		};
	}

	/* Send a task to the only JVM, and wait for its answer. */
	<R extends Serializable> R ask(Task<R> task) throws IOException {
		return give(task).await().get(0);
	}

	@Override
	public void close() {
		this.jvms.forEach(WorkerProcess::close);
	}

	/**
	 * The answers of all JVMs to a task.
	 *
	 * @param <R> the type of one answer
	 */
	interface Answers<R> {

		List<R> await() throws IOException;

	}

	/**
	 * The distribution of instances over JVMs.
	 *
	 * @param jvms the number of JVMs
	 * @param instances the number of instances in each
	 * @param lease how long their locks last unless they are renewed
	 * @param rounds the number of rounds, each with new JVMs; zero if the same JVMs are
	 * used in all rounds of all cases
	 */
	record Shape(int jvms, int instances, Duration lease, int rounds) {

		/*
		 * So long that nothing is renewed while locks are acquired and released. With its
		 * default of 30 s, Redisson would by chance renew leftovers of earlier rounds;
		 * the case "leftovers" measures that separately.
		 */
		private static final Duration LONG = Duration.ofMinutes(30);

		static final Shape ONE = new Shape(1, 1, LONG, 0);

		static final Shape FOUR_JVMS = new Shape(4, 1, LONG, 0);

		static final Shape FOUR_CONTEXTS = new Shape(1, 4, LONG, 0);

		/* Held locks are never released: their JVM ends. */
		static Shape anew(Duration lease, int rounds) {
			return new Shape(1, 1, lease, rounds);
		}

		Shape inOneJvm() {
			return new Shape(1, this.jvms * this.instances, this.lease, this.rounds);
		}

	}

}
