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

import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;

/**
 * The measured time of a round, by {@link System#nanoTime()}, which all JVMs of a machine
 * share on Linux.
 *
 * @param from the beginning
 * @param until the end, exclusive
 */
record Span(long from, long until) implements Serializable {

	static Span in(Duration ahead, Duration length) {
		long from = System.nanoTime() + ahead.toNanos();
		return new Span(from, from + length.toNanos());
	}

	boolean contains(long time) {
		return time - this.from >= 0 && time - this.until < 0;
	}

	double seconds() {
		return (this.until - this.from) / 1e9;
	}

	/* Wait for the span, and return by how much a meter has grown in it. */
	double growthOf(DoubleSupplier meter) {
		sleepUntil(this.from);
		double before = meter.getAsDouble();
		sleepUntil(this.until);
		return meter.getAsDouble() - before;
	}

	/* Work that uses no CPU, like most work under a lock. */
	static void sleepUntil(long time) {
		for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
