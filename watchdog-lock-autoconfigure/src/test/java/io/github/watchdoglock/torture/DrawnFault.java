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

package io.github.watchdoglock.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A seeded fault that is to be injected.
 *
 * @param kind the kind
 * @param instance the affected instance, unless all are affected
 * @param length its duration or distance
 * @param detail decides open details
 */
record DrawnFault(FaultKind kind, int instance, Duration length, int detail) {

	private static final double LEASE = 1_000;

	/* R, L - S, L, 1.2 L, 2 L: the times at which the state of a lease changes. */
	private static final List<Double> LENGTHS = List.of(LEASE / 3, LEASE * 5 / 6, LEASE, LEASE * 1.2, LEASE * 2);

	/* Draw as many of each kind and of each length as possible, in any order. */
	static List<DrawnFault> draw(int count, int instances, Random random) {
		List<FaultKind> kinds = deck(List.of(FaultKind.values()), count, random);
		List<Double> lengths = deck(LENGTHS, count, random);
		List<DrawnFault> faults = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			double around = random.nextDouble(0.95, 1.05);
			faults.add(new DrawnFault(kinds.get(i), random.nextInt(instances),
					Duration.ofMillis((long) (lengths.get(i) * around)), random.nextInt(1_000)));
		}
		return faults;
	}

	DrawnFault to(int instance) {
		return new DrawnFault(this.kind, instance, this.length, this.detail);
	}

	/* Decides between two alternatives. */
	boolean isEven() {
		return this.detail % 2 == 0;
	}

	private static <T> List<T> deck(List<T> cards, int count, Random random) {
		List<T> drawn = new ArrayList<>();
		while (drawn.size() < count) {
			List<T> shuffled = new ArrayList<>(cards);
			Collections.shuffle(shuffled, random);
			drawn.addAll(shuffled);
		}
		return drawn.subList(0, count);
	}

}
