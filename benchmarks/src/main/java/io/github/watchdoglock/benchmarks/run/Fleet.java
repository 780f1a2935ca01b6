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
import io.github.watchdoglock.benchmarks.worker.Task;

/**
 * The JVMs of one contender.
 */
final class Fleet implements AutoCloseable {

	/*
	 * So long that nothing is renewed while locks are taken and released. At its default
	 * of 30 s Redisson would renew in a round what earlier rounds have left behind, or
	 * not, by chance; the case "leftovers" has that by itself.
	 */
	static final Duration LEASE = Duration.ofMinutes(30);

	private final Contender contender;

	private final List<WorkerProcess> jvms = new ArrayList<>();

	private Fleet(Contender contender) {
		this.contender = contender;
	}

	static Fleet start(Contender contender, Layout layout, Place place, Duration lease) throws IOException {
		Fleet fleet = new Fleet(contender);
		try {
			for (int i = 0; i < layout.jvms(); i++) {
				Path log = place.folder().resolve(contender.name().toLowerCase(Locale.ROOT) + ".log");
				fleet.jvms.add(new WorkerProcess(log, place.classPath().of(contender), place.quick(), contender.name(),
						place.server().port(), lease.toMillis(), 1 + i * layout.instances(), layout.instances()));
			}
			for (WorkerProcess jvm : fleet.jvms) {
				jvm.awaitStart();
			}
			return fleet;
		}
		catch (IOException | RuntimeException ex) {
			fleet.close();
			throw ex;
		}
	}

	Contender contender() {
		return this.contender;
	}

	/* Tell all of them. */
	void give(Task<?> task) throws IOException {
		for (WorkerProcess jvm : this.jvms) {
			jvm.give(task);
		}
	}

	/* What all of them answer to what they were told. */
	<R extends Serializable> List<R> answers(Class<R> type) throws IOException {
		List<R> answers = new ArrayList<>();
		for (WorkerProcess jvm : this.jvms) {
			answers.add(type.cast(jvm.answer()));
		}
		return answers;
	}

	@Override
	public void close() {
		this.jvms.forEach(WorkerProcess::close);
	}

}
