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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreCall}: an answer is taken once, whatever fails on the way.
 */
class StoreCallTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest FOREVER = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	private final FailingTicker ticker = new FailingTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final TestEngine test = engine(this.store);

	private final TestEngine other = TestEngine.over(this.ticker, this.memory);

	private TestEngine engine(LeaseStore store) {
		return new TestEngine(EngineSettings.of("test"), new ThreadsByHand(this.ticker), this.ticker, store,
				this.memory, this.memory, Runnable::run);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void oneThatIsToldSecondIsHeard(int forgotten) {
		Deaf deaf = new Deaf(forgotten);
		TestEngine test = engine(deaf);
		test.ask(FOREVER).join().close();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		assertThat(test.events.heard).containsExactly("acquired", "released");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void oneThatComesLaterIsHeardOnce(int forgotten) {
		this.store.hold = true;
		TestEngine test = engine(new Deaf(forgotten));
		CompletableFuture<LockHandle> asked = test.ask(FOREVER);
		test.pass(Duration.ofSeconds(1));
		assertThat(asked).isNotDone();
		this.store.deliver();
		asked.join().close();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		assertThat(test.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void oneThatIsThereAndIsNotToldIsAskedForAgain() {
		TestEngine test = engine(new Deaf(2));
		CompletableFuture<LockHandle> asked = test.ask(FOREVER);
		assertThat(asked).isNotDone();
		test.pass(Duration.ofMillis(40));
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
		asked.join().close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void grantThatCannotBeTakenIsTakenInTheNextTurn(int reading) {
		this.store.hold = true;
		CompletableFuture<LockHandle> asked = this.test.ask(FOREVER);
		CompletableFuture<LockHandle> once = this.test.ask(FOREVER.withWaitTime(Duration.ZERO));
		deliver(reading);
		this.test.pass(TestEngine.TICK);
		assertThat(asked.join().isHeld()).isTrue();
		assertThat(once).isCompletedExceptionally();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		assertThat(this.test.events.count("acquired")).isOne();
		assertThat(this.test.events.count("not acquired: TIMEOUT")).isOne();
		asked.join().close();
		assertThat(this.test.cohorts()).isZero();
		// The alarm of a grant that was none rings in vain.
		this.test.pass(Duration.ofSeconds(10));
		assertThat(this.test.pendingAlarms()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void refusalThatCannotBeTakenIsTakenInTheNextTurn(int reading) {
		LockHandle holder = this.other.ask(FOREVER).join();
		this.store.hold = true;
		CompletableFuture<LockHandle> once = this.test.ask(FOREVER.withWaitTime(Duration.ZERO));
		CompletableFuture<LockHandle> onceToo = this.test.ask(FOREVER.withWaitTime(Duration.ZERO));
		deliver(reading);
		this.test.pass(TestEngine.TICK);
		assertThat(once).isCompletedExceptionally();
		assertThat(onceToo).isCompletedExceptionally();
		assertThat(this.test.events.heard).containsExactly("not acquired: TIMEOUT", "not acquired: TIMEOUT");
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		assertThat(this.test.cohorts()).isZero();
		assertThat(this.test.pendingAlarms()).isZero();
		holder.close();
	}

	/* Some readings come after those that are made for it. */
	private void deliver(int reading) {
		this.ticker.failingReading = reading;
		this.store.deliver();
		this.ticker.failingReading = 0;
	}

	/**
	 * A store whose stages forget the first ones who want to be told.
	 */
	private final class Deaf implements LeaseStore {

		private int forgotten;

		private Deaf(int forgotten) {
			this.forgotten = forgotten;
		}

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			CompletableFuture<AcquireAnswer> answer = new CompletableFuture<>() {

				@Override
				public CompletableFuture<AcquireAnswer> whenComplete(
						BiConsumer<? super AcquireAnswer, ? super Throwable> action) {
					if (Deaf.this.forgotten > 0) {
						Deaf.this.forgotten--;
						return this;
					}
					return super.whenComplete(action);
				}

			};
			StoreCallTests.this.store.acquire(command).thenAccept(answer::complete);
			return answer;
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			return StoreCallTests.this.store.renew(commands);
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			return StoreCallTests.this.store.release(command);
		}

	}

}
