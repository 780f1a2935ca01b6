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
import java.util.List;
import java.util.Random;

import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Torture tests: four instances with slow, jumping clocks acquire the same locks for a
 * while, exclusively, to read or write, or for a permit, and are candidates for the same
 * roles. Each instance has a proxy of its own, and faults of all classes are injected.
 * All holds and terms that they believed to have are checked.
 */
@Tag("variants")
@Tag("torture")
class TortureIT {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final int INSTANCES = 4;

	/*
	 * For free keys: the longest lease, three dead instances at the head of a queue, a
	 * poll, and a busy machine. For passes: three other instances, each with its budget
	 * of local hand-offs, and tries without a wait time.
	 */
	private static final Rules RULES = new Rules(Duration.ofMillis(500), Duration.ofMillis(1_200),
			Duration.ofSeconds(4), 150);

	/**
	 * The length of a run.
	 */
	private enum Form {

		/** Three changes of each of two roles, whatever causes them. */
		SHORT(14, 3_000, Duration.ofSeconds(45), 6),

		LONG(60, 200_000, Duration.ofSeconds(150), 6);

		private final int faults;

		private final int cycles;

		private final Duration time;

		private final int terms;

		Form(int faults, int cycles, Duration time, int terms) {
			this.faults = faults;
			this.cycles = cycles;
			this.time = time;
			this.terms = terms;
		}

		private static Form ofSuite(String tags) {
			return tags.equals("torture") ? LONG : SHORT;
		}

	}

	@Test
	void fourInstancesUnderAllFaultsNeverHoldOneKeyTogether() throws Exception {
		Form form = Form.ofSuite(System.getProperty("tests", ""));
		long seed = Long.getLong("torture.seed", System.nanoTime() & 0xFFFFFF);
		String again = "repeat with: mvn -pl watchdog-lock-autoconfigure verify -Dtests=" + System.getProperty("tests")
				+ " -Dit.test=TortureIT" + " -Dtorture.seed=" + seed;
		System.out.printf("torture: seed %d, %s%n", seed, again);
		Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/torture")), "run-");
		try (TortureRun run = new TortureRun(redis, folder, Variant.RIGHT, Variant.RIGHT, INSTANCES, seed, RULES)) {
			run.run(DrawnFault.draw(form.faults, INSTANCES, new Random(seed)), form.time, form.cycles,
					form.time.plusSeconds(150));
			List<Violation> found = run.finish();
			long terms = run.history().holds().stream().filter(Hold::isTerm).count();
			System.out.printf("torture: seed %d, %d cycles, %d terms, %d faults, %d losses, %d violations in %d s%n",
					seed, run.history().checked(), terms, run.effects().count(), run.history().losses().size(),
					found.size(), run.elapsed().toSeconds());
			System.out.printf("torture: felt of drawn: %s%n", run.effects());
			Contention contention = Contention.of(run.history());
			System.out.printf("torture: %s%n", contention);
			System.out.printf("torture: counted: %s%n", run.history().counts());
			assertThat(found).as("logs in %s, %s", folder, again).isEmpty();
			assertThat(run.effects().neverFelt()).as("drawn, and never felt, %s", again).isEmpty();
			assertThat(contention.neverSeen()).as("never seen, %s", again).isEmpty();
			assertThat(run.effects().count()).isGreaterThanOrEqualTo(form.faults);
			assertThat(terms).as("terms").isGreaterThanOrEqualTo(form.terms);
			assertThat(run.history().checked()).as("cycles").isGreaterThanOrEqualTo(form.cycles);
		}
		FileSystemUtils.deleteRecursively(folder);
	}

}
