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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.LingerRules;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A grant that an instance keeps though nobody holds it.
 */
class LingerTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	private static final LockRequest TRY = LockRequest.of(KEY).withWaitTime(Duration.ZERO);

	private static final LingerRules RULES = new LingerRules(Duration.ofSeconds(10),
			Map.of("given back", Duration.ZERO, "kept long", Duration.ofMinutes(5)));

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, InstantSource.system());

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final ScriptedStore otherStore = new ScriptedStore(this.memory);

	private final TestEngine test = lingering(this.store, this.memory);

	private final TestEngine other = new TestEngine(this.ticker, this.otherStore, this.memory, this.memory);

	private TestEngine lingering(LeaseStore store, WakeUps wakeUps) {
		return new TestEngine(EngineSettings.of("test").withLinger(RULES), this.ticker, store, this.memory, wakeUps,
				Runnable::run);
	}

	private TestEngine deaf(LeaseStore store) {
		return new TestEngine(this.ticker, store, this.memory, new NoWakeUps());
	}

	@Test
	void theNextCallerHasItWithoutACommand() {
		long token = 0;
		for (int i = 0; i < 100; i++) {
			LockHandle handle = this.test.ask(ORDERS).join();
			assertThat(handle.isHeld()).isTrue();
			assertThat(handle.fencingToken()).isGreaterThan(token);
			token = handle.fencingToken();
			handle.close();
		}
		assertThat(this.store.commands).singleElement().isInstanceOf(AcquireCommand.class);
		assertThat(this.test.events.count("acquired")).isEqualTo(100);
		assertThat(this.test.events.count("released")).isEqualTo(100);
		onlyHoldsWereHeardOf();
		assertThat(this.other.engine.find(KEY)).isPresent();
	}

	@Test
	void itIsNeitherHeldNorListedAsThat() {
		LockHandle handle = this.test.ask(ORDERS).join();
		long token = handle.fencingToken();
		handle.close();
		this.ticker.advance(Duration.ofMillis(300));
		assertThat(handle.isHeld()).isFalse();
		assertThat(this.test.engine.list()).isEmpty();
		IdleLock idle = this.test.engine.idle().get(0);
		assertThat(idle.key()).isEqualTo(KEY);
		assertThat(idle.token()).isEqualTo(token);
		assertThat(idle.elapsed()).isEqualTo(Duration.ofMillis(300));
		assertThat(idle.remaining()).isEqualTo(Duration.ofMillis(24_400));
	}

	@Test
	void aConfirmationThatIsOldCostsOneRenewal() {
		long token = useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		LockHandle handle = this.test.ask(ORDERS).join();
		assertThat(this.store.commands).hasSize(2).last().isInstanceOf(RenewCommand.class);
		assertThat(handle.fencingToken()).isGreaterThan(token);
		assertThat(handle.remaining()).isEqualTo(Duration.ofMillis(24_700));
	}

	@Test
	void aCallerWithAnotherLeaseHasItInFull() {
		useOnce();
		LockHandle longer = this.test.ask(ORDERS.withLease(Lease.renewed(Duration.ofMinutes(5)))).join();
		assertThat(longer.remaining()).isEqualTo(Duration.ofSeconds(247));
		longer.close();
		LockHandle fixed = this.test.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(5)))).join();
		assertThat(fixed.remaining()).isEqualTo(Duration.ofMillis(4_950));
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		fixed.close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aStrengthenedHoldLeavesWhatIsConfirmedBeforeItIsHeldAgain() throws InterruptedException {
		LockRequest fixed = ORDERS.withLease(Lease.fixed(Duration.ofSeconds(30)));
		useOnce();
		try (LockHandle outer = this.test.engine.acquire(fixed); LockHandle inner = this.test.engine.acquire(ORDERS)) {
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
		}
		this.store.commands.clear();
		assertThat(this.test.ask(ORDERS).join().remaining()).isEqualTo(Duration.ofMillis(24_700));
		assertThat(this.store.commands).singleElement().isInstanceOf(RenewCommand.class);
	}

	@Test
	void moreCallersThanABlockHasTokensAreServed() {
		long token = 0;
		for (int i = 0; i < 2 * TokenBlock.SIZE + 1; i++) {
			LockHandle handle = this.test.ask(ORDERS).join();
			assertThat(handle.fencingToken()).isGreaterThan(token);
			token = handle.fencingToken();
			handle.close();
		}
		assertThat(this.store.commands).hasSize(3);
	}

	@Test
	void aMinimumHoldOrAFixedLeaseIsGivenBack() {
		this.test.ask(ORDERS.withMinHoldTime(Duration.ofMillis(1))).join().close();
		this.test.ask(LockRequest.of("fixed").withLease(Lease.fixed(Duration.ofSeconds(5)))).join().close();
		this.test.ask(LockRequest.of("given back")).join().close();
		assertThat(this.store.commands).filteredOn(AcquireCommand.class::isInstance)
			.allMatch((command) -> !((AcquireCommand) command).lingering());
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(3);
		assertThat(this.test.engine.idle()).isEmpty();
	}

	@Test
	void itIsRenewedEachPollIntervalAndGoesBackWhenItsTimeIsOver() {
		long token = useOnce();
		this.test.pass(Duration.ofMillis(9_980));
		assertThat(this.store.count(RenewCommand.class)).isBetween(9L, 12L);
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.test.pass(Duration.ofMillis(20));
		assertThat(this.store.count(ReleaseCommand.class)).isOne();
		assertThat(this.other.engine.find(KEY)).isEmpty();
		nothingIsLeft();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.store.commands).last().isInstanceOf(ReleaseCommand.class);
		assertThat(this.other.ask(ORDERS).join().fencingToken()).isGreaterThan(token);
	}

	@Test
	void eachHoldBeginsItsTimeAnew() {
		for (int i = 0; i < 5; i++) {
			useOnce();
			this.test.pass(Duration.ofSeconds(8));
		}
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
	}

	@Test
	void aHoldOfItIsRenewedAsAnyOther() {
		useOnce();
		LockHandle handle = this.test.ask(ORDERS).join();
		this.test.pass(Duration.ofSeconds(2));
		this.store.commands.clear();
		this.test.pass(Duration.ofMinutes(5));
		assertThat(this.store.commands).hasSizeBetween(25, 35).allMatch(RenewCommand.class::isInstance);
		assertThat(handle.isHeld()).isTrue();
	}

	@Test
	void whoWaitsElsewhereHasItAtOnce() {
		long token = useOnce();
		CompletableFuture<LockHandle> elsewhere = this.other.ask(ORDERS);
		assertThat(elsewhere).isCompleted();
		assertThat(elsewhere.join().fencingToken()).isGreaterThan(token);
		nothingIsLeft();
		onlyHoldsWereHeardOf();
	}

	@Test
	void whoWaitsElsewhereHasItWithinAPollThoughNoMessageArrives() {
		TestEngine here = lingering(this.store, new NoWakeUps());
		TestEngine there = deaf(this.otherStore);
		here.ask(ORDERS).join().close();
		TestEngine.pass(Duration.ofSeconds(5), here, there);
		CompletableFuture<LockHandle> elsewhere = there.ask(ORDERS);
		TestEngine.pass(Duration.ofMillis(1_010), here, there);
		assertThat(this.store.count(ReleaseCommand.class)).isOne();
		TestEngine.pass(Duration.ofMillis(1_010), here, there);
		assertThat(elsewhere).isCompleted();
	}

	@Test
	void aTryElsewhereIsNotRefused() {
		useOnce();
		assertThat(this.other.ask(TRY)).isCompleted();
		assertThat(this.otherStore.commands).hasSize(2).allMatch(AcquireCommand.class::isInstance);
	}

	@Test
	void aTryThatMeetsAHoldIsRefusedAtOnce() {
		useOnce();
		LockHandle handle = this.test.ask(ORDERS).join();
		assertThat(this.other.ask(TRY)).isCompletedExceptionally();
		assertThat(this.otherStore.commands).hasSize(2).last().isInstanceOf(ReleaseCommand.class);
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isZero();
		handle.close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
		nothingIsLeft();
	}

	@Test
	void aTryThatMeetsAGrantWhichCannotLingerCostsOneCommand() {
		LockHandle handle = this.other.ask(ORDERS).join();
		this.store.commands.clear();
		assertThat(this.test.ask(TRY)).isCompletedExceptionally();
		assertThat(this.store.commands).hasSize(1);
		assertThat(this.test.pendingAlarms()).isZero();
		handle.close();
	}

	@Test
	void aTryWaitsForAMomentWhereNobodyAnswers() {
		TestEngine here = lingering(this.store, new NoWakeUps());
		here.ask(ORDERS).join().close();
		CompletableFuture<LockHandle> tried = this.other.ask(TRY);
		CompletableFuture<LockHandle> triedToo = this.other.ask(TRY);
		TestEngine.pass(Duration.ofMillis(90), here, this.other);
		assertThat(tried).isNotDone();
		assertThat(triedToo).isNotDone();
		TestEngine.pass(Duration.ofMillis(20), here, this.other);
		assertThat(tried).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class);
		assertThat(triedToo).isCompletedExceptionally();
		assertThat(this.otherStore.commands).hasSize(2);
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isZero();
		assertThat(this.other.keys()).isZero();
		assertThat(this.other.pendingAlarms()).isZero();
	}

	@Test
	void whoWaitsBehindATryThatIsRefusedWaitsOn() {
		LockHandle handle = this.test.ask(ORDERS).join();
		TestEngine there = deaf(this.otherStore);
		CompletableFuture<LockHandle> tried = there.ask(TRY);
		CompletableFuture<LockHandle> waiting = there.ask(ORDERS);
		TestEngine.pass(Duration.ofMillis(110), this.test, there);
		assertThat(tried).isCompletedExceptionally();
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isOne();
		handle.close();
		TestEngine.pass(Duration.ofMillis(1_010), this.test, there);
		assertThat(waiting).isCompleted();
	}

	@Test
	void wordThatTheKeyIsInUseMayComeBeforeTheAnswer() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.otherStore.hold = true;
		CompletableFuture<LockHandle> tried = this.other.ask(TRY);
		assertThat(tried).isNotDone();
		this.otherStore.deliver();
		assertThat(tried).isCompletedExceptionally();
		handle.close();
	}

	@Test
	void wordThatTheKeyIsReservedMayComeBeforeTheAnswer() {
		useOnce();
		this.otherStore.hold = true;
		CompletableFuture<LockHandle> tried = this.other.ask(TRY);
		this.otherStore.deliver();
		assertThat(tried).isCompleted();
	}

	@Test
	void itIsNotKeptWhereOthersWereHeardOfWhileItWasHeld() {
		LockHandle handle = this.test.ask(ORDERS).join();
		CompletableFuture<LockHandle> elsewhere = this.other.ask(ORDERS);
		handle.close();
		assertThat(elsewhere).isCompleted();
		nothingIsLeft();
	}

	@Test
	void othersOfWhomTheRenewalTellsComeBeforeWhoHasComeHere() {
		TestEngine here = lingering(this.store, new NoWakeUps());
		here.ask(ORDERS).join().close();
		CompletableFuture<LockHandle> elsewhere = this.other.ask(ORDERS);
		this.ticker.advance(Duration.ofMillis(251));
		CompletableFuture<LockHandle> late = here.ask(ORDERS);
		assertThat(elsewhere).isCompleted();
		assertThat(late).isNotDone();
		elsewhere.join().close();
		// A poll interval, and the tick in which it ends.
		TestEngine.pass(Duration.ofSeconds(1).plus(TestEngine.TICK), here, this.other);
		assertThat(late).isCompleted();
	}

	@Test
	void whoComesWhileTheStoreIsAskedWaitsForItsAnswer() {
		useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		CompletableFuture<LockHandle> first = this.test.ask(ORDERS);
		CompletableFuture<LockHandle> second = this.test.ask(ORDERS);
		CompletableFuture<LockHandle> third = this.test.ask(TRY);
		assertThat(this.store.count(RenewCommand.class)).isOne();
		assertThat(third).isNotDone();
		this.store.deliver();
		assertThat(third).isCompletedExceptionally();
		first.join().close();
		second.join().close();
		assertThat(this.store.commands).hasSize(2);
	}

	@Test
	void itStaysWhereWhoCameGivesUpWhileTheStoreIsAsked() {
		useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		this.test.ask(ORDERS).cancel(false);
		this.store.deliver();
		assertThat(this.test.engine.idle()).hasSize(1);
		assertThat(this.test.ask(ORDERS)).isCompleted();
		assertThat(this.store.commands).hasSize(2);
	}

	@Test
	void whoComesWhileTheStoreFailsIsToldSo() {
		useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.down = true;
		CompletableFuture<LockHandle> caller = this.test.ask(ORDERS);
		assertThat(caller).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(LockStoreException.class);
		this.store.down = false;
		this.test.pass(Duration.ofSeconds(2));
		assertThat(this.other.engine.find(KEY)).isEmpty();
		nothingIsLeft();
	}

	@Test
	void aCallerWithWaitTimeWaitsForAConnection() {
		long token = useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.disconnected = true;
		CompletableFuture<LockHandle> caller = this.test.ask(ORDERS);
		CompletableFuture<LockHandle> tried = this.test.ask(TRY);
		assertThat(caller).isNotDone();
		assertThat(tried).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(NotConnectedException.class);
		this.test.pass(Duration.ofSeconds(1));
		assertThat(caller).isNotDone();
		this.store.disconnected = false;
		this.test.pass(Duration.ofSeconds(2));
		LockHandle handle = caller.join();
		assertThat(handle.fencingToken()).isGreaterThan(token);
		handle.close();
	}

	@Test
	void aTryFailsAtOnceWithoutAConnection() {
		useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.disconnected = true;
		assertThat(this.test.ask(TRY)).isCompletedExceptionally();
		this.store.disconnected = false;
		this.test.pass(Duration.ofSeconds(2));
		assertThat(this.other.engine.find(KEY)).isEmpty();
		nothingIsLeft();
	}

	@Test
	void itsLossIsNobodys() {
		useOnce();
		StoreFaults.expireLease(this.memory, KEY);
		LockHandle elsewhere = this.other.ask(ORDERS).join();
		TestEngine.pass(Duration.ofSeconds(2), this.test, this.other);
		nothingIsLeft();
		elsewhere.close();
		this.test.ask(LockRequest.of("kept long")).join().close();
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(25));
		assertThat(this.test.engine.idle()).isEmpty();
		this.store.down = false;
		this.test.pass(Duration.ofSeconds(31));
		nothingIsLeft();
		onlyHoldsWereHeardOf();
	}

	@Test
	void oneThatIsForcedIsGone() {
		long token = useOnce();
		assertThat(this.other.engine.forceRelease(KEY)).isTrue();
		nothingIsLeft();
		assertThat(this.test.ask(ORDERS).join().fencingToken()).isGreaterThan(token);
		onlyHoldsWereHeardOf();
	}

	@Test
	void oneThatIsOverWhenSomebodyComesIsNotHandedOn() {
		long token = useOnce();
		this.ticker.advance(Duration.ofSeconds(31));
		this.other.ask(ORDERS).join().close();
		assertThat(this.test.ask(ORDERS).join().fencingToken()).isGreaterThan(token);
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
	}

	@Test
	void nothingRenewsItOnceItIsGivenBack() {
		useOnce();
		this.store.hold = true;
		this.test.pass(Duration.ofMillis(1_010));
		assertThat(this.store.commands).hasSize(2).last().isInstanceOf(RenewCommand.class);
		CompletableFuture<LockHandle> elsewhere = this.other.ask(ORDERS);
		CompletableFuture<LockHandle> late = this.test.ask(ORDERS);
		assertThat(this.store.commands).hasSize(2);
		this.store.deliver();
		assertThat(this.store.commands.get(2)).isInstanceOf(ReleaseCommand.class);
		assertThat(elsewhere).isCompleted();
		elsewhere.join().close();
		assertThat(late).isCompleted();
	}

	@Test
	void whatIsHeldIsNotGivenBackWhenTheTimeOfTheIdleOneIsOver() {
		useOnce();
		this.test.pass(Duration.ofSeconds(9));
		LockHandle handle = this.test.ask(ORDERS).join();
		this.test.pass(Duration.ofMinutes(2));
		assertThat(handle.isHeld()).isTrue();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
	}

	@Test
	void anEngineThatStopsGivesAllBack() {
		List<LockHandle> handles = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			handles.add(this.test.ask(LockRequest.of("orders", "" + i)).join());
		}
		handles.forEach(LockHandle::close);
		LockHandle held = this.test.ask(ORDERS).join();
		this.store.hold = true;
		CompletableFuture<Void> drained = this.test.engine.stop().toCompletableFuture();
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(100);
		assertThat(this.test.engine.idle()).isEmpty();
		var unused = held.closeAsync();
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(101);
		assertThat(drained).isNotDone();
		this.store.deliver();
		assertThat(drained).isCompleted();
		nothingIsLeft();
	}

	@Test
	void anEngineThatStopsWhileTheStoreIsAskedGivesItBack() {
		useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		CompletableFuture<LockHandle> caller = this.test.ask(ORDERS);
		CompletableFuture<Void> drained = this.test.engine.stop().toCompletableFuture();
		assertThat(caller).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockServiceClosedException.class);
		assertThat(drained).isNotDone();
		this.store.deliver();
		assertThat(drained).isCompleted();
		assertThat(this.other.engine.find(KEY)).isEmpty();
		nothingIsLeft();
	}

	@Test
	void whatFailedWhileItWasIdleIsNoRiskOfTheHoldThatFollows() {
		EngineSettings settings = new EngineSettings(() -> "test", Duration.ofSeconds(30), Duration.ofSeconds(10),
				Duration.ofMillis(100), LeaseLimits.defaults(), null, null, OnLoss.REPORT, true)
			.withLinger(RULES);
		TestEngine eager = new TestEngine(settings, this.ticker, this.store, this.memory, this.memory, Runnable::run);
		eager.ask(ORDERS).join().close();
		this.store.down = true;
		eager.pass(Duration.ofMillis(120));
		assertThat(this.store.count(RenewCommand.class)).isPositive();
		assertThat(eager.ask(ORDERS)).isCompleted();
		eager.pass(Duration.ofSeconds(15));
		assertThat(eager.events.count("at risk")).isOne();
		eager.engine.close();
	}

	@Test
	void aCrashCostsALease() {
		TestEngine crashed = lingering(this.store, new NoWakeUps());
		crashed.ask(ORDERS).join().close();
		CompletableFuture<LockHandle> elsewhere = this.other.ask(ORDERS);
		this.other.pass(Duration.ofMillis(29_990));
		assertThat(elsewhere).isNotDone();
		this.other.pass(Duration.ofMillis(30));
		assertThat(elsewhere).isCompleted();
	}

	@Test
	void observersHearWhenItBeginsAndEnds() {
		for (int i = 0; i < 3; i++) {
			useOnce();
		}
		assertThat(this.test.events.count("idle")).isEqualTo(3);
		assertThat(this.test.events.count("no longer idle")).isEqualTo(2);
		this.test.engine.close();
		assertThat(this.test.events.count("no longer idle")).isEqualTo(3);
	}

	private long useOnce() {
		LockHandle handle = this.test.ask(ORDERS).join();
		handle.close();
		return handle.fencingToken();
	}

	private void onlyHoldsWereHeardOf() {
		assertThat(this.test.events.heard).containsAnyOf("acquired")
			.isSubsetOf("acquired", "released", "idle", "no longer idle", "release repeated: DONE");
	}

	private void nothingIsLeft() {
		assertThat(this.test.engine.idle()).isEmpty();
		assertThat(this.test.keys()).isZero();
		assertThat(this.test.pendingAlarms()).isZero();
	}

}
