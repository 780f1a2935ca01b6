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

package io.github.watchdoglock.migration;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rolling updates from Redisson to this library and back, under load, with each
 * instance in its own JVM.
 */
class RollingUpdateIT {

	private static final int INSTANCES = 2;

	private static final int SECTIONS = 10_000;

	private final Queue<Section> sections = new ConcurrentLinkedQueue<>();

	private final List<InstanceProcess> started = new ArrayList<>();

	private TestRedis redis;

	@BeforeEach
	void startRedis() throws IOException {
		this.redis = new TestRedis();
	}

	@AfterEach
	void stop() throws IOException {
		this.started.forEach(InstanceProcess::close);
		this.redis.close();
	}

	@Test
	void noSectionsOverlapWhileEachInstanceIsReplacedForwardAndBack() throws Exception {
		// Starts all of them first, so that the load does not slow down their start
		List<InstanceProcess> releases = new ArrayList<>();
		for (Generation generation : List.of(Generation.REDISSON, Generation.BOTH, Generation.WATCHDOG_LOCK,
				Generation.BOTH, Generation.REDISSON)) {
			for (int i = 0; i < INSTANCES; i++) {
				releases.add(start(generation));
			}
		}
		Deque<InstanceProcess> running = new ArrayDeque<>();
		for (InstanceProcess instance : releases) {
			instance.work();
			running.add(instance);
			if (running.size() > INSTANCES) {
				running.remove().stop();
				awaitSections(running, SECTIONS / (releases.size() - INSTANCES));
			}
		}
		for (InstanceProcess instance : running) {
			instance.stop();
		}
		Map<List<Generation>, Integer> handOvers = Overlaps.handOvers(this.sections);
		System.out.println(this.sections.size() + " sections, and hand-overs between generations: " + handOvers);
		assertThat(this.sections).hasSizeGreaterThanOrEqualTo(SECTIONS);
		assertThat(Overlaps.in(this.sections)).isEmpty();
		assertThat(handOvers)
			.containsOnlyKeys(List.of(Generation.REDISSON, Generation.BOTH),
					List.of(Generation.BOTH, Generation.REDISSON), List.of(Generation.BOTH, Generation.WATCHDOG_LOCK),
					List.of(Generation.WATCHDOG_LOCK, Generation.BOTH))
			.allSatisfy((generation, count) -> assertThat(count).isGreaterThan(100));
	}

	@Test
	void sectionsOverlapWithoutGenerationWithBothLocks() throws Exception {
		List<InstanceProcess> instances = List.of(start(Generation.REDISSON), start(Generation.WATCHDOG_LOCK));
		for (InstanceProcess instance : instances) {
			instance.work();
		}
		awaitSections(instances, 200);
		for (InstanceProcess instance : instances) {
			instance.stop();
		}
		assertThat(Overlaps.in(this.sections)).isNotEmpty()
			.allMatch((overlap) -> overlap.contains("REDISSON") && overlap.contains("WATCHDOG_LOCK"));
	}

	private InstanceProcess start(Generation generation) throws IOException {
		InstanceProcess instance = new InstanceProcess(generation, this.redis.port(), this.sections);
		this.started.add(instance);
		return instance;
	}

	/* Wait for this number of sections in all, and for some of each instance. */
	private void awaitSections(Iterable<InstanceProcess> instances, int count) {
		int before = this.sections.size();
		Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10)).untilAsserted(() -> {
			assertThat(this.sections.size() - before).isGreaterThanOrEqualTo(count);
			assertThat(instances).allMatch((instance) -> instance.sections() > 100);
		});
	}

}
