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

package io.github.watchdoglock.benchmarks.calls;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.time.Ticker;

/**
 * An engine with the store in memory, for callers of locks that no other caller requests.
 */
public final class UncontendedLocks implements Function<String, Callable<LockHandle>> {

	private final LockEngine engine;

	/**
	 * Create an engine.
	 * @param linger for how long a lease is kept after its lock was released
	 */
	public UncontendedLocks(Duration linger) {
		InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		EngineSettings settings = EngineSettings.of("calls").withLinger(new TimeRules(linger, Map.of()));
		this.engine = new LockEngine(settings, store, store, store);
	}

	@Override
	public Callable<LockHandle> apply(String id) {
		LockRequest request = LockRequest.of("calls", id);
		return () -> {
			LockHandle handle = this.engine.acquire(request);
			handle.close();
			return handle;
		};
	}

}
