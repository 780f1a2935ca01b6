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

import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.Ticker;

/**
 * A factory for engines with clocks of their own, and a running watchdog.
 */
public final class ClockedEngine {

	private ClockedEngine() {
	}

	/**
	 * Create an engine; it works at once.
	 * @param settings its settings
	 * @param ticker its elapsed time
	 * @param wallClock its time of day
	 * @param store the store of its leases
	 * @param inspector the operations of operators on the same store
	 * @param wakeUps hints from the same store
	 * @param observer is notified of everything inline
	 * @return the engine
	 */
	public static LockEngine create(EngineSettings settings, Ticker ticker, InstantSource wallClock, LeaseStore store,
			LeaseInspector inspector, WakeUps wakeUps, EngineObserver observer) {
		EngineContext context = new EngineContext(settings, ticker, wallClock, store, new Events(observer));
		LockEngine engine = new LockEngine(context, inspector, wakeUps);
		context.start();
		return engine;
	}

}
