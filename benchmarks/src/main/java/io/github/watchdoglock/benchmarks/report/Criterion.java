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

package io.github.watchdoglock.benchmarks.report;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What is asked of a number.
 *
 * @param subject what the number says
 * @param bound what is asked
 * @param atMost whether that is the most, else it is the least
 * @param format how the number is printed
 * @param value the number, not a number where it was not measured
 */
record Criterion(String subject, double bound, boolean atMost, String format, ToDoubleFunction<Results> value) {

	String asked() {
		return (this.atMost ? "≤ " : "≥ ") + print(this.bound);
	}

	String print(double number) {
		return Double.isNaN(number) ? "–" : String.format(Locale.ROOT, this.format, number);
	}

	String verdict(Results results) {
		double number = this.value.applyAsDouble(results);
		if (Double.isNaN(number)) {
			return "not measured";
		}
		return (this.atMost ? number <= this.bound : number >= this.bound) ? "yes" : "**no**";
	}

}
