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
import io.github.watchdoglock.benchmarks.report.Results;
import io.github.watchdoglock.benchmarks.run.Fleet.Shape;

/**
 * The measurement of cases in rounds: every contender once, then every contender again,
 * so that disturbances of the machine affect all contenders.
 */
final class Rounds {

	private final Place place;

	private final Results results;

	private final long start = System.nanoTime();

	Rounds(Place place, Results results) {
		this.place = place;
		this.results = results;
	}

	void measure(Shape shape, List<Case> cases) throws IOException, InterruptedException {
		if (shape.rounds() == 0) {
			inSameJvms(shape, cases);
			return;
		}
		for (Case each : cases) {
			inNewJvms(each);
		}
	}

	/* JVMs are kept for all cases; idle ones use almost no resources. */
	private void inSameJvms(Shape shape, List<Case> cases) throws IOException, InterruptedException {
		Map<Contender, Fleet> fleets = new LinkedHashMap<>();
		try {
			for (Contender contender : Contender.values()) {
				if (cases.stream().anyMatch((each) -> contenders(each).contains(contender))) {
					fleets.put(contender, Fleet.start(contender, shape, this.place));
				}
			}
			for (Case each : cases) {
				inRounds(each, contenders(each).stream().map(fleets::get).toList());
			}
		}
		finally {
			fleets.values().forEach(Fleet::close);
			this.place.redis().clear();
		}
	}

	private void inRounds(Case each, List<Fleet> fleets) throws IOException, InterruptedException {
		report(each.title());
		for (Fleet fleet : fleets) {
			each.round().warmUp(fleet);
		}
		for (int round = 1; round <= this.place.options().rounds(); round++) {
			for (int i = 0; i < fleets.size(); i++) {
				// Each contender follows the others equally often.
				add(each, fleets.get((round - 1 + i) % fleets.size()), round);
			}
		}
	}

	private void inNewJvms(Case each) throws IOException, InterruptedException {
		report(each.title());
		for (int round = 1; round <= each.shape().rounds(); round++) {
			for (Contender contender : contenders(each)) {
				try (Fleet fleet = Fleet.start(contender, each.shape(), this.place)) {
					add(each, fleet, round);
				}
				this.place.redis().clear();
			}
		}
	}

	private List<Contender> contenders(Case each) {
		return each.contenders().stream().filter(this.place.options()::has).toList();
	}

	private void add(Case each, Fleet fleet, int round) throws IOException, InterruptedException {
		Map<Measure, Double> values = each.round().measure(fleet);
		this.results.add(each.id(), each.title(), fleet.contender().title(), values);
		Map.Entry<Measure, Double> first = values.entrySet().iterator().next();
		report(String.format("  %d  %-34s %,12.1f %s", round, fleet.contender().title(), first.getValue(),
				first.getKey().key()));
	}

	private void report(String line) {
		System.out.printf("%5d s  %s%n", (System.nanoTime() - this.start) / 1_000_000_000, line);
	}

}
