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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Callers whose thread fails while they wait, and goes on failing while what they had is
 * given up: it costs nobody else the key.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class FailingCallerTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest FOREVER = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	private final FailingTicker ticker = new FailingTicker();

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(this.ticker::readAnyhow, this.ticker.wallClock);

	private final ThreadsByHand threads = new ThreadsByHand(this.ticker);

	private final List<Runnable> completions = new ArrayList<>();

	private final TestEngine test = new TestEngine(EngineSettings.of("test"), this.threads, this.ticker, this.store,
			this.store, this.store, this.completions::add);

	static IntStream failures() {
		return IntStream.rangeClosed(0, 6);
	}

	@ParameterizedTest
	@MethodSource("failures")
	void oneWhoWaitsLeavesTheQueueToTheOthers(int failures) {
		LockHandle holder = grant(this.test.ask(FOREVER));
		CompletableFuture<LockHandle> before = this.test.ask(FOREVER);
		CompletableFuture<LockHandle> after = new CompletableFuture<>();
		this.threads.wait = (nanos) -> {
			this.test.ask(FOREVER).thenAccept(after::complete);
			fail(failures);
		};
		acquireInVain();
		holder.close();
		grant(before).close();
		grant(after).close();
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@MethodSource("failures")
	void oneWhoWasGrantedTheLockMeanwhileGivesItBack(int failures) {
		LockHandle holder = grant(this.test.ask(FOREVER));
		CompletableFuture<LockHandle> next = new CompletableFuture<>();
		this.threads.wait = (nanos) -> {
			this.test.ask(FOREVER).thenAccept(next::complete);
			holder.close();
			assertThat(this.test.engine.list()).extracting("status").asString().contains("HELD", "WAITING");
			fail(failures);
		};
		acquireInVain();
		turn();
		grant(next).close();
		assertNothingIsLeft();
	}

	@ParameterizedTest
	@MethodSource("failures")
	void theOnlyOneWhoWaitsTakesItsAttemptAlong(int failures) {
		TestEngine other = TestEngine.over(this.ticker, this.store);
		LockHandle holder = other.ask(FOREVER).join();
		this.threads.wait = (nanos) -> fail(failures);
		acquireInVain();
		turn();
		assertThat(other.engine.find(KEY).orElseThrow().waiting()).isZero();
		holder.close();
		assertThat(other.engine.find(KEY)).isEmpty();
		assertNothingIsLeft();
	}

	private void fail(int failures) {
		this.ticker.failures = failures;
		throw new LinkageError("on purpose");
	}

	private void acquireInVain() {
		assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> this.test.engine.acquire(FOREVER));
		this.ticker.failures = 0;
	}

	private LockHandle grant(CompletableFuture<LockHandle> asked) {
		turn();
		assertThat(asked).isCompleted();
		return asked.join();
	}

	private void turn() {
		this.ticker.advance(TestEngine.TICK);
		this.test.turn();
		while (!this.completions.isEmpty()) {
			this.completions.remove(0).run();
		}
	}

	private void assertNothingIsLeft() {
		turn();
		assertThat(this.test.cohorts()).isZero();
		assertThat(this.test.pendingAlarms()).isZero();
		assertThat(this.test.engine.current()).isEmpty();
		assertThat(this.threads.failures).isEmpty();
		assertThat(this.test.engine.stop().toCompletableFuture()).isCompleted();
	}

	/**
	 * Cannot be read so many times.
	 */
	private static final class FailingTicker extends ManualTicker {

		private int failures;

		@Override
		public long read() {
			if (this.failures > 0) {
				this.failures--;
				throw new OutOfMemoryError("on purpose");
			}
			return super.read();
		}

		private long readAnyhow() {
			return super.read();
		}

	}

}
