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

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.worker.Cycles;

/**
 * What a replica is sent.
 *
 * @param settings how much is measured
 */
record ReplicationCase(Settings settings) implements Case {

	private static final int TRIES = 300;

	@Override
	public String id() {
		return "replication";
	}

	@Override
	public String title() {
		return "Bytes to a replica, for each lock and unlock that nobody waits for";
	}

	@Override
	public List<Contender> contenders() {
		return List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE, Contender.REDISSON,
				Contender.REGISTRY_SPIN, Contender.REGISTRY_PUB_SUB, Contender.SHEDLOCK, Contender.BARE_PAIR);
	}

	/* Scripts are there before it is counted: those are sent too. */
	@Override
	public Map<String, Double> round(Fleet fleet, Place place) throws IOException, InterruptedException {
		try (RedisProcess replica = place.server().startReplica(place.folder().resolve("replica.log"))) {
			await(place.redis(), replica);
			cycle(fleet, "first", 1);
			long before = place.redis().replicated();
			cycle(fleet, "next", this.settings.cycles());
			long bytes = place.redis().replicated() - before;
			return Map.of(Measure.REPLICA_BYTES, bytes / (double) this.settings.cycles());
		}
	}

	private static void cycle(Fleet fleet, String key, int count) throws IOException {
		fleet.give(new Cycles(key, count));
		fleet.answers(Integer.class);
	}

	private static void await(RedisAdmin redis, RedisProcess replica) throws InterruptedException {
		for (int i = 0; !redis.hasReplica(); i++) {
			if (i == TRIES) {
				throw new IllegalStateException("The replica at port " + replica.port() + " did not become one");
			}
			Thread.sleep(100);
		}
	}

}
