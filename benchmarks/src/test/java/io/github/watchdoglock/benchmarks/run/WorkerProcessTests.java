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

import io.github.watchdoglock.benchmarks.lock.Contender;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link WorkerProcess}.
 */
class WorkerProcessTests {

	private static final String PRESENT = path("classes", "lib/watchdog-lock-autoconfigure-0.1.0.jar",
			"lib/watchdog-lock-starter-0.1.0.jar");

	@Test
	void earlierBuildReplacesPresentJarOnClassPath() {
		Path before = Path.of("earlier.jar");
		assertThat(WorkerProcess.classPath(PRESENT, Contender.WATCHDOG_LOCK_BEFORE, before))
			.isEqualTo(path("classes", "earlier.jar", "lib/watchdog-lock-starter-0.1.0.jar"));
		assertThat(WorkerProcess.classPath(PRESENT, Contender.WATCHDOG_LOCK, before)).isEqualTo(PRESENT);
	}

	@Test
	void earlierBuildWithoutJarHasNoClassPath() {
		assertThat(WorkerProcess.classPath(PRESENT, Contender.REDISSON, null)).isEqualTo(PRESENT);
		assertThatIllegalStateException()
			.isThrownBy(() -> WorkerProcess.classPath(PRESENT, Contender.WATCHDOG_LOCK_BEFORE, null));
	}

	private static String path(String... entries) {
		return String.join(File.pathSeparator, entries);
	}

}
