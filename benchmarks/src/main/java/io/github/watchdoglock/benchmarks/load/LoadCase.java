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
 * Something that is measured with few callers and with many.
 *
 * @param java the JVM
 * @param threads the kind of threads that callers have
 * @param ownKeys whether each caller has a key of its own
 * @param kind what callers want
 */
record LoadCase(Java java, LoadThreads threads, boolean ownKeys, Kind kind) {

	/*
	 * Who has a key of its own has nothing to take turns for. Over the store in memory
	 * nobody would wait for anything, so that is left out.
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
	 * @param program what is started
	 * @param feature its version
	 */
	record Java(Path program, int feature) {

		boolean has(LoadThreads threads) {
			return threads == LoadThreads.PLATFORM || this.feature >= 21;
		}

	}

	/**
	 * What callers want.
	 */
	enum Kind {

		/** Locks in Redis, in an application as a user has it. */
		REDIS("Redis"),

		/** The engine alone, over the store in memory. */
		MEMORY("store in memory"),

		/** No locks of this project: as many threads that take turns. */
		FAIR_LOCK("fair ReentrantLock"),

		/** No locks at all: as many threads and commands, over the same connection. */
		COMMANDS("two plain commands");

		private final String title;

		Kind(String title) {
			this.title = title;
		}

		/* Whether there is an engine, which renews what is held meanwhile. */
		boolean hasLocks() {
			return this == REDIS || this == MEMORY;
		}

	}

}
