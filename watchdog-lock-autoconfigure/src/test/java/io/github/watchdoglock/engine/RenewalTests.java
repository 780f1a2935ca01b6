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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for renewals: which leases are renewed, when, and when renewal ends.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RenewalTests extends TwoInstances {

	@Test
	void durationOfRenewalAnswerIsReportedToObservers() {
		this.firstInstance.ask(ORDERS).join();
		this.firstInstance.pass(Duration.ofSeconds(10));
		assertThat(this.firstInstance.events.answers).containsExactly(Duration.ZERO);
		this.store.hold = true;
		this.ticker.advance(Duration.ofSeconds(12));
		this.firstInstance.turn();
		this.ticker.advance(Duration.ofMillis(30));
		this.store.deliver();
		assertThat(this.firstInstance.events.answers).last().isEqualTo(Duration.ofMillis(30));
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(15));
		assertThat(this.firstInstance.events.count("renewal failed")).isPositive();
		assertThat(this.firstInstance.events.answers).hasSize(2);
	}

	@Test
	void releaseContainsGrantOnlyWhenLeaseWasNotRenewed() {
		this.firstInstance.ask(ORDERS).join().close();
		LockHandle renewed = this.firstInstance.ask(ORDERS).join();
		this.firstInstance.pass(Duration.ofSeconds(10));
		renewed.close();
		assertThat(this.store.sent(ReleaseCommand.class)).extracting(ReleaseCommand::grant)
			.satisfiesExactly((grant) -> assertThat(grant).isNotNull(), (grant) -> assertThat(grant).isNull());
	}

	@Test
	void latenessIsReportedWhenHoldExpiresBeforeRenewal() {
		this.firstInstance.ask(ORDERS).join();
		this.ticker.advance(Duration.ofSeconds(40));
		this.firstInstance.turn();
		assertThat(this.firstInstance.events.heard).contains("lost: EXPIRED");
		assertThat(this.firstInstance.events.lateness).containsExactly(Duration.ofMillis(32_500));
		assertThat(this.store.count(RenewCommand.class)).isZero();
	}

	@Test
	void renewalsOfOneTurnAreSentInBatchesOfFiveHundred() {
		List<Integer> parts = new ArrayList<>();
		ScriptedStore counting = new ScriptedStore(this.memory) {
			@Override
			public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
				parts.add(commands.size());
				return super.renew(commands);
			}
		};
		TestEngine test = new TestEngine(this.ticker, counting, this.memory, this.memory);
		IntStream.range(0, 1_200).forEach((i) -> test.ask(LockRequest.of("orders", "" + i)));
		// All leases have been due for a while.
		this.ticker.advance(Duration.ofSeconds(12));
		test.pass(TestEngine.TICK);
		assertThat(parts).containsExactly(500, 500, 200);
	}

	@Test
	@Tag("slow")
	void leaseIsRenewedOncePerPeriodAfterManyAcquisitions() {
		IntStream.range(0, 20_000).forEach((i) -> this.firstInstance.ask(ORDERS).join().close());
		this.firstInstance.assertNoKeyInUse();
		this.firstInstance.ask(ORDERS).join();
		assertThat(this.firstInstance.keys()).isOne();
		this.firstInstance.pass(Duration.ofSeconds(100));
		assertThat(this.store.count(RenewCommand.class)).isBetween(9L, 12L);
	}

	@Test
	void renewalsOfHoldsMadeTogetherAreSpreadOverThePeriod() {
		TestEngine random = new TestEngine(this.ticker, this.store, this.memory, this.memory);
		IntStream.range(0, 10_000).forEach((i) -> random.ask(LockRequest.of("orders", "" + i)));
		random.pass(Duration.ofSeconds(5));
		for (int i = 1; i <= 5; i++) {
			long before = this.store.count(RenewCommand.class);
			random.pass(Duration.ofSeconds(1));
			assertThat(this.store.count(RenewCommand.class) - before).isBetween(500L, 4_000L);
		}
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(10_000);
	}

	@Test
	void renewalsOfLeasesFromSameIntervalAreSentInSameTurn() {
		List<Map<Integer, Long>> turns = new ArrayList<>();
		ScriptedStore counting = new ScriptedStore(this.memory) {
			@Override
			public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
				turns.add(commands.stream()
					.collect(Collectors.groupingBy((command) -> Integer.valueOf(command.key().name()) / 100,
							Collectors.counting())));
				return super.renew(commands);
			}
		};
		Threads numbered = new Threads() {
			@Override
			public long unpredictable() {
				return 0;
			}
		};
		TestEngine test = new TestEngine(SETTINGS, numbered, this.ticker, counting, this.memory, this.memory,
				Runnable::run);
		long interval = Duration.ofMillis(100).toNanos();
		// The number of the first attempt is 1.
		for (int i = 1; i < 400; i++) {
			if (i == 1 || i % 100 == 0) {
				// Each hundred is acquired within an interval of the grid.
				this.ticker.advance(Duration.ofNanos(interval - Math.floorMod(this.ticker.read(), interval)));
			}
			test.ask(LockRequest.of("" + i));
			this.ticker.advance(Duration.ofNanos(900_000));
		}
		test.pass(Duration.ofSeconds(60));
		assertThat(turns).hasSizeGreaterThan(15)
			.allSatisfy((groups) -> groups
				.forEach((group, renewed) -> assertThat(renewed).isEqualTo((group == 0) ? 99 : 100)));
	}

	@Test
	void renewalsAfterReconnectAreLimitedPerTurnAndMostUrgentFirst() {
		Lease longer = Lease.renewed(Duration.ofMinutes(2));
		for (int i = 0; i < 2_500; i++) {
			this.firstInstance.ask(LockRequest.of("orders", "" + i).withLease(longer)).join();
		}
		this.firstInstance.ask(LockRequest.of("urgent").withLease(Lease.renewed(Duration.ofSeconds(6)))).join();
		this.firstInstance.reconnect();
		for (int turns = 1; turns <= 3; turns++) {
			this.firstInstance.pass(TestEngine.TICK);
			assertThat(this.store.sent(RenewCommand.class))
				.anySatisfy((command) -> assertThat(command.key().name()).isEqualTo("urgent"));
			assertThat(this.store.count(RenewCommand.class)).as("renewals sent by the end of each turn")
				.isBetween(turns * 1_000L - 500, turns * 1_000L + 1_000);
		}
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(2_501);
		// Each lease is renewed once, and then once per period.
		this.firstInstance.pass(Duration.ofMillis(900));
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(2_501);
		assertThat(this.firstInstance.events.count("renewed")).isEqualTo(2_501);
	}

	@Test
	void leaseMissingInStoreIsLostAtOnceAfterReconnect() {
		LockHandle gone = this.firstInstance.ask(LockRequest.of("gone")).join();
		LockHandle fixed = this.firstInstance
			.ask(LockRequest.of("fixed").withLease(Lease.fixed(Duration.ofSeconds(20))))
			.join();
		LockHandle kept = this.firstInstance.ask(LockRequest.of("kept")).join();
		StoreFaults.forget(this.memory, LockKey.of("gone"));
		StoreFaults.forget(this.memory, LockKey.of("fixed"));
		this.firstInstance.reconnect();
		this.firstInstance.pass(TestEngine.TICK.multipliedBy(2));
		assertThat(gone.loss()).get().extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.GONE);
		assertThat(fixed.loss()).get().extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.GONE);
		assertThat(kept.isHeld()).as("'kept' is held").isTrue();
	}

	@Test
	void fixedLeaseIsConfirmedAfterReconnectWithoutBeingExtended() {
		LockHandle fixed = this.firstInstance
			.ask(LockRequest.of("fixed").withLease(Lease.fixed(Duration.ofSeconds(20))))
			.join();
		this.firstInstance.pass(Duration.ofSeconds(10));
		this.store.down = true;
		this.firstInstance.reconnect();
		this.firstInstance.pass(Duration.ofMillis(500));
		this.store.down = false;
		// The intervals between renewals grow.
		this.firstInstance.pass(Duration.ofMillis(1_500));
		long asked = this.store.count(RenewCommand.class);
		assertThat(asked).isBetween(2L, 10L);
		assertThat(this.firstInstance.events.heard).doesNotContain("renewed");
		this.firstInstance.pass(Duration.ofMillis(7_700));
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(asked);
		assertThat(fixed.isHeld()).as("'fixed' is held").isTrue();
		this.firstInstance.pass(Duration.ofMillis(200));
		assertThat(fixed.isHeld()).as("'fixed' is held").isFalse();
		assertThat(this.secondInstance.engine.find(LockKey.of("fixed"))).isPresent();
		this.firstInstance.pass(Duration.ofMillis(200));
		assertThat(this.secondInstance.engine.find(LockKey.of("fixed"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void releaseIsSentAfterAnswerOfPendingRenewal(boolean lateHint) {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.hold = true;
		passUntilSent(RenewCommand.class);
		CompletableFuture<Void> closed = handle.closeAsync();
		if (lateHint) {
			this.firstInstance.engine.messages.granted(KEY, asked().attempt());
		}
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.store.deliver();
		assertThat(this.store.commands).last().isInstanceOf(ReleaseCommand.class);
		assertThat(closed).isCompleted();
		assertThat(handle.loss()).isEmpty();
		assertNothingIsLeft();
	}

	@Test
	void renewalStopsAfterLossOfHold() {
		this.firstInstance.ask(ORDERS);
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(30));
		long sent = this.store.count(RenewCommand.class);
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(sent).isPositive();
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void failedRenewalIsRepeatedUntilStoreRecovers() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(18));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.store.down = false;
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		assertThat(this.firstInstance.events.count("at risk")).isOne();
		assertThat(this.firstInstance.events.count("recovered")).isOne();
		assertThat(this.firstInstance.events.count("renewal failed")).isBetween(5L, 200L);
	}

	@Test
	void renewalIsRepeatedUntilExpiryWhenStoreThrows() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.broken = true;
		this.firstInstance.pass(Duration.ofSeconds(20));
		assertThat(this.firstInstance.events.count("renewal failed")).isGreaterThan(2);
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.firstInstance.pass(Duration.ofSeconds(10));
		assertThat(this.firstInstance.events.count("lost: EXPIRED")).isOne();
	}

}
