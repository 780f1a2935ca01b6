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

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import io.github.watchdoglock.benchmarks.lock.Contender;
import org.jspecify.annotations.Nullable;

/**
 * Where JVMs that are measured have their classes from.
 *
 * @param entries folders and jars
 * @param before the jar of an earlier build of this project; null where there is none
 */
record ClassPath(List<String> entries, @Nullable Path before) {

	private static final String PRESENT = "watchdog-lock-autoconfigure-";

	/* That of this JVM. */
	static ClassPath here(@Nullable Path before) {
		return new ClassPath(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)), before);
	}

	/* Whether there is all that a contender needs. */
	boolean has(Contender contender) {
		return contender.isAvailable() && (contender != Contender.WATCHDOG_LOCK_BEFORE || this.before != null);
	}

	/* As an argument of a JVM. */
	String of(Contender contender) {
		return this.entries.stream()
			.map((entry) -> (contender == Contender.WATCHDOG_LOCK_BEFORE) ? earlier(entry) : entry)
			.collect(Collectors.joining(File.pathSeparator));
	}

	private String earlier(String entry) {
		Path before = this.before;
		if (before == null) {
			throw new IllegalStateException("No earlier build was named");
		}
		return new File(entry).getName().startsWith(PRESENT) ? before.toString() : entry;
	}

}
