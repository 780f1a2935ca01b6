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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.time.ManualTicker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances over one store in memory, whose time moves by hand: the one that is
 * tested, with a store that does as it is told, and another one.
 */
abstract class TwoInstances {

	final ManualTicker ticker = new ManualTicker();

	final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	final ScriptedStore store = new ScriptedStore(this.memory);

	final TestEngine test = new TestEngine(this.ticker, this.store, this.memory, this.memory);

	final TestEngine other = TestEngine.over(this.ticker, this.memory);

	/* Callers without a thread, one after the other, in a list that may change. */
	static List<CompletableFuture<LockHandle>> ask(TestEngine engine, LockRequest request, int count) {
		return new ArrayList<>(IntStream.range(0, count).mapToObj((i) -> engine.ask(request)).toList());
	}

	/* In none of the three places. */
	void assertNothingLeftOf(LockKey key) {
		assertThat(this.other.engine.find(key)).isEmpty();
		assertThat(this.test.keys()).isZero();
		assertThat(this.other.keys()).isZero();
		assertThat(this.test.pendingAlarms()).isZero();
		assertThat(this.other.pendingAlarms()).isZero();
	}

}
