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

package io.github.watchdoglock.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Reduces a failed world to the acts that are needed for the failure.
 */
final class Shrinker {

	private final long seed;

	private final String violation;

	private final int acts;

	Shrinker(long seed, String violation) {
		this.seed = seed;
		this.violation = violation;
		this.acts = new Plan(seed).acts.size();
	}

	/* The seed, the violation, and the event trace of the smallest world found. */
	String tell() {
		BitSet left = shrink();
		List<String> trace = new ArrayList<>();
		Simulation.play(this.seed, left, trace);
		return "Seed " + this.seed + ": " + this.violation + "\nWith " + (this.acts - left.cardinality()) + " of "
				+ this.acts + " acts:\n" + String.join("\n", trace)
				+ "\nRepeat with: mvn -pl watchdog-lock-autoconfigure test -Dtest=SimulationTests -Dsimulation.seed="
				+ this.seed;
	}

	private BitSet shrink() {
		BitSet left = new BitSet();
		boolean smaller = true;
		while (smaller) {
			smaller = false;
			for (int act = 0; act < this.acts; act++) {
				if (!left.get(act)) {
					left.set(act);
					if (isTheSame(Simulation.play(this.seed, left, null))) {
						smaller = true;
					}
					else {
						left.clear(act);
					}
				}
			}
		}
		return left;
	}

	/* The same kind of violation, ignoring its instance and time. */
	private boolean isTheSame(String violation) {
		return violation != null && kind(violation).equals(kind(this.violation));
	}

	private static String kind(String violation) {
		return violation.replaceAll("\\d+", "");
	}

}
