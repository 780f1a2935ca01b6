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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Tests for {@link Histogram}.
 */
class HistogramTests {

	private final Histogram histogram = new Histogram();

	@Test
	void percentilesAreRightToOneInAHundred() {
		for (int i = 1; i <= 100_000; i++) {
			this.histogram.record(i * 1_000L);
		}
		assertThat(this.histogram.percentile(0.5)).isCloseTo(50_000_000, withinPercentage(1));
		assertThat(this.histogram.percentile(0.99)).isCloseTo(99_000_000, withinPercentage(1));
		assertThat(this.histogram.max()).isEqualTo(100_000_000);
	}

	@Test
	void everyMagnitudeIsCountedWhereItBelongs() {
		for (long nanos = 1; nanos < 1_000_000_000_000L; nanos = nanos * 3 + 1) {
			Histogram single = new Histogram();
			single.record(nanos);
			assertThat(single.percentile(1)).isCloseTo((double) nanos, withinPercentage(1));
		}
	}

	@Test
	void whatIsTooLongOrNegativeIsCountedAtTheEnds() {
		this.histogram.record(Long.MAX_VALUE);
		this.histogram.record(-1);
		assertThat(this.histogram.count()).isEqualTo(2);
		assertThat(this.histogram.percentile(0.5)).isZero();
	}

	@Test
	void sumCountsBoth() {
		Histogram other = new Histogram();
		other.record(10);
		this.histogram.record(20);
		this.histogram.record(30);
		this.histogram.add(other);
		assertThat(this.histogram.count()).isEqualTo(3);
		assertThat(this.histogram.percentile(0.5)).isEqualTo(20);
		assertThat(this.histogram.max()).isEqualTo(30);
	}

	@Test
	void percentileOfNothingIsNoNumber() {
		assertThat(this.histogram.percentile(0.5)).isNaN();
	}

}
