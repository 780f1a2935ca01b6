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

package io.github.watchdoglock.engine;

import java.time.InstantSource;

import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.AfterEach;

/**
 * An engine with a store in memory, with the threads and clocks of the JVM.
 */
abstract class RunningEngine {

	final InMemoryLeaseStore store = newStore();

	final LockEngine engine = start(this.store);

	@AfterEach
	void closeEngine() {
		this.engine.close();
	}

	static InMemoryLeaseStore newStore() {
		return new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
	}

	static LockEngine start() {
		return start(newStore());
	}

	private static LockEngine start(InMemoryLeaseStore store) {
		return new LockEngine(EngineSettings.of("test"), store, store, store);
	}

}
