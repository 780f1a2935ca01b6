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

package io.github.watchdoglock.fault;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How often each fault took effect. Thread-safe.
 */
final class FaultCounts {

	private final Map<Fault, AtomicLong> counts = new EnumMap<>(Fault.class);

	FaultCounts() {
		for (Fault fault : Fault.values()) {
			this.counts.put(fault, new AtomicLong());
		}
	}

	void add(Fault fault) {
		this.counts.get(fault).incrementAndGet();
	}

	long of(Fault fault) {
		return this.counts.get(fault).get();
	}

}
