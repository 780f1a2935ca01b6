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

package io.github.watchdoglock.benchmarks.worker;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What the callers of a JVM, or of several, had.
 *
 * @param callers each of them
 * @param total how often any got the lock, outside the span too
 * @param pairs how long it took to get and give back a lock, work left out, in the span
 * @param gaps for how long nobody was inside from one instance to another, in the span
 * @param cpuNanos processor time of the JVMs in the span
 */
public record ContentionResult(List<CallerResult> callers, long total, Histogram pairs, Histogram gaps,
		long cpuNanos) implements Serializable {

	static ContentionResult of(List<ContentionResult> parts, long cpuNanos) {
		ContentionResult sum = sum(parts);
		return new ContentionResult(sum.callers, sum.total, sum.pairs, sum.gaps, cpuNanos);
	}

	/**
	 * What several had together.
	 * @param parts each of them
	 * @return the sum
	 */
	public static ContentionResult sum(List<ContentionResult> parts) {
		List<CallerResult> callers = new ArrayList<>();
		Histogram pairs = new Histogram();
		Histogram gaps = new Histogram();
		long total = 0;
		long cpuNanos = 0;
		for (ContentionResult part : parts) {
			callers.addAll(part.callers);
			pairs.add(part.pairs);
			gaps.add(part.gaps);
			total += part.total;
			cpuNanos += part.cpuNanos;
		}
		return new ContentionResult(callers, total, pairs, gaps, cpuNanos);
	}

	/**
	 * How often any got the lock in the span.
	 * @return the number
	 */
	public long acquired() {
		return this.callers.stream().mapToLong(CallerResult::acquired).sum();
	}

}
