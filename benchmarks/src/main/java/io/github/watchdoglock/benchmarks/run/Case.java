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

/**
 * Something that is measured of several contenders.
 */
interface Case {

	/* Names it in options and results. */
	String id();

	/* Says what happens. */
	String title();

	List<Contender> contenders();

	/* Let JVMs work until they are as quick as they get. */
	default void warmUp(Fleet fleet, Place place) throws IOException, InterruptedException {
	}

	/* Measure once: values by what they are. */
	Map<String, Double> round(Fleet fleet, Place place) throws IOException, InterruptedException;

}
