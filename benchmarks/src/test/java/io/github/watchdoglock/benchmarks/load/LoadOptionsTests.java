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
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.load.LoadCase.Java;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LoadOptions} and {@link LoadCase}.
 */
class LoadOptionsTests {

	private static final Java JAVA_17 = new Java(Path.of("java"), 17);

	private static final Java JAVA_25 = new Java(Path.of("java"), 25);

	@Test
	void defaultOptionsMeasureAllCasesAndArePublished() {
		LoadOptions options = LoadOptions.parse();
		assertThat(options.callers()).isEqualTo(10_000);
		assertThat(options.length()).isEqualTo(Duration.ofSeconds(3));
		assertThat(cases(options)).hasSize(15).doesNotHaveDuplicates();
		assertThat(options.isPublished()).as("complete run is published").isTrue();
	}

	@Test
	void casesOptionSelectsCasesByPrefix() {
		LoadOptions options = LoadOptions.parse("--cases=own-keys-redis,one-key-fair-lock-virtual", "--callers=100");
		assertThat(cases(options)).containsExactly("own-keys-redis-platform-17", "own-keys-redis-platform-25",
				"one-key-fair-lock-virtual-25", "own-keys-redis-virtual-25");
		assertThat(options.isPublished()).isFalse();
		assertThat(LoadOptions.parse("--quick").isPublished()).isFalse();
	}

	@Test
	void unknownOptionIsRejectedWithUsage() {
		assertThatIllegalArgumentException().isThrownBy(() -> LoadOptions.parse("--fast"))
			.withMessageStartingWith("'--fast' is not understood. Usage: [--quick]");
		assertThatIllegalArgumentException().isThrownBy(() -> LoadOptions.parse("--callers=0"));
	}

	private static List<String> cases(LoadOptions options) {
		return Stream.of(JAVA_17, JAVA_25)
			.flatMap((java) -> LoadCase.of(java).stream())
			.filter(options::includes)
			.map(LoadCase::id)
			.toList();
	}

}
