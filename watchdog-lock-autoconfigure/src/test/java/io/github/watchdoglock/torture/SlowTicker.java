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

import io.github.watchdoglock.time.Ticker;

/**
 * A clock that is slower than the machine's clock by a constant rate. Immutable.
 *
 * @param machine the machine's clock
 * @param rate its speed, at most 1
 * @param start when both clocks had the same value, by the machine's clock
 */
record SlowTicker(Ticker machine, double rate, long start) implements Ticker {

	@Override
	public long read() {
		return this.start + (long) ((this.machine.read() - this.start) * this.rate);
	}

	/* The machine's nanoseconds in which this clock advances by so much, rounded down. */
	long real(Duration time) {
		return (long) (time.toNanos() / this.rate);
	}

}
