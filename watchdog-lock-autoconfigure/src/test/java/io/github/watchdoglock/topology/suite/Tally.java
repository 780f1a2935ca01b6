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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

import io.github.watchdoglock.redis.RedisServer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Counts the tests that have passed, and prints a column of contributing/topologies.md at
 * the end.
 */
final class Tally implements AfterEachCallback {

	@Override
	public void afterEach(ExtensionContext context) {
		if (context.getExecutionException().isEmpty()) {
			Counts counts = context.getRoot()
				.getStore(ExtensionContext.Namespace.GLOBAL)
				.computeIfAbsent(Counts.class, (type) -> new Counts(), Counts.class);
			counts.add(context.getRequiredTestInstance());
		}
	}

	/**
	 * The counts of all classes.
	 */
	static final class Counts implements AutoCloseable {

		private final Map<Way, Integer> contract = new ConcurrentHashMap<>();

		private final Map<Way, Integer> core = new ConcurrentHashMap<>();

		private final Map<String, Integer> others = new ConcurrentSkipListMap<>();

		void add(Object test) {
			if (test instanceof TopologyContractIT kept) {
				this.contract.merge(kept.way, 1, Integer::sum);
			}
			else if (test instanceof TopologyCore played) {
				this.core.merge(played.way, 1, Integer::sum);
			}
			else {
				this.others.merge(test.getClass().getSimpleName(), 1, Integer::sum);
			}
		}

		@Override
		public void close() throws Exception {
			System.out.println("Passed with " + RedisServer.executable());
			Way.all()
				.forEach((way) -> System.out.println("| " + way + " | " + this.contract.getOrDefault(way, 0) + " + "
						+ this.core.getOrDefault(way, 0) + " |"));
			this.others.forEach((name, count) -> System.out.println("| " + name + " | " + count + " |"));
		}

	}

}
