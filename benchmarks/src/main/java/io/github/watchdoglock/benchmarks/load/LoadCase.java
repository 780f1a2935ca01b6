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

package io.github.watchdoglock.benchmarks.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A case that is measured with few callers and with many.
 *
 * @param java the JVM
 * @param threads the kind of the callers' threads
 * @param ownKeys whether each caller has its own key
 * @param kind the kind of calls
 */
record LoadCase(Java java, LoadThreads threads, boolean ownKeys, Kind kind) {

	/*
	 * Callers with their own keys have nothing to take turns for. With the store in
	 * memory they would not wait at all, so that case is left out.
	 */
	static List<LoadCase> of(Java java) {
		List<LoadCase> cases = new ArrayList<>();
		for (LoadThreads threads : LoadThreads.values()) {
			if (java.has(threads)) {
				Stream.of(Kind.REDIS, Kind.MEMORY, Kind.FAIR_LOCK)
					.forEach((kind) -> cases.add(new LoadCase(java, threads, false, kind)));
				Stream.of(Kind.REDIS, Kind.COMMANDS)
					.forEach((kind) -> cases.add(new LoadCase(java, threads, true, kind)));
			}
		}
		return cases;
	}

	String id() {
		return String
			.join("-", this.ownKeys ? "own-keys" : "one-key", this.kind.name(), this.threads.name(),
					"" + this.java.feature())
			.toLowerCase(Locale.ROOT)
			.replace('_', '-');
	}

	String title() {
		return (this.ownKeys ? "Own keys" : "One key") + ", " + this.kind.title + ", "
				+ this.threads.name().toLowerCase(Locale.ROOT) + " threads, Java " + this.java.feature();
	}

	/**
	 * A JDK.
	 *
	 * @param program the program that is started
	 * @param feature its version
	 */
	record Java(Path program, int feature) {

		boolean has(LoadThreads threads) {
			return threads == LoadThreads.PLATFORM || this.feature >= 21;
		}

	}

	/**
	 * The kinds of calls.
	 */
	enum Kind {

		/** Locks in Redis, in an application with the configuration of a user. */
		REDIS("Redis"),

		/** The engine alone, with the store in memory. */
		MEMORY("store in memory"),

		/** No locks of this project: the same number of threads, which take turns. */
		FAIR_LOCK("fair ReentrantLock"),

		/**
		 * No locks at all: the same number of threads and commands, on the same
		 * connection.
		 */
		COMMANDS("two plain commands");

		private final String title;

		Kind(String title) {
			this.title = title;
		}

		/* Whether there is an engine, which renews locks meanwhile. */
		boolean hasLocks() {
			return this == REDIS || this == MEMORY;
		}

	}

}
