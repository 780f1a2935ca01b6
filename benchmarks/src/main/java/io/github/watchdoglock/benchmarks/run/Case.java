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
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Measure;

/**
 * A case that is measured with several contenders.
 *
 * @param id the id in options and results
 * @param title the description
 * @param shape the JVMs that it needs
 * @param contenders the contenders that take part
 * @param round the work of a round
 */
record Case(String id, String title, Fleet.Shape shape, List<Contender> contenders, Round round) {

	/**
	 * A round with the JVMs of a contender.
	 */
	@FunctionalInterface
	interface Round {

		/* Measure once, and return the values by their measures. */
		Map<Measure, Double> measure(Fleet fleet) throws IOException, InterruptedException;

		/* Let the JVMs work until they have reached their full speed. */
		default void warmUp(Fleet fleet) throws IOException, InterruptedException {
		}

	}

}
