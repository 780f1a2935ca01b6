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

package io.github.watchdoglock.benchmarks.hour;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Census} and {@link Growth}.
 */
class CensusTests {

	private static final String HISTOGRAM = """
			1234:
			 num     #instances         #bytes  class name (module)
			-------------------------------------------------------
			   1:         85311        7213000  [B (java.base@17.0.15)
			  40:            12            480  io.github.watchdoglock.engine.LocalLock
			  41:             3            120  [Lio.github.watchdoglock.time.TimerWheel$Entry;
			  42:             1             16  io.github.watchdoglock.engine.Watchdog$$Lambda/0x00007f00c8ab1c30
			Total        312000       20400000
			""";

	private static final String THREADS = """
			"main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=10.00s
			   java.lang.Thread.State: RUNNABLE
			"http-nio-8080-exec-1" #31 daemon [77] prio=5
			"http-nio-8080-exec-2" #32 daemon [78] prio=5
			"C2 CompilerThread0" #8 daemon prio=9
			"Attach Listener" #99 daemon prio=9
			"VM Thread" os_prio=0 cpu=5.00ms
			""";

	@Test
	void ourClassesAreCounted() {
		Census census = Census.parse(HISTOGRAM, THREADS);
		assertThat(census.classes()).hasSize(3).containsEntry("io.github.watchdoglock.engine.LocalLock", 12L);
		assertThat(Census.total(census.classes())).isEqualTo(16);
	}

	@Test
	void threadsAreCountedButThoseOfTheJvm() {
		assertThat(Census.parse(HISTOGRAM, THREADS).threads()).isEqualTo(Map.of("main", 1L, "http-nio-#-exec-#", 2L));
	}

	@Test
	void moreThanAHundredthIsGrowth() {
		assertThat(new Growth("things", 1000, 1010).passes()).isTrue();
		assertThat(new Growth("things", 1000, 1011).passes()).isFalse();
		assertThat(new Growth("things", 1000, 989).passes()).isFalse();
		assertThat(new Growth("threads", 60, 61).passes()).isFalse();
		assertThat(new Growth("things", 1000, 1011).row()).isEqualTo("| things | 1,000 | 1,011 | +1.1 % | FAIL |");
	}

	@Test
	void whatDiffersIsNamed() {
		assertThat(Growth.each(Map.of("a", 1L, "b", 2L), Map.of("b", 3L, "c", 4L)))
			.containsExactly(new Growth("a", 1, 0), new Growth("b", 2, 3), new Growth("c", 0, 4));
	}

}
