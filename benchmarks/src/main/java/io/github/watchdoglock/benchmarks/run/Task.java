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

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;
import io.github.watchdoglock.benchmarks.lock.Competitor;

/**
 * A task for a JVM: a lambda that captures only values.
 *
 * @param <R> the type of its answer
 */
@FunctionalInterface
interface Task<R extends Serializable> extends Serializable {

	R run(Workplace place) throws Exception;

	/* The CPU time that this JVM has used. */
	static double cpuNanos() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	/**
	 * The state that a JVM keeps from one task to the next.
	 *
	 * @param first the number of its first instance among the instances of all JVMs, from
	 * one
	 * @param instances its instances
	 * @param kept locks that tasks leave held
	 */
	record Workplace(int first, List<Competitor> instances, List<Object> kept) {

		Workplace(int first, List<Competitor> instances) {
			this(first, instances, new ArrayList<>());
		}

		Competitor only() {
			if (this.instances.size() != 1) {
				throw new IllegalStateException("This task is for a JVM of one instance");
			}
			return this.instances.get(0);
		}

		/*
		 * Let each of some threads do a part, by its number from zero, and wait until all
		 * have ended their parts. The threads stay alive, because a lock must be held by
		 * a thread that is alive.
		 */
		static void share(int threads, IntFunction<Callable<?>> part) throws Exception {
			ExecutorService executor = Executors.newFixedThreadPool(threads, (task) -> {
				Thread thread = new Thread(task, "holder");
				thread.setDaemon(true);
				return thread;
			});
			for (Future<?> each : IntStream.range(0, threads).mapToObj(part).map(executor::submit).toList()) {
				each.get();
			}
		}

	}

}
