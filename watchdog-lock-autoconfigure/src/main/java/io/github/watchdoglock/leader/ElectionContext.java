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

package io.github.watchdoglock.leader;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The objects that all candidacies of an instance share.
 *
 * @param locks the locks that elect leaders
 * @param threads starts the threads of work and listeners
 * @param delays runs tasks later
 * @param contextClassLoader the context class loader of work and listeners
 * @param listeners the listeners of all roles
 * @param log writes the log, on threads of its own, because an appender may block
 */
record ElectionContext(RoleLocks locks, Threads threads, Delays delays, @Nullable ClassLoader contextClassLoader,
		List<ListenerDispatcher> listeners, SerialTasks log) {

	private static final Duration THREAD_RETRY_DELAY = Duration.ofSeconds(1);

	/*
	 * Run a task on a thread of its own; later, if no further thread can be started now.
	 */
	void start(String name, Runnable task) {
		start(this.threads, this.delays, name, task);
	}

	static void start(Threads threads, Delays delays, String name, Runnable task) {
		try {
			threads.start(name, task);
		}
		catch (OutOfMemoryError ex) {
			delays.after(THREAD_RETRY_DELAY, task);
		}
	}

	void log(BiConsumer<Object, @Nullable Throwable> level, String text, @Nullable Throwable thrown) {
		this.log.execute(() -> level.accept(text, thrown));
	}

}
