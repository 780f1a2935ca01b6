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

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the exact time of renewals and of acquire commands.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RenewalTimesTests extends TwoInstances {

	private static final LockRequest FIXED = FOREVER.withLease(Lease.fixed(Duration.ofSeconds(20)));

	private static final Duration FIRST = Duration.ofMillis(7_500);

	private static final Duration PERIOD = Duration.ofSeconds(10);

	@Test
	void leaseIsRenewedExactlyWhenRenewalIsDue() {
		this.firstInstance.ask(FOREVER).join();
		assertRenewedAfter(FIRST);
		assertRenewedAfter(PERIOD);
		assertRenewedAfter(PERIOD);
		assertThat(this.firstInstance.events.lateness).containsOnly(Duration.ZERO).hasSize(3);
	}

	@Test
	void shortLeaseIsRenewedEveryThirdOfLease() {
		this.firstInstance.ask(FOREVER.withLease(Lease.renewed(Duration.ofSeconds(1)))).join();
		Duration grid = Duration.ofMillis(34);
		// It counts from the beginning of the interval in which it was acquired.
		assertRenewedOnGrid(Duration.ofMillis(250), grid.multipliedBy(2));
		for (int i = 0; i < 10; i++) {
			// A third of the lease, rounded up to the tick.
			assertRenewedOnGrid(Duration.ofMillis(340), grid);
		}
	}

	@Test
	void intervalOfRepeatedRenewalsGrowsUntilStoreRecovers() {
		LockHandle handle = this.firstInstance.ask(FOREVER).join();
		this.store.down = true;
		assertRenewedAfter(FIRST);
		assertAskedLessAndLessOften();
		this.store.down = false;
		assertRenewedAfter(Duration.ofMillis(750));
		this.store.down = true;
		assertRenewedOnGrid(PERIOD, Duration.ofMillis(100));
		assertRenewedAfter(Duration.ofMillis(40));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
	}

	@Test
	void intervalOfFixedLeaseConfirmationsGrowsUntilStoreRecovers() {
		LockHandle handle = this.firstInstance.ask(FIXED).join();
		this.store.down = true;
		this.firstInstance.reconnect();
		assertRenewedAfter(TestEngine.TICK);
		assertAskedLessAndLessOften();
		this.store.down = false;
		assertRenewedAfter(Duration.ofMillis(750));
		this.firstInstance.pass(Duration.ofSeconds(5));
		this.store.down = true;
		this.firstInstance.reconnect();
		assertRenewedAfter(TestEngine.TICK);
		assertRenewedAfter(Duration.ofMillis(40));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		assertThat(this.firstInstance.events.lateness).containsOnly(Duration.ZERO);
	}

	private void assertAskedLessAndLessOften() {
		List.of(40, 80, 150, 300, 600, 750, 750).forEach((millis) -> assertRenewedAfter(Duration.ofMillis(millis)));
	}

	@Test
	void latenessIsMeasuredFromDueTimeUnlessRenewalIsPending() {
		this.firstInstance.ask(FOREVER).join();
		this.store.hold = true;
		this.ticker.advance(FIRST.plusSeconds(1));
		this.firstInstance.turn();
		assertThat(this.firstInstance.events.lateness).containsExactly(Duration.ofSeconds(1));
		this.ticker.advance(Duration.ofSeconds(6));
		this.firstInstance.turn();
		assertThat(this.firstInstance.events.lateness).hasSize(1);
		// The renewal was not answered in time, so the next one follows soon.
		this.firstInstance.pass(Duration.ofMillis(50));
		assertThat(this.firstInstance.events.lateness).hasSize(2).last().isEqualTo(Duration.ofNanos(2_500_000));
		this.ticker.advance(Duration.ofSeconds(15));
		this.firstInstance.turn();
		assertThat(this.firstInstance.events.heard).contains("lost: EXPIRED");
		assertThat(this.firstInstance.events.lateness).hasSize(2);
	}

	@Test
	void lossOfFixedHoldIsReportedAtDeadline() {
		this.firstInstance.ask(FIXED).join();
		this.firstInstance.pass(Duration.ofMillis(19_790));
		assertThat(this.firstInstance.events.heard).containsExactly("acquired");
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "lost: EXPIRED");
		assertThat(renewals()).isEmpty();
		assertThat(this.firstInstance.events.lateness).isEmpty();
	}

	@Test
	void renewalFollowsOnePeriodAfterConfirmedHandOff() {
		LockHandle first = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		this.firstInstance.pass(Duration.ofSeconds(1));
		first.close();
		assertThat(second.join().isHeld()).as("'second.join' is held").isTrue();
		assertThat(this.store.count(RenewCommand.class)).isOne();
		assertRenewedAfter(PERIOD);
	}

	@Test
	void maximumHoldTimeOfNextCallerEndsHoldAfterHandOff() {
		LockHandle first = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER.withMaxHoldTime(Duration.ofSeconds(2)));
		first.close();
		this.firstInstance.pass(Duration.ofMillis(1_990));
		assertThat(second.join().isHeld()).as("'second.join' is held").isTrue();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(second.join().loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
	}

	@Test
	void renewalRequestsTokensOnlyForLocalWaitersWithoutTokens() {
		this.firstInstance.ask(FOREVER).join();
		this.secondInstance.ask(FOREVER);
		assertRenewedAfter(FIRST);
		assertThat(renewals()).last().returns(false, RenewCommand::nextBlock);
		this.firstInstance.ask(FOREVER);
		assertRenewedAfter(PERIOD);
		assertThat(renewals()).last().returns(true, RenewCommand::nextBlock);
		assertRenewedAfter(PERIOD);
		assertThat(renewals()).last().returns(false, RenewCommand::nextBlock);
	}

	@Test
	void waiterReportedByRenewalIsPassedForAtMostFiftyMilliseconds() {
		TestEngine deaf = deaf(SETTINGS);
		LockHandle first = deaf.ask(FOREVER).join();
		CompletableFuture<LockHandle> second = deaf.ask(FOREVER);
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(FOREVER);
		TestEngine.pass(FIRST, deaf, this.secondInstance);
		assertThat(this.store.count(RenewCommand.class)).isOne();
		this.ticker.advance(Duration.ofMillis(50));
		first.close();
		assertThat(second).isNotDone();
		assertThat(elsewhere.join().isHeld()).as("'elsewhere.join' is held").isTrue();
	}

	@Test
	void listShowsNumberOfRenewalsAndRiskOfHold() {
		this.firstInstance.ask(FOREVER).join();
		assertRenewedAfter(FIRST);
		assertRenewedAfter(PERIOD);
		assertThat(this.firstInstance.engine.localLocks().list()).singleElement()
			.returns(2L, LockSnapshot::renewals)
			.returns(false, LockSnapshot::atRisk);
		this.store.down = true;
		assertRenewedAfter(PERIOD);
		assertThat(this.firstInstance.events.count("at risk")).isOne();
		assertThat(this.firstInstance.events.length).isEqualTo(Duration.ofMillis(14_700));
		assertThat(this.firstInstance.engine.localLocks().list()).singleElement()
			.returns(2L, LockSnapshot::renewals)
			.returns(true, LockSnapshot::atRisk);
	}

	@Test
	void watchdogWakesOnlyForSleepChecksDuringFixedLease() {
		EngineContext context = new EngineContext(EngineSettings.of("test"), "sleeper", this.threads, this.ticker,
				this.ticker.wallClock, this.store, new Events(), Runnable::run);
		LockEngine engine = new LockEngine(context, this.memory, this.memory);
		context.start();
		LockHandle handle = engine.acquireAsync(FOREVER.withLease(Lease.fixed(Duration.ofMinutes(3)))).join();
		long end = this.ticker.read() + Duration.ofSeconds(170).toNanos();
		this.threads.wait = (nanos) -> {
			if (this.ticker.read() - end < 0) {
				this.threads.pass(nanos);
			}
			else if (handle.isHeld()) {
				handle.close();
				engine.close();
			}
		};
		this.threads.last().work.run();
		assertThat(this.threads.failures).isEmpty();
		// Each time, the watchdog checks whether the machine has slept: it wakes every
		// quarter of the sleep that may go unnoticed.
		assertThat(this.threads.parks).as("times that the watchdog woke").hasSizeBetween(370, 400);
	}

	private void assertRenewedAfter(Duration time) {
		assertSentAfter(this.firstInstance, RenewCommand.class, time);
	}

	/* A renewal may be earlier than this, by less than the grid of renewals. */
	private void assertRenewedOnGrid(Duration time, Duration grid) {
		long begun = this.ticker.read();
		passUntilSent(RenewCommand.class);
		assertThat(Duration.ofNanos(this.ticker.read() - begun)).isBetween(time.minus(grid), time);
	}

	private List<RenewCommand> renewals() {
		return this.store.sent(RenewCommand.class);
	}

}
