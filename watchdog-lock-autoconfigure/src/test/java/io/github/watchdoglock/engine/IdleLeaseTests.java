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
import java.util.stream.IntStream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a lease that an instance keeps idle.
 */
class IdleLeaseTests extends TwoInstances {

	private static final EngineSettings TEN_SECONDS = SETTINGS.withLinger(new TimeRules(Duration.ofSeconds(10),
			Map.of("given back", Duration.ZERO, "kept long", Duration.ofMinutes(5))));

	private final ScriptedStore otherStore = new ScriptedStore(this.memory);

	private final TestEngine idling = engine(TEN_SECONDS);

	private final TestEngine elsewhere = engine(SETTINGS, this.otherStore, this.memory);

	@Test
	void nextCallerGetsIdleLeaseWithoutCommand() {
		long token = 0;
		for (int i = 0; i < 100; i++) {
			LockHandle handle = this.idling.ask(FOREVER).join();
			assertThat(handle.isHeld()).as("'handle' is held").isTrue();
			assertThat(handle.fencingToken()).isGreaterThan(token);
			token = handle.fencingToken();
			handle.close();
		}
		assertThat(this.store.commands).singleElement().isInstanceOf(AcquireCommand.class);
		assertThat(this.idling.events.count("acquired")).isEqualTo(100);
		assertThat(this.idling.events.count("released")).isEqualTo(100);
		onlyHoldsWereHeardOf();
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
	}

	@Test
	void oldConfirmationOfIdleLeaseCostsOneRenewal() {
		long token = useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		LockHandle handle = this.idling.ask(FOREVER).join();
		assertThat(this.store.commands).hasSize(2).last().isInstanceOf(RenewCommand.class);
		assertThat(handle.fencingToken()).isGreaterThan(token);
		assertThat(handle.remaining()).isEqualTo(Duration.ofMillis(24_700));
	}

	@Test
	void idleLeaseAfterStrengthenedHoldIsConfirmedBeforeNextHold() throws InterruptedException {
		LockRequest fixed = FOREVER.withLease(Lease.fixed(Duration.ofSeconds(30)));
		useOnce();
		try (LockHandle outer = this.idling.engine.acquire(fixed);
				LockHandle inner = this.idling.engine.acquire(FOREVER)) {
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
		}
		this.store.commands.clear();
		assertThat(this.idling.ask(FOREVER).join().remaining()).isEqualTo(Duration.ofMillis(24_700));
		assertThat(this.store.commands).singleElement().isInstanceOf(RenewCommand.class);
	}

	@Test
	void leaseIsReleasedForMinHoldTimeFixedLengthOrZeroLinger() {
		this.idling.ask(FOREVER.withMinHoldTime(Duration.ofMillis(1))).join().close();
		this.idling.ask(LockRequest.of("fixed").withLease(Lease.fixed(Duration.ofSeconds(5)))).join().close();
		this.idling.ask(LockRequest.of("given back")).join().close();
		assertThat(this.store.commands).filteredOn(AcquireCommand.class::isInstance)
			.allMatch((command) -> !((AcquireCommand) command).lingering());
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(3);
		assertThat(this.idling.engine.idle()).isEmpty();
	}

	@Test
	void lingerTimeRestartsAfterEachHold() {
		for (int i = 0; i < 5; i++) {
			useOnce();
			this.idling.pass(Duration.ofSeconds(8));
		}
		assertThat(this.store.count(AcquireCommand.class))
			.as("acquires for five holds, each within the linger time of the one before")
			.isOne();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
	}

	@Test
	void holdOfFormerlyIdleLeaseIsRenewedAtUsualRate() {
		useOnce();
		LockHandle handle = this.idling.ask(FOREVER).join();
		this.idling.pass(Duration.ofSeconds(2));
		this.store.commands.clear();
		this.idling.pass(Duration.ofMinutes(5));
		assertThat(this.store.commands).hasSizeBetween(25, 35).allMatch(RenewCommand.class::isInstance);
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
	}

	@Test
	void waiterOfOtherInstanceGetsIdleLockAtOnce() {
		long token = useOnce();
		CompletableFuture<LockHandle> elsewhere = this.elsewhere.ask(FOREVER);
		assertThat(elsewhere).isCompleted();
		assertThat(elsewhere.join().fencingToken()).isGreaterThan(token);
		assertIdlingHasNothing();
		onlyHoldsWereHeardOf();
	}

	@Test
	void tryOfOtherInstanceGetsIdleLock() {
		useOnce();
		assertThat(this.elsewhere.ask(ONCE)).isCompleted();
		assertThat(this.otherStore.commands).hasSize(2).allMatch(AcquireCommand.class::isInstance);
	}

	@Test
	void tryOfOtherInstanceFailsAtOnceWhenIdleLockIsHeldAgain() {
		useOnce();
		LockHandle handle = this.idling.ask(FOREVER).join();
		assertThat(this.elsewhere.ask(ONCE)).isCompletedExceptionally();
		assertThat(this.otherStore.commands).hasSize(2).last().isInstanceOf(ReleaseCommand.class);
		assertThat(waiting()).isZero();
		handle.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertIdlingHasNothing();
	}

	@Test
	void waiterBehindFailedTryStaysInQueueAndGetsLock() {
		LockHandle handle = this.idling.ask(FOREVER).join();
		TestEngine there = engine(SETTINGS, this.otherStore, new NoWakeUps());
		CompletableFuture<LockHandle> tried = there.ask(ONCE);
		CompletableFuture<LockHandle> waiting = there.ask(FOREVER);
		TestEngine.pass(Duration.ofMillis(110), this.idling, there);
		assertThat(tried).isCompletedExceptionally();
		assertThat(waiting()).isOne();
		handle.close();
		TestEngine.pass(Duration.ofMillis(1_010), this.idling, there);
		assertThat(waiting).isCompleted();
	}

	@Test
	void tryFailsWhenMessageThatKeyIsHeldPrecedesAnswer() {
		LockHandle handle = this.idling.ask(FOREVER).join();
		this.otherStore.hold = true;
		CompletableFuture<LockHandle> tried = this.elsewhere.ask(ONCE);
		assertThat(tried).isNotDone();
		this.otherStore.deliver();
		assertThat(tried).isCompletedExceptionally();
		handle.close();
	}

	@Test
	void leaseIsNotKeptIdleWhenOtherInstanceWaitsDuringHold() {
		LockHandle handle = this.idling.ask(FOREVER).join();
		CompletableFuture<LockHandle> elsewhere = this.elsewhere.ask(FOREVER);
		handle.close();
		assertThat(elsewhere).isCompleted();
		assertIdlingHasNothing();
	}

	@Test
	void otherInstanceFoundByRenewalIsServedBeforeLocalCaller() {
		TestEngine here = deaf(TEN_SECONDS);
		here.ask(FOREVER).join().close();
		CompletableFuture<LockHandle> elsewhere = this.elsewhere.ask(FOREVER);
		this.ticker.advance(Duration.ofMillis(251));
		CompletableFuture<LockHandle> late = here.ask(FOREVER);
		assertThat(elsewhere).isCompleted();
		assertThat(late).isNotDone();
		elsewhere.join().close();
		// A poll interval, and the tick in which it ends.
		TestEngine.pass(Duration.ofSeconds(1).plus(TestEngine.TICK), here, this.elsewhere);
		assertThat(late).isCompleted();
	}

	@Test
	void callersDuringConfirmationOfIdleLeaseAwaitItsAnswer() {
		useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		CompletableFuture<LockHandle> first = this.idling.ask(FOREVER);
		CompletableFuture<LockHandle> second = this.idling.ask(FOREVER);
		CompletableFuture<LockHandle> third = this.idling.ask(ONCE);
		assertThat(this.store.count(RenewCommand.class)).isOne();
		assertThat(third).isNotDone();
		this.store.deliver();
		assertThat(third).isCompletedExceptionally();
		first.join().close();
		second.join().close();
		assertThat(this.store.commands).as("commands of three callers: one acquire and one confirmation").hasSize(2);
	}

	@Test
	void callerFailsWhenConfirmationOfIdleLeaseFails() {
		useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.down = true;
		assertFailed(this.idling.ask(FOREVER), LockStoreException.class);
		this.store.down = false;
		this.idling.pass(Duration.ofSeconds(2));
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertIdlingHasNothing();
	}

	@Test
	void callerWithWaitTimeWaitsForConnectionAndTryFails() {
		long token = useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.disconnected = true;
		CompletableFuture<LockHandle> caller = this.idling.ask(FOREVER);
		CompletableFuture<LockHandle> tried = this.idling.ask(ONCE);
		assertThat(caller).isNotDone();
		assertFailed(tried, NotConnectedException.class);
		this.idling.pass(Duration.ofSeconds(1));
		assertThat(caller).isNotDone();
		this.store.disconnected = false;
		this.idling.pass(Duration.ofSeconds(2));
		LockHandle handle = caller.join();
		assertThat(handle.fencingToken()).isGreaterThan(token);
		handle.close();
	}

	@Test
	void lossOfIdleLeaseIsNotReported() {
		useOnce();
		StoreFaults.forget(this.memory, KEY);
		LockHandle elsewhere = this.elsewhere.ask(FOREVER).join();
		TestEngine.pass(Duration.ofSeconds(2), this.idling, this.elsewhere);
		assertIdlingHasNothing();
		elsewhere.close();
		this.idling.ask(LockRequest.of("kept long")).join().close();
		this.store.down = true;
		this.idling.pass(Duration.ofSeconds(25));
		assertThat(this.idling.engine.idle()).isEmpty();
		this.store.down = false;
		this.idling.pass(Duration.ofSeconds(31));
		assertIdlingHasNothing();
		onlyHoldsWereHeardOf();
	}

	@Test
	void expiredIdleLeaseIsNotUsedForNextCaller() {
		long token = useOnce();
		this.ticker.advance(Duration.ofSeconds(31));
		this.elsewhere.ask(FOREVER).join().close();
		assertThat(this.idling.ask(FOREVER).join().fencingToken()).isGreaterThan(token);
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
	}

	@Test
	void idleLeaseIsReleasedAfterPendingRenewalWhenOtherInstanceWaits() {
		useOnce();
		this.store.hold = true;
		this.idling.pass(Duration.ofMillis(1_010));
		assertThat(this.store.commands).hasSize(2).last().isInstanceOf(RenewCommand.class);
		CompletableFuture<LockHandle> elsewhere = this.elsewhere.ask(FOREVER);
		CompletableFuture<LockHandle> late = this.idling.ask(FOREVER);
		assertThat(this.store.commands).hasSize(2);
		this.store.deliver();
		assertThat(this.store.commands.get(2)).isInstanceOf(ReleaseCommand.class);
		assertThat(elsewhere).isCompleted();
		elsewhere.join().close();
		assertThat(late).isCompleted();
	}

	@Test
	void stopReleasesAllIdleLeasesAndWaitsForAnswers() {
		List<LockHandle> handles = IntStream.range(0, 100)
			.mapToObj((i) -> this.idling.ask(LockRequest.of("orders", "" + i)).join())
			.toList();
		handles.forEach(LockHandle::close);
		LockHandle held = this.idling.ask(FOREVER).join();
		this.store.hold = true;
		CompletableFuture<Void> drained = this.idling.engine.stop().toCompletableFuture();
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(100);
		assertThat(this.idling.engine.idle()).isEmpty();
		var unused = held.closeAsync();
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(101);
		assertThat(drained).isNotDone();
		this.store.deliver();
		assertThat(drained).isCompleted();
		assertIdlingHasNothing();
	}

	@Test
	void stopReleasesIdleLeaseThatIsBeingConfirmed() {
		useOnce();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		CompletableFuture<LockHandle> caller = this.idling.ask(FOREVER);
		CompletableFuture<Void> drained = this.idling.engine.stop().toCompletableFuture();
		assertFailed(caller, LockServiceClosedException.class);
		assertThat(drained).isNotDone();
		this.store.deliver();
		assertThat(drained).isCompleted();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertIdlingHasNothing();
	}

	@Test
	void riskOfHoldIsReportedOnceDespiteFailedRenewalWhileIdle() {
		EngineSettings settings = new EngineSettings(() -> "test", Duration.ofSeconds(30), Duration.ofSeconds(10),
				Duration.ofMillis(100), LeaseLimits.defaults(), null, null, OnLoss.REPORT, true)
			.withLinger(TEN_SECONDS.linger());
		TestEngine eager = engine(settings);
		eager.ask(FOREVER).join().close();
		this.store.down = true;
		eager.pass(Duration.ofMillis(120));
		assertThat(this.store.count(RenewCommand.class)).isPositive();
		assertThat(eager.ask(FOREVER)).isCompleted();
		eager.pass(Duration.ofSeconds(15));
		assertThat(eager.events.count("at risk")).isOne();
		eager.engine.close();
	}

	@Test
	void observersAreNotifiedWhenIdleTimeBeginsAndEnds() {
		IntStream.range(0, 3).forEach((i) -> useOnce());
		assertThat(this.idling.events.count("idle")).isEqualTo(3);
		assertThat(this.idling.events.count("no longer idle")).isEqualTo(2);
		this.idling.engine.close();
		assertThat(this.idling.events.count("no longer idle")).isEqualTo(3);
	}

	private long useOnce() {
		LockHandle handle = this.idling.ask(FOREVER).join();
		handle.close();
		return handle.fencingToken();
	}

	private void onlyHoldsWereHeardOf() {
		assertThat(this.idling.events.heard).containsAnyOf("acquired")
			.isSubsetOf("acquired", "released", "idle", "no longer idle", "release repeated: DONE");
	}

	private void assertIdlingHasNothing() {
		assertThat(this.idling.engine.idle()).isEmpty();
		this.idling.assertNoKeyInUse();
	}

}
