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

package io.github.watchdoglock.topology.suite;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A topology, and the driver with which an application connects.
 *
 * @param topology the topology
 * @param driver the driver
 */
record Way(Topology topology, Driver driver) {

	/* One for each topology except the plain one, which other tests cover. */
	static Stream<Way> first() {
		return all().filter((way) -> way.driver == Driver.LETTUCE && way.topology != Topology.STANDALONE);
	}

	/* All drivers, or the one of -Dtopology.driver. */
	static Stream<Way> all() {
		String only = System.getProperty("topology.driver", "");
		return Arrays.stream(Topology.values())
			.filter(Topology::isPossible)
			.flatMap((topology) -> Arrays.stream(Driver.values())
				.filter(topology::isReachedBy)
				.filter((driver) -> only.isEmpty() || driver.name().equals(only))
				.map((driver) -> new Way(topology, driver)));
	}

	@Override
	public String toString() {
		return this.topology + " by " + this.driver;
	}

}
