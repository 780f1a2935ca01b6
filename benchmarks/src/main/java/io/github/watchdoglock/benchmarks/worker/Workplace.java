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

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.benchmarks.lock.Competitor;

/**
 * What a JVM has from one task to the next.
 *
 * @param first the number of its first instance among those of all JVMs, from one
 * @param instances its instances
 * @param kept what tasks leave held
 */
public record Workplace(int first, List<Competitor> instances, List<Object> kept) {

	/**
	 * A place where nothing is kept yet.
	 * @param first the number of its first instance, from one
	 * @param instances its instances
	 */
	public Workplace(int first, List<Competitor> instances) {
		this(first, instances, new ArrayList<>());
	}

	Competitor only() {
		if (this.instances.size() != 1) {
			throw new IllegalStateException("This task is for a JVM of one instance");
		}
		return this.instances.get(0);
	}

}
