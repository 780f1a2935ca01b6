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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.Clock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a machine that slept, or whose wall clock was set.
 */
class SuspendedMachineTests extends TwoInstances {

	private final LockHandle handle = this.firstInstance.ask(ORDERS).join();

	@Test
	void holdIsLostOnWakeWhenMachineSleptBeyondDeadline() {
		CompletableFuture<LockLoss> loss = this.handle.whenLost().toCompletableFuture();
		this.ticker.sleep(Duration.ofMillis(24_710));
		assertThat(this.handle.isHeld()).as("'handle' is held").isFalse();
		this.firstInstance.turn();
		assertThat(loss.join().reason()).isEqualTo(LockLoss.Reason.EXPIRED);
		assertThat(this.store.count(RenewCommand.class)).isZero();
	}

	@Test
	void validHoldIsRenewedAtOnceAfterSleep() {
		this.ticker.sleep(Duration.ofSeconds(20));
		this.firstInstance.turn();
		assertThat(this.store.count(RenewCommand.class)).isOne();
		assertThat(this.handle.remaining()).isEqualTo(Duration.ofMillis(24_700));
	}

	@Test
	void wallClockJumpShorterThanMarginIsNotTreatedAsSleep() {
		this.ticker.sleep(Duration.ofMillis(4_990));
		assertThat(this.handle.remaining()).isEqualTo(Duration.ofMillis(24_700));
	}

	@Test
	void fixedLeaseEndsOnTimeWhenMachineHasSlept() {
		LockHandle holder = ask(Lease.fixed(Duration.ofSeconds(5)));
		this.ticker.sleep(Duration.ofMillis(4_940));
		assertThat(holder.isHeld()).as("'holder' is held").isTrue();
		this.ticker.sleep(Duration.ofMillis(60));
		assertThat(holder.isHeld()).as("'holder' is held").isFalse();
	}

	@Test
	void fixedLeaseEndsOnTimeAfterUnnoticedShortSleep() {
		LockHandle holder = ask(Lease.fixed(Duration.ofSeconds(5)));
		// The allowed clock drift of a hundredth is 50 ms.
		this.ticker.sleep(Duration.ofMillis(49));
		this.firstInstance.pass(Duration.ofMillis(4_940));
		assertThat(holder.isHeld()).as("'holder' is held").isTrue();
		this.firstInstance.pass(Duration.ofMillis(10));
		assertThat(holder.isHeld()).as("'holder' is held").isFalse();
	}

	@Test
	void sleepNearEndOfLongFixedLeaseEndsHold() {
		LockHandle holder = ask(Lease.fixed(Duration.ofSeconds(100)));
		this.firstInstance.pass(Duration.ofSeconds(95));
		this.ticker.sleep(Duration.ofMillis(4_100));
		assertThat(holder.isHeld()).as("'holder' is held").isFalse();
	}

	@Test
	void ignoredSleepBeforeAcquireDoesNotShortenNewLease() {
		this.ticker.sleep(Duration.ofSeconds(2));
		assertThat(ask(Lease.fixed(Duration.ofSeconds(2))).remaining()).isEqualTo(Duration.ofMillis(1_980));
	}

	@Test
	void sleepToleranceRisesAgainAfterShortLeaseEnds() {
		ask(Lease.fixed(Duration.ofSeconds(1))).close();
		this.firstInstance.pass(Duration.ofSeconds(3));
		Duration before = this.handle.remaining();
		this.ticker.sleep(Duration.ofSeconds(4));
		assertThat(this.handle.remaining()).isEqualTo(before);
	}

	@Test
	void sleepOfHalfSecondIsCountedWhileShortLeaseIsRenewed() {
		LockHandle brief = ask(Lease.renewed(Duration.ofSeconds(3)));
		this.firstInstance.pass(Duration.ofSeconds(20));
		Duration before = brief.remaining();
		this.ticker.sleep(Duration.ofMillis(510));
		assertThat(brief.remaining()).isEqualTo(before.minusMillis(510));
	}

	@Test
	void expiredHoldIsNotHandedOffAfterSleep() {
		CompletableFuture<LockHandle> next = this.firstInstance
			.ask(LockRequest.of("orders").withWaitTime(Duration.ofMillis(-1)));
		this.ticker.sleep(Duration.ofMinutes(1));
		this.handle.close();
		assertThat(this.firstInstance.events.heard).contains("lost: EXPIRED").doesNotContain("handed off: LOCAL");
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
	}

	@Test
	void acquireIsRepeatedWhenMachineSleptBeforeAnswer() {
		this.store.hold = true;
		CompletableFuture<LockHandle> slept = this.firstInstance
			.ask(LockRequest.of("slept").withWaitTime(Duration.ofHours(1)));
		this.ticker.sleep(Duration.ofMinutes(1));
		this.store.commands.clear();
		this.store.deliver();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		assertThat(slept.join().isHeld()).as("'slept.join' is held").isTrue();
	}

	@Test
	void shortSleepsAddUpUntilHoldIsLost() {
		for (int i = 0; i < 30; i++) {
			this.ticker.sleep(Duration.ofSeconds(1));
			if (i < 24) {
				assertThat(this.handle.remaining()).isPositive();
			}
		}
		assertThat(this.handle.isHeld()).as("'handle' is held").isFalse();
	}

	@Test
	void wallClockSetBackDoesNotChangeRemainingTime() {
		this.ticker.sleep(Duration.ofHours(-1));
		assertThat(this.handle.remaining()).isEqualTo(Duration.ofMillis(24_700));
		this.ticker.sleep(Duration.ofMillis(24_710));
		assertThat(this.handle.isHeld()).as("'handle' is held").isFalse();
	}

	@Test
	void lockAcquiredAfterWakeIsNotShortenedBySleep() {
		this.ticker.sleep(Duration.ofMinutes(1));
		LockHandle fresh = this.firstInstance.ask(LockRequest.of("fresh")).join();
		this.firstInstance.turn();
		assertThat(fresh.isHeld()).as("'fresh' is held").isTrue();
		assertThat(this.handle.isHeld()).as("'handle' is held").isFalse();
	}

	@Test
	void waitThatBeginsAfterWakeIsNotShortenedBySleep() {
		LockHandle elsewhere = this.secondInstance.ask(LockRequest.of("other")).join();
		this.ticker.sleep(Duration.ofMinutes(1));
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(LockRequest.of("other"));
		this.firstInstance.turn();
		assertThat(waiting).isNotDone();
		elsewhere.close();
		assertThat(waiting).isCompleted();
	}

	@Test
	void slowDriftOfWallClockIsNotTreatedAsSleep() {
		for (int i = 0; i < 20_000; i++) {
			this.firstInstance.pass(Duration.ofMillis(10));
			this.ticker.sleep(Duration.ofNanos(5_000));
			assertThat(this.handle.remaining()).isGreaterThan(Duration.ofSeconds(13));
		}
		this.ticker.sleep(Duration.ofMinutes(1));
		assertThat(this.handle.isHeld()).as("'handle' is held").isFalse();
	}

	@Test
	void shortSleepsAfterHoursAreNotTreatedAsDrift() {
		AtomicLong ticks = new AtomicLong();
		AtomicLong wall = new AtomicLong();
		Clock clock = new Clock(ticks::get, () -> Instant.EPOCH.plusNanos(wall.get()));
		clock.tolerate(Duration.ofSeconds(5).toNanos());
		ticks.addAndGet(Duration.ofHours(2).toNanos());
		wall.addAndGet(Duration.ofHours(2).toNanos());
		long before = clock.readNoticingSleep();
		for (int i = 0; i < 6; i++) {
			wall.addAndGet(Duration.ofSeconds(1).toNanos());
			clock.readNoticingSleep();
		}
		assertThat(clock.read() - before).isGreaterThan(Duration.ofSeconds(5).toNanos());
	}

	@Test
	void checkIntervalFollowsSmallestActiveSleepTolerance() {
		AtomicLong ticks = new AtomicLong();
		Clock clock = new Clock(ticks::get, () -> Instant.EPOCH.plusNanos(ticks.get()));
		clock.tolerate(Duration.ofSeconds(5).toNanos());
		for (int i = 100; i > 0; i--) {
			clock.tolerate(Duration.ofMillis(1_000 + i).toNanos(), Duration.ofSeconds(200 - i).toNanos());
		}
		assertThat(clock.maxCheckInterval()).isEqualTo(Duration.ofMillis(1_001).toNanos() / 4);
		for (int i = 100; i > 0; i--) {
			clock.tolerate(Duration.ofMillis(1_000 - i).toNanos(), Duration.ofSeconds(i).toNanos());
		}
		assertThat(clock.maxCheckInterval()).isEqualTo(Duration.ofMillis(900).toNanos() / 4);
		ticks.set(Duration.ofSeconds(202).toNanos());
		clock.readNoticingSleep();
		assertThat(clock.maxCheckInterval()).isEqualTo(Duration.ofSeconds(5).toNanos() / 4);
	}

	@Test
	void slowlyReadClockStillNoticesSleep() {
		AtomicLong slow = new AtomicLong();
		AtomicLong wall = new AtomicLong();
		Clock clock = new Clock(() -> slow.addAndGet(2_000_000), () -> Instant.EPOCH.plusNanos(wall.get()));
		clock.tolerate(Duration.ofSeconds(5).toNanos());
		long before = clock.readNoticingSleep();
		wall.addAndGet(Duration.ofMinutes(1).toNanos());
		assertThat(clock.readNoticingSleep() - before).isGreaterThan(Duration.ofSeconds(50).toNanos());
	}

	@Test
	void sleepNoticedByManyThreadsIsCountedOnce() throws InterruptedException {
		AtomicLong wall = new AtomicLong();
		Clock clock = new Clock(() -> 0, () -> Instant.EPOCH.plusNanos(wall.get()));
		clock.tolerate(Duration.ofSeconds(5).toNanos());
		CyclicBarrier rounds = new CyclicBarrier(4, () -> wall.addAndGet(Duration.ofMinutes(1).toNanos()));
		AtomicInteger wrong = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			long limit = Duration.ofSeconds(1 + i).toNanos();
			Thread thread = new Thread(() -> {
				for (int round = 1; round <= 1_000; round++) {
					try {
						rounds.await();
						clock.tolerate(limit, Duration.ofMinutes(round).toNanos());
						wrong.addAndGet((clock.readNoticingSleep() != Duration.ofMinutes(round).toNanos()) ? 1 : 0);
					}
					catch (InterruptedException | BrokenBarrierException ex) {
						throw new IllegalStateException(ex);
					}
				}
			});
			threads.add(thread);
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(wrong).as("reads of the clock that missed a sleep or counted one twice").hasValue(0);
	}

	/* Acquire another lock. */
	private LockHandle ask(Lease lease) {
		return this.firstInstance.ask(LockRequest.of("other").withLease(lease)).join();
	}

}
