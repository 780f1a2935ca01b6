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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A grant of which the store is asked before the next caller has it, and what becomes of
 * it by the time of the answer.
 */
class ConfirmedHandOffTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	private static final LockRequest FIXED = ORDERS.withLease(Lease.fixed(Duration.ofSeconds(3)));

	/* How old a confirmation may be. */
	private static final Duration FRESH = Duration.ofMillis(250);

	/* Of the fixed lease; less than twice the time-out. */
	private static final Duration VALID = Duration.ofMillis(2_970);

	private static final EngineSettings SETTINGS = new EngineSettings(() -> "test", Duration.ofSeconds(30),
			Duration.ofSeconds(10), Duration.ofSeconds(1),
			new LeaseLimits(Duration.ofSeconds(1), Duration.ofSeconds(2), null), null, null, OnLoss.REPORT, true);

	private final FailingTicker ticker = new FailingTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final TestEngine test = engine(SETTINGS, this.store);

	private final TestEngine other = TestEngine.over(this.ticker, this.memory);

	private TestEngine engine(EngineSettings settings, LeaseStore store) {
		return new TestEngine(settings, this.ticker, store, this.memory, this.memory, Runnable::run);
	}

	@Test
	void aConfirmationIsGoodForAQuarterOfASecondAndNoLonger() {
		LockHandle first = this.test.ask(ORDERS).join();
		CompletableFuture<LockHandle> second = this.test.ask(ORDERS);
		CompletableFuture<LockHandle> third = this.test.ask(ORDERS);
		// One that came alone has one token.
		first.close();
		this.store.commands.clear();
		this.ticker.advance(FRESH);
		second.join().close();
		assertThat(third).isCompleted();
		assertThat(this.store.commands).isEmpty();
		CompletableFuture<LockHandle> last = this.test.ask(ORDERS);
		this.ticker.advance(Duration.ofNanos(1));
		third.join().close();
		assertThat(last).isCompleted();
		assertThat(this.store.commands).singleElement().isInstanceOf(RenewCommand.class);
	}

	@Test
	void theNextOneHasItWhereTheFirstOfThemHasGone() {
		List<CompletableFuture<LockHandle>> waiting = askAndConfirm(ORDERS, ORDERS);
		waiting.get(0).cancel(false);
		this.store.deliver();
		assertThat(waiting.get(1).join().remaining()).isEqualTo(Duration.ofMillis(24_700));
		assertThat(this.store.commands).hasSize(1);
	}

	@Test
	void theStoreIsAskedAgainWhereTheNextOneNeedsAnotherLease() {
		List<CompletableFuture<LockHandle>> waiting = askAndConfirm(FIXED, ORDERS);
		waiting.get(0).cancel(false);
		this.store.deliver();
		assertThat(waiting.get(1).join().remaining()).isEqualTo(Duration.ofMillis(24_700));
		assertThat(this.store.sent(RenewCommand.class)).extracting(RenewCommand::lease)
			.containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(30));
		assertThat(this.store.commands).hasSize(2);
	}

	@Test
	void aConfirmationThatComesWhenItsLeaseIsOverIsOfNoUse() {
		CompletableFuture<LockHandle> waiting = askAndConfirm(FIXED).get(0);
		this.ticker.advance(VALID);
		this.store.deliver();
		assertThat(this.store.commands).hasExactlyElementsOfTypes(RenewCommand.class, ReleaseCommand.class,
				AcquireCommand.class);
		assertThat(waiting.join().remaining()).isEqualTo(VALID);
	}

	@Test
	void aConfirmationThatComesJustBeforeIsGood() {
		CompletableFuture<LockHandle> waiting = askAndConfirm(FIXED).get(0);
		this.ticker.advance(VALID.minusNanos(1));
		this.store.deliver();
		assertThat(this.store.commands).hasSize(1);
		assertThat(waiting.join().remaining()).isEqualTo(Duration.ofNanos(1));
	}

	@Test
	void aLateConfirmationOfAnIdleGrantIsNoFailureOfTheStore() {
		TestEngine lingering = engine(
				SETTINGS.withLinger(new EngineSettings.LingerRules(Duration.ofSeconds(30), Map.of())), this.store);
		lingering.ask(ORDERS).join().close();
		this.store.commands.clear();
		this.store.hold = true;
		CompletableFuture<LockHandle> asked = lingering.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(1))));
		this.ticker.advance(Duration.ofSeconds(1));
		this.store.deliver();
		assertThat(asked.join().isHeld()).isTrue();
		assertThat(this.store.commands).hasExactlyElementsOfTypes(RenewCommand.class, ReleaseCommand.class,
				AcquireCommand.class);
	}

	@Test
	void aGrantThatIsGoneLeavesNothingWhereNobodyWaitsAnyMore() {
		LockHandle holder = this.test.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(ORDERS);
		StoreFaults.forget(this.memory, KEY);
		this.ticker.advance(FRESH.plus(TestEngine.TICK));
		this.store.hold = true;
		CompletableFuture<Void> closed = holder.closeAsync();
		waiting.cancel(false);
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(this.test.events.heard).contains("lost: GONE");
		assertThat(this.test.keys()).isZero();
		assertThat(this.test.pendingAlarms()).isZero();
	}

	@Test
	void aSilentStoreIsToldOfTheEndOnceItHasHadItsTimeTwice() {
		CompletableFuture<LockHandle> waiting = askAndConfirm(ORDERS).get(0);
		this.test.pass(Duration.ofSeconds(4).minus(TestEngine.TICK));
		assertThat(this.store.commands).hasSize(1);
		this.test.pass(TestEngine.TICK);
		assertThat(this.store.commands).hasExactlyElementsOfTypes(RenewCommand.class, ReleaseCommand.class,
				AcquireCommand.class);
		this.store.deliver();
		assertThat(waiting.join().isHeld()).isTrue();
	}

	@Test
	void theKeyGoesBackWhereTheStoreGivesNoMoreTokens() {
		ScriptedStore mean = new ScriptedStore(new WithoutTokens(this.memory));
		TestEngine test = engine(SETTINGS, mean);
		LockHandle first = test.ask(ORDERS).join();
		CompletableFuture<LockHandle> second = test.ask(ORDERS);
		first.close();
		assertThat(mean.commands).hasExactlyElementsOfTypes(AcquireCommand.class, RenewCommand.class,
				ReleaseCommand.class, AcquireCommand.class);
		assertThat(second.join().fencingToken()).isGreaterThan(first.fencingToken());
	}

	@Test
	void whoKeepsItsKeyTakesNoPlaceForThoseWhoWaitHere() {
		LockHandle holder = this.test.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(2))).join();
		CompletableFuture<LockHandle> here = this.test.ask(ORDERS);
		CompletableFuture<LockHandle> elsewhere = this.other.ask(ORDERS);
		this.test.pass(Duration.ofSeconds(1));
		holder.close();
		ReleaseCommand release = this.store.sent(ReleaseCommand.class).get(0);
		assertThat(release.keep()).isEqualTo(Duration.ofSeconds(1));
		assertThat(release.requeue()).isNull();
		assertThat(here).isNotDone();
		assertThat(elsewhere).isNotDone();
		TestEngine.pass(Duration.ofMillis(1_100), this.test, this.other);
		elsewhere.join().close();
		assertThat(here).isCompleted();
	}

	@Test
	void theMaximumOfTheNextHoldCountsFromItsBeginning() {
		LockHandle holder = this.test.ask(ORDERS).join();
		CompletableFuture<LockHandle> next = this.test.ask(ORDERS.withMaxHoldTime(Duration.ofSeconds(2)));
		this.test.pass(Duration.ofSeconds(1));
		holder.close();
		this.test.pass(Duration.ofSeconds(2).minus(TestEngine.TICK));
		assertThat(next.join().isHeld()).isTrue();
		this.test.pass(TestEngine.TICK);
		assertThat(next.join().isHeld()).isFalse();
		assertThat(this.test.events.heard).contains("lost: MAX_HOLD");
	}

	/* The holder has closed it by now, and the store is asked for the first of these. */
	private List<CompletableFuture<LockHandle>> askAndConfirm(LockRequest... requests) {
		LockHandle alone = this.test.ask(ORDERS).join();
		CompletableFuture<LockHandle> holder = this.test.ask(ORDERS);
		List<CompletableFuture<LockHandle>> waiting = List.of(requests).stream().map(this.test::ask).toList();
		// From here on it has a block of tokens.
		alone.close();
		this.ticker.advance(FRESH.plus(TestEngine.TICK));
		this.store.commands.clear();
		this.store.hold = true;
		var unused = holder.join().closeAsync();
		assertThat(this.store.commands).singleElement().isInstanceOf(RenewCommand.class);
		return waiting;
	}

	/**
	 * A store that confirms leases, and sets no more tokens aside for them.
	 */
	private record WithoutTokens(LeaseStore store) implements LeaseStore {

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return this.store.acquire(command);
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			return this.store.renew(commands).stream().map((answer) -> answer.thenApply(this::withoutTokens)).toList();
		}

		private RenewAnswer withoutTokens(RenewAnswer answer) {
			return (answer instanceof RenewAnswer.Renewed renewed) ? new RenewAnswer.Renewed(renewed.contended(), null)
					: answer;
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			return this.store.release(command);
		}

	}

}
