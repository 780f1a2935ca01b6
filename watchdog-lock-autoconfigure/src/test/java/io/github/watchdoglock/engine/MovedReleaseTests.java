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
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases that were the last word of a store, which another one has not heard of that
 * takes its place.
 */
class MovedReleaseTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	/* In which a single release comes again. */
	private static final Duration SOON = Duration.ofMillis(110);

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore former = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final InMemoryLeaseStore next = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final TwoStores both = new TwoStores(this.former, this.next);

	private final ScriptedStore store = new ScriptedStore(this.both);

	private final TestEngine test = engine(true);

	private final TestEngine other = TestEngine.over(this.ticker, this.next);

	@Test
	void aReleaseIsRepeatedAtTheStoreThatTakesThePlaceAndNobodyHearsOfThat() {
		this.test.ask(ORDERS).join().close();
		assertThat(this.other.engine.find(KEY)).isPresent();
		move(this.test);
		this.test.pass(SOON);
		assertThat(this.other.engine.find(KEY)).isEmpty();
		assertThat(this.test.events.heard).containsExactly("acquired", "released");
		this.store.commands.clear();
		move(this.test);
		this.test.pass(SOON);
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void aReleaseThatFailsThereIsRepeatedUntilItIsCarriedOut() {
		this.test.ask(ORDERS).join().close();
		this.store.down = true;
		move(this.test);
		this.test.pass(Duration.ofSeconds(10));
		this.store.down = false;
		this.test.pass(SOON);
		assertThat(this.other.engine.find(KEY)).isEmpty();
		assertThat(this.test.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void itIsRepeatedNoLongerThanTheLeaseLasts() {
		this.test.ask(ORDERS).join().close();
		this.store.down = true;
		move(this.test);
		this.test.pass(Duration.ofSeconds(31));
		this.store.down = false;
		this.store.commands.clear();
		this.test.pass(Duration.ofSeconds(10));
		assertThat(this.store.commands).isEmpty();
		assertThat(this.test.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void whatIsLeftOfAMinimumHoldIsKeptThereToo() {
		LockHandle handle = this.test.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(8))).join();
		this.test.pass(Duration.ofSeconds(2));
		handle.close();
		this.test.pass(Duration.ofSeconds(1));
		move(this.test);
		this.store.commands.clear();
		this.test.pass(SOON);
		assertThat(this.store.sent(ReleaseCommand.class)).singleElement().satisfies((release) -> {
			assertThat(release.keep()).isBetween(Duration.ofMillis(4_880), Duration.ofSeconds(5));
			assertThat(release.lastToken()).isEqualTo(handle.fencingToken());
			assertThat(release.requeue()).isNull();
		});
		assertThat(this.other.ask(ORDERS.withWaitTime(Duration.ZERO))).isCompletedExceptionally();
		TestEngine.pass(Duration.ofSeconds(5), this.test, this.other);
		assertThat(this.other.ask(ORDERS.withWaitTime(Duration.ZERO))).isCompleted();
	}

	@Test
	void whatWasReleasedLongBeforeIsNotRepeated() {
		this.test.ask(ORDERS).join().close();
		this.test.pass(Duration.ofMillis(15_100));
		this.store.commands.clear();
		move(this.test);
		this.test.pass(SOON);
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void ofManyTheLastOnesAreRepeated() {
		List<LockKey> keys = new ArrayList<>();
		for (int i = 0; i < 5_010; i++) {
			LockHandle handle = this.test.ask(LockRequest.of("orders", "" + i)).join();
			keys.add(handle.key());
			handle.close();
		}
		this.store.commands.clear();
		move(this.test);
		this.test.pass(Duration.ofSeconds(3));
		assertThat(this.store.commands).hasSize(5_000);
		assertThat(keys.subList(0, 10)).allMatch((key) -> this.other.engine.find(key).isPresent());
		assertThat(keys.subList(10, keys.size())).allMatch((key) -> this.other.engine.find(key).isEmpty());
	}

	@Test
	void whereNobodyTellsOfMovesNothingIsRemembered() {
		TestEngine engine = engine(false);
		engine.ask(ORDERS).join().close();
		this.store.commands.clear();
		move(engine);
		engine.pass(SOON);
		assertThat(this.store.commands).isEmpty();
	}

	private TestEngine engine(boolean tellsOfMoves) {
		return new TestEngine(this.ticker, this.store, this.next, new NoWakeUps() {

			@Override
			public boolean tellsOfMoves() {
				return tellsOfMoves;
			}

		});
	}

	private void move(TestEngine engine) {
		this.both.moved = true;
		engine.engine.registry.moved();
	}

	/**
	 * Until it has moved, the former one answers, and the next hears of all but releases.
	 */
	private static final class TwoStores implements LeaseStore {

		private final LeaseStore former;

		private final LeaseStore next;

		private boolean moved;

		private TwoStores(LeaseStore former, LeaseStore next) {
			this.former = former;
			this.next = next;
		}

		private LeaseStore current() {
			return this.moved ? this.next : this.former;
		}

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			CompletableFuture<AcquireAnswer> there = this.next.acquire(command).toCompletableFuture();
			return this.moved ? there : this.former.acquire(command);
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			return current().renew(commands);
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			return current().release(command);
		}

	}

}
