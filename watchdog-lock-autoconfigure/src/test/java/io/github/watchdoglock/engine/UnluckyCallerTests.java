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
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers whose stack ends, or whose store does not answer.
 */
class UnluckyCallerTests {

	private static final int TIMES = 60;

	@Test
	@Tag("slow")
	void callersWhoseStackEndsCostNoKey() throws Exception {
		InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		try (LockEngine engine = new LockEngine(EngineSettings.of("test"), store, store, store)) {
			AtomicInteger overflows = new AtomicInteger();
			for (int i = 0; i < TIMES; i++) {
				LockRequest request = LockRequest.of("orders", "" + i);
				Thread thread = new Thread(null, () -> dive(engine, request, overflows, 0), "diver",
						256 * 1_024 + i * 64);
				thread.start();
				thread.join();
			}
			assertThat(overflows).hasValueGreaterThan(TIMES);
			for (int i = 0; i < TIMES; i++) {
				Optional<LockHandle> lock = engine
					.tryAcquire(LockRequest.of("orders", "" + i).withWaitTime(Duration.ofSeconds(5)));
				assertThat(lock).as("key %d", i).isPresent();
				lock.get().close();
			}
		}
	}

	/* On the way back, each frame tries until there is room enough. */
	private static void dive(LockEngine engine, LockRequest request, AtomicInteger overflows, int depth) {
		try {
			if (depth < Integer.MAX_VALUE) {
				dive(engine, request, overflows, depth + 1);
			}
		}
		catch (StackOverflowError ex) {
			overflows.incrementAndGet();
			engine.execute(request, (lock) -> lock.fencingToken());
		}
	}

	@Test
	void aCallerWhoWaitsWithoutEndHearsOfAStoreThatDoesNotAnswer() {
		ManualTicker ticker = new ManualTicker();
		InMemoryLeaseStore records = new InMemoryLeaseStore(ticker, ticker.wallClock);
		ScriptedStore store = new ScriptedStore(records);
		TestEngine test = new TestEngine(ticker, store, records, records);
		store.hold = true;
		CompletableFuture<LockHandle> first = test.ask(LockRequest.of("orders").withWaitTime(Duration.ofMillis(-1)));
		test.pass(Duration.ofSeconds(3));
		CompletableFuture<LockHandle> second = test.ask(LockRequest.of("orders").withWaitTime(Duration.ofMillis(-1)));
		assertThat(first).isNotDone();
		test.pass(Duration.ofSeconds(12));
		assertThat(first).isCompletedExceptionally();
		test.pass(Duration.ofSeconds(3));
		assertThat(second).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(LockStoreException.class);
		store.deliver();
		test.pass(Duration.ofMinutes(2));
		assertThat(test.keys()).isZero();
		assertThat(test.pendingAlarms()).isZero();
	}

}
