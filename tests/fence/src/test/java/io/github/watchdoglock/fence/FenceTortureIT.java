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

package io.github.watchdoglock.fence;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.fence.TortureEvent.Kind;
import io.github.watchdoglock.fence.TortureFault.Fault;
import io.github.watchdoglock.fence.TortureLedger.Violation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Torture tests: four instances in JVMs of their own sell the same articles with
 * PostgreSQL, while Redis forgets locks, instances are paused and connections are cut.
 */
@Tag("fast")
@Tag("fence-torture")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init")
class FenceTortureIT {

	private static final boolean COMPLETE = System.getProperty("tests", "").equals("fence-torture");

	private static final long SEED = Long.getLong("torture.seed", System.nanoTime() & 0xFFFFFF);

	private static final int FAULTS = COMPLETE ? 60 : 10;

	private static final int TRANSACTIONS = COMPLETE ? 50_000 : 5_000;

	private static final Duration MAX_DURATION = Duration.ofSeconds(COMPLETE ? 900 : 90);

	private static TortureRun run;

	@BeforeAll
	static void start() throws Exception {
		Assumptions.assumeTrue(TestDatabase.installed().anyMatch((each) -> each == TestDatabase.POSTGRESQL));
		System.out.printf("fence torture: repeat with: mvn -Pall -pl tests/fence -am verify -Dtests=fence-torture"
				+ " -Dtorture.seed=%d%n", SEED);
		Path logs = Files.createDirectories(Path.of("target/torture"));
		run = new TortureRun(TestDatabase.POSTGRESQL.url(), logs);
	}

	@AfterAll
	static void stop() throws Exception {
		if (run != null) {
			run.close();
		}
	}

	@Test
	@Order(1)
	void fencedTransactionsLoseNoUpdateUnderAllFaults() throws Exception {
		Random random = new Random(SEED);
		List<TortureFault> faults = TortureFault.draw(FAULTS, TortureRun.INSTANCES, random);
		run.begin(FenceVariant.RIGHT, 10, SEED);
		long start = System.nanoTime();
		run.run(faults, TRANSACTIONS, MAX_DURATION, random);
		run.end();
		List<Violation> found = run.check();
		print("fenced", start, found);
		assertThat(found).as("seed %d", SEED).isEmpty();
		assertThat(run.events(Kind.UNEXPECTED)).as("seed %d", SEED).isEmpty();
		assertThat(run.transactions()).as("seed %d: transactions", SEED).isGreaterThanOrEqualTo(TRANSACTIONS);
		assertThat(run.vain(faults)).as("seed %d: kinds of faults that were not felt", SEED).isEmpty();
		assertThat(run.events(Kind.OVERTAKEN)).as("seed %d: overtaken holders", SEED).isNotEmpty();
		assertThat(run.events(Kind.WAITING)).as("seed %d: raises that waited", SEED).isNotEmpty();
	}

	@Test
	@Order(2)
	void unfencedTransactionsLoseUpdatesUnderFaults() throws Exception {
		Random random = new Random(SEED);
		List<TortureFault> faults = TortureFault.draw(FAULTS, TortureRun.INSTANCES, random);
		run.begin(FenceVariant.UNFENCED, 10, SEED);
		long start = System.nanoTime();
		if (COMPLETE) {
			run.run(faults, TRANSACTIONS, MAX_DURATION, random);
		}
		else {
			// Whether a fault causes a lost update depends on the operations that are
			// under way.
			Iterator<TortureFault> endless = Stream.generate(() -> faults).flatMap(List::stream).iterator();
			run.runUntilCaught(FenceTortureIT::isLostUpdate, endless::next, Duration.ofMillis(300), MAX_DURATION);
		}
		run.end();
		List<Violation> found = run.check();
		print("unfenced", start, found);
		assertThat(found).as("seed %d", SEED).anyMatch(FenceTortureIT::isLostUpdate);
	}

	@ParameterizedTest
	@Order(3)
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "RIGHT", "UNFENCED" })
	void eachBrokenFenceVariantIsDetected(FenceVariant variant) throws Exception {
		Random random = new Random(SEED);
		run.begin(variant, 200, SEED);
		long start = System.nanoTime();
		Duration took = run.runUntilCaught((violation) -> true,
				() -> TortureFault.draw(Fault.RECORD_DELETED, TortureRun.INSTANCES, random), Duration.ofMillis(20),
				Duration.ofSeconds(20));
		run.end();
		List<Violation> found = run.check();
		print(variant + ", caught after " + took.toMillis() + " ms", start, found);
		assertThat(found).as("seed %d", SEED).isNotEmpty();
	}

	@AfterEach
	void end() throws Exception {
		run.end();
	}

	private static boolean isLostUpdate(Violation violation) {
		return violation.kind() == Violation.Kind.LOST_UPDATE;
	}

	private static void print(String what, long start, List<Violation> found) {
		System.out.printf(
				"fence torture: %s: seed %d, %d transactions in %.1f s, faults felt: %s, events: %s,"
						+ " violations: %s%n",
				what, SEED, run.transactions(), (System.nanoTime() - start) / 1e9, run.faults(), run.events(),
				found.stream().collect(Collectors.groupingBy(Violation::kind, Collectors.counting())));
	}

}
