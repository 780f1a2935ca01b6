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
import java.util.EnumMap;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;

/**
 * A round whose throughput is also divided by that of the preceding round of the first
 * contender.
 */
final class ComparedRound implements Case.Round {

	private final Case.Round round;

	private final Contender first;

	private double before = Double.NaN;

	ComparedRound(Case.Round round, Contender first) {
		this.round = round;
		this.first = first;
	}

	@Override
	public void warmUp(Fleet fleet) throws IOException, InterruptedException {
		this.round.warmUp(fleet);
	}

	@Override
	public Map<Measure, Double> measure(Fleet fleet) throws IOException, InterruptedException {
		Map<Measure, Double> values = new EnumMap<>(this.round.measure(fleet));
		double throughput = values.getOrDefault(Measure.PER_SECOND, Double.NaN);
		if (fleet.contender() == this.first) {
			this.before = throughput;
		}
		values.put(Measure.TO_FIRST, throughput / this.before);
		return values;
	}

}
