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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Results;

/**
 * Measures cases in rounds: every contender once, then every contender again, so that
 * what a machine does besides is done to all.
 */
final class Measuring {

	private final Place place;

	private final Settings settings;

	private final Results results;

	private final long start = System.nanoTime();

	Measuring(Place place, Settings settings, Results results) {
		this.place = place;
		this.settings = settings;
		this.results = results;
	}

	/* JVMs stay for all cases; idle ones take next to nothing. */
	void inSameJvms(Layout layout, List<Case> cases) throws IOException, InterruptedException {
		Map<Contender, Fleet> fleets = new LinkedHashMap<>();
		try {
			for (Contender contender : Contender.values()) {
				if (this.place.classPath().has(contender)
						&& cases.stream().anyMatch((each) -> each.contenders().contains(contender))) {
					fleets.put(contender, Fleet.start(contender, layout, this.place, Fleet.LEASE));
				}
			}
			for (Case each : cases) {
				measure(each, each.contenders().stream().filter(fleets::containsKey).map(fleets::get).toList());
			}
		}
		finally {
			fleets.values().forEach(Fleet::close);
			this.place.redis().clear();
		}
	}

	private void measure(Case each, List<Fleet> fleets) throws IOException, InterruptedException {
		report(each.title());
		for (Fleet fleet : fleets) {
			each.warmUp(fleet, this.place);
		}
		for (int round = 1; round <= this.settings.rounds(); round++) {
			for (Fleet fleet : fleets) {
				add(each, fleet, round);
			}
		}
	}

	/* What is held is never given back: its JVM ends. */
	void inNewJvms(Case each, Duration lease, int rounds) throws IOException, InterruptedException {
		report(each.title());
		for (int round = 1; round <= rounds; round++) {
			for (Contender contender : each.contenders().stream().filter(this.place.classPath()::has).toList()) {
				try (Fleet fleet = Fleet.start(contender, Layout.ONE, this.place, lease)) {
					add(each, fleet, round);
				}
				this.place.redis().clear();
			}
		}
	}

	private void add(Case each, Fleet fleet, int round) throws IOException, InterruptedException {
		Map<String, Double> values = each.round(fleet, this.place);
		this.results.add(each.id(), each.title(), fleet.contender().title(), values);
		Map.Entry<String, Double> first = values.entrySet().iterator().next();
		report(String.format("  %d  %-34s %,12.1f %s", round, fleet.contender().title(), first.getValue(),
				first.getKey()));
	}

	private void report(String line) {
		System.out.printf("%5d s  %s%n", (System.nanoTime() - this.start) / 1_000_000_000, line);
	}

}
