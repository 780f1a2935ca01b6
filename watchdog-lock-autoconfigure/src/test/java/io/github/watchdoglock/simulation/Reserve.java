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

package io.github.watchdoglock.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A pool of threads that are reused in several worlds, because creating one takes as long
 * as a tenth of a world. Not thread-safe.
 */
final class Reserve {

	final Carrier carrier = new Carrier();

	private final Deque<SimulatedThread> free = new ArrayDeque<>();

	private int begun;

	SimulatedThread take() {
		SimulatedThread thread = this.free.poll();
		return (thread != null) ? thread : new SimulatedThread(this.carrier, "simulated-" + ++this.begun);
	}

	void putBack(SimulatedThread thread) {
		this.free.push(thread);
	}

}
