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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.ManualTicker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances over one store in memory, of which the one that is tested leaves nothing
 * to chance: all its moments are known. Its clock is beyond zero, as
 * {@link System#nanoTime()} may be.
 */
abstract class InstancesByHand {

	final ManualTicker ticker = beyondZero();

	final ThreadsByHand threads = new ThreadsByHand(this.ticker);

	final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	final ScriptedStore store = new ScriptedStore(this.memory);

	final TestEngine test = engine(EngineSettings.of("test"));

	final TestEngine other = TestEngine.over(this.ticker, this.memory);

	private static ManualTicker beyondZero() {
		ManualTicker ticker = new ManualTicker();
		ticker.advance(Duration.ofHours(3));
		return ticker;
	}

	TestEngine engine(EngineSettings settings) {
		return new TestEngine(settings, this.threads, this.ticker, this.store, this.memory, this.memory, Runnable::run);
	}

	static Hold hold(LockHandle handle) {
		return ((Handle) handle).hold();
	}

	/** The next command of a type is sent when so much time has passed, and no sooner. */
	void assertSentAfter(TestEngine engine, Class<?> command, Duration time) {
		long before = this.store.count(command);
		engine.pass(time.minus(TestEngine.TICK));
		assertThat(this.store.count(command)).as("before %s", time).isEqualTo(before);
		engine.pass(TestEngine.TICK);
		assertThat(this.store.count(command)).as("after %s", time).isEqualTo(before + 1);
	}

}
