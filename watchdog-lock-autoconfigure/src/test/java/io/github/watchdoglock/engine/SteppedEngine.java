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

import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.ManualTicker;

/**
 * An engine whose time moves by hand, for tests elsewhere: no thread of its own, users'
 * completions inline.
 */
public final class SteppedEngine {

	private final TestEngine test;

	/**
	 * Create an engine; it works at once.
	 * @param ticker its elapsed time and its time of day
	 * @param store where leases live
	 * @param inspector what operators ask the same store
	 * @param wakeUps hints from the same store
	 */
	public SteppedEngine(ManualTicker ticker, LeaseStore store, LeaseInspector inspector, WakeUps wakeUps) {
		this.test = new TestEngine(ticker, store, inspector, wakeUps);
	}

	/**
	 * The engine.
	 * @return always the same
	 */
	public LockEngine engine() {
		return this.test.engine;
	}

	/**
	 * Have its watchdog take a turn.
	 */
	public void turn() {
		this.test.turn();
	}

	/**
	 * How long there is between two turns.
	 * @return the time
	 */
	public static Duration tick() {
		return TestEngine.TICK;
	}

	/**
	 * What its listeners have heard.
	 * @return in order
	 */
	public List<String> heard() {
		return List.copyOf(this.test.events.heard);
	}

}
