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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * What all candidacies of an instance share.
 *
 * @param locks the locks that elect leaders
 * @param threads where the threads of work and listeners come from
 * @param delays runs tasks later
 * @param wallClock the time for display
 * @param classes the context class loader of work and listeners
 * @param lines writes the log
 */
record Surroundings(RoleLocks locks, Threads threads, Delays delays, InstantSource wallClock,
		@Nullable ClassLoader classes, SerialTasks lines) {

	Surroundings(RoleLocks locks, Threads threads, Delays delays, InstantSource wallClock,
			@Nullable ClassLoader classes) {
		this(locks, threads, delays, wallClock, classes,
				new SerialTasks((lines) -> delays.after(Duration.ZERO, lines), (failure) -> {
				}));
	}

	/* On a thread of its own, since an appender may block. */
	void log(Logger logger, Level level, Supplier<String> text, @Nullable Throwable thrown) {
		if (logger.isLoggable(level)) {
			this.lines.execute(() -> {
				if (thrown != null) {
					logger.log(level, text, thrown);
				}
				else {
					logger.log(level, text);
				}
			});
		}
	}

	/* On another thread, or else, if none can be started, on this one. */
	void start(String name, Runnable task) {
		try {
			this.threads.start(name, task);
		}
		catch (OutOfMemoryError ex) {
			task.run();
		}
	}

}
