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

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param quick whether it is only to be seen that it works
 * @param rounds how often each contender is measured in each case
 * @param warmUp how long each works before the first round of a case
 * @param ramp how long each works before it is measured in a round
 * @param length how long a round is measured
 * @param slowLength the same where locks are held for long
 * @param held how many locks are held for renewal
 * @param heldLease the lease of those
 * @param cycles how many locks and releases come before the one that is watched
 * @param cyclesLease the lease of that one
 * @param newKeys how many keys are new in each second for which one is remembered
 */
record Settings(boolean quick, int rounds, Duration warmUp, Duration ramp, Duration length, Duration slowLength,
		int held, Duration heldLease, int cycles, Duration cyclesLease, int newKeys) {

	Settings {
		if (rounds < 1 || length.isNegative() || length.isZero()) {
			throw new IllegalArgumentException("'rounds' and 'seconds' must be positive: " + rounds + ", " + length);
		}
	}

	/* Half an hour. */
	static Settings defaults() {
		return new Settings(false, 5, Duration.ofSeconds(8), Duration.ofMillis(200), Duration.ofMillis(1500),
				Duration.ofSeconds(4), 100_000, Duration.ofSeconds(6), 20_000, Duration.ofSeconds(9), 1000);
	}

	/* Two minutes. */
	static Settings minimal() {
		return new Settings(true, 1, Duration.ofMillis(300), Duration.ofMillis(300), Duration.ofMillis(400),
				Duration.ofMillis(1500), 5_000, Duration.ofSeconds(3), 2_000, Duration.ofMillis(4500), 50);
	}

	Settings withRounds(int rounds) {
		return new Settings(this.quick, rounds, this.warmUp, this.ramp, this.length, this.slowLength, this.held,
				this.heldLease, this.cycles, this.cyclesLease, this.newKeys);
	}

	Settings withLength(Duration length) {
		return new Settings(this.quick, this.rounds, this.warmUp, this.ramp, length, this.slowLength, this.held,
				this.heldLease, this.cycles, this.cyclesLease, this.newKeys);
	}

}
