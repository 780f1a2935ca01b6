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
 * Something that is measured of several contenders.
 *
 * @param id names it in options and results
 * @param title says what happens
 * @param shape what JVMs it needs
 * @param contenders who takes part
 * @param round what is done in a round
 */
record Case(String id, String title, Fleet.Shape shape, List<Contender> contenders, Round round) {

	/**
	 * What is done with the JVMs of a contender.
	 */
	@FunctionalInterface
	interface Round {

		/* Measure once: values by what they are. */
		Map<Measure, Double> measure(Fleet fleet) throws IOException, InterruptedException;

		/* Let JVMs work until they are as quick as they get. */
		default void warmUp(Fleet fleet) throws IOException, InterruptedException {
		}

	}

}
