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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.worker.NewKeys;

/**
 * What Redis keeps of keys that are locked once, when as many are forgotten as are new.
 *
 * @param settings how much is measured
 */
record NewKeysCase(Settings settings) implements Case {

	private static final int PER_SECOND = 1000;

	private static final int FIRST = 100;

	@Override
	public String id() {
		return "new-keys";
	}

	@Override
	public String title() {
		return String.format("Memory of Redis where %,d new keys a second are locked once", PER_SECOND);
	}

	@Override
	public List<Contender> contenders() {
		return List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE, Contender.REDISSON);
	}

	/*
	 * As many keys as are new while one is remembered, all at once: that is what Redis
	 * has of them at any time later.
	 */
	@Override
	public Map<String, Double> round(Fleet fleet, Place place) throws IOException {
		take(fleet, "first", FIRST);
		double seconds = place.redis().longestTtl() / 1e3;
		int keys = (int) (this.settings.newKeys() * Math.max(1, seconds));
		long start = System.nanoTime();
		long before = place.redis().memory();
		take(fleet, "next", keys);
		long bytes = Math.max(0, place.redis().memory() - before);
		if (seconds > 0 && System.nanoTime() - start > seconds * 1e9) {
			throw new TaskFailedException(
					"The first of " + keys + " keys was forgotten before the last one came: the machine is too slow");
		}
		double megabytes = bytes * (PER_SECOND / (double) this.settings.newKeys()) / 1e6;
		Map<String, Double> values = new LinkedHashMap<>();
		values.put(Measure.REMEMBERED_MEGABYTES, megabytes);
		values.put(Measure.REMEMBERED_SECONDS, seconds);
		return values;
	}

	private static void take(Fleet fleet, String prefix, int keys) throws IOException {
		fleet.give(new NewKeys(prefix, keys));
		fleet.answers(Integer.class);
	}

}
