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

package io.github.watchdoglock.torture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with the same instances and the same checker, but with seeded bugs in the locks:
 * a checker that does not find them proves nothing.
 */
@Tag("variants")
@Tag("torture")
class BrokenVariantsIT {

	/* One server for all runs, because each run has keys of its own. */
	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration MAX_TIME = Duration.ofMinutes(4);

	/* Runs at a time; they sleep most of the time. */
	private static final int TOGETHER = 4;

	@Test
	void checkerFindsViolationOfEachBrokenVariant() throws Exception {
		play(UnaryOperator.identity(), MAX_TIME).forEach((trap, found) -> assertThat(found).as("%s", trap.variant())
			.extracting(Violation::kind)
			.containsAnyElementsOf(trap.kinds()));
	}

	@Test
	@EnabledIfSystemProperty(named = "tests", matches = "torture")
	void correctVariantCausesNoViolationUnderSameFaults() throws Exception {
		play((variant) -> Variant.RIGHT, Duration.ofSeconds(8)).forEach((trap, found) -> assertThat(found).isEmpty());
	}

	private static Map<Trap, List<Violation>> play(UnaryOperator<Variant> played, Duration most) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(TOGETHER);
		try {
			Map<Trap, Future<List<Violation>>> running = new LinkedHashMap<>();
			for (Variant variant : EnumSet.complementOf(EnumSet.of(Variant.RIGHT))) {
				Trap trap = Trap.of(variant);
				running.put(trap, threads.submit(() -> run(trap, played.apply(variant), most)));
			}
			Map<Trap, List<Violation>> found = new LinkedHashMap<>();
			for (Map.Entry<Trap, Future<List<Violation>>> each : running.entrySet()) {
				found.put(each.getKey(), each.getValue().get());
			}
			return found;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static List<Violation> run(Trap trap, Variant variant, Duration most) throws Exception {
		Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/torture")), "variant-");
		List<Violation> found;
		try (TortureRun run = new TortureRun(redis, folder, variant, trap.variant(), 2, 1, trap.rules())) {
			run.run(trap, most);
			found = run.finish();
			System.out.printf("torture: %s as %s: %s after %d s%n", trap.variant(), variant,
					found.isEmpty() ? "nothing found" : found.get(0), run.elapsed().toSeconds());
		}
		if (found.isEmpty() == (variant == Variant.RIGHT)) {
			FileSystemUtils.deleteRecursively(folder);
		}
		return found;
	}

}
