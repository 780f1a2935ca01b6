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

package io.github.watchdoglock.metrics;

import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.Logged;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TransientGaugesTests {

	@Test
	void gaugesAreRegisteredOnceByConcurrentFirstUses() throws Exception {
		try (Logged logged = new Logged("io.micrometer")) {
			for (int i = 0; i < 500; i++) {
				MeterRegistry registry = new SimpleMeterRegistry();
				TransientGauges gauges = new TransientGauges(new TaggedMeters(registry, Tags.empty()));
				gauges.add("watchdog.lock.idle", "Idle locks");
				Concurrently.run(4, (thread) -> {
					gauges.use();
					return thread;
				});
				assertThat(registry.getMeters()).as("gauges").hasSize(1);
			}
			assertThat(logged.lines()).as("warnings of Micrometer").isEmpty();
		}
	}

}
