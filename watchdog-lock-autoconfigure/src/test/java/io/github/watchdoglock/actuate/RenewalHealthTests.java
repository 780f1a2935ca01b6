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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLoss.Reason;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.NotConnectedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RenewalHealth}.
 */
class RenewalHealthTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private static final Duration NEVER = Duration.ofDays(1);

	private final Held hold = Mockito.mock(Held.class);

	private final AtomicInteger finds = new AtomicInteger();

	private volatile @Nullable LockKey asked;

	private volatile boolean mended;

	private volatile Instant now = Instant.EPOCH;

	private final InstantSource clock = () -> this.now;

	private final LeaseInspector store = Mockito.mock(LeaseInspector.class, (call) -> {
		this.finds.incrementAndGet();
		this.asked = call.getArgument(0);
		return this.mended ? CompletableFuture.completedFuture(List.of())
				: CompletableFuture.failedFuture(new LockStoreException("broken on purpose", null));
	});

	private RenewalHealth health = health(NEVER);

	@AfterEach
	void close() {
		this.health.close();
	}

	private RenewalHealth health(Duration interval) {
		return new RenewalHealth(this.store, Duration.ofSeconds(1), interval, Duration.ofSeconds(30), this.clock);
	}

	private void atRisk() {
		atRisk(this.hold);
	}

	private void atRisk(Held hold) {
		this.health.atRisk(hold, Duration.ofSeconds(5), new IllegalStateException("broken on purpose"));
	}

	private void lose(Reason reason) {
		this.health.lost(this.hold, new LockLoss(KEY, 1, reason), Duration.ofSeconds(30));
	}

	@Test
	void lossAfterFailedRenewalsIsOutageUntilCommandSucceeds() {
		atRisk();
		assertThat(this.health.outage()).isNull();
		assertThat(this.health.atRisk()).isEqualTo(1);
		lose(Reason.EXPIRED);
		assertThat(this.health.atRisk()).isZero();
		RenewalHealth.Outage outage = this.health.outage();
		assertThat(outage).isNotNull().extracting(RenewalHealth.Outage::lost).isEqualTo(KEY);
		this.health.commandEnded(Command.FORCE, 0, new IllegalStateException("broken on purpose"));
		assertThat(this.health.outage()).isSameAs(outage);
		this.health.commandEnded(Command.FORCE, 0, null);
		assertThat(this.health.outage()).isNull();
	}

	@ParameterizedTest
	@EnumSource(value = Reason.class, mode = EnumSource.Mode.EXCLUDE, names = "EXPIRED")
	void lossForReasonOtherThanExpiryIsNoOutage(Reason reason) {
		atRisk();
		lose(reason);
		assertThat(this.health.outage()).isNull();
		assertThat(this.health.atRisk()).isZero();
	}

	@Test
	void expiryWithoutFailedRenewalsIsNoOutage() {
		lose(Reason.EXPIRED);
		assertThat(this.health.outage()).isNull();
		atRisk();
		this.health.recovered(this.hold);
		lose(Reason.EXPIRED);
		assertThat(this.health.outage()).isNull();
		atRisk();
		this.health.released(this.hold, 1);
		lose(Reason.EXPIRED);
		assertThat(this.health.outage()).isNull();
	}

	@Test
	void holdStaysAtRiskWhenAnotherHoldOnKeyIsReleased() {
		Held other = Mockito.mock(Held.class);
		atRisk();
		atRisk(other);
		assertThat(this.health.atRisk()).isEqualTo(2);
		this.health.released(other, 1);
		assertThat(this.health.atRisk()).isEqualTo(1);
		lose(Reason.EXPIRED);
		assertThat(this.health.outage()).isNotNull();
	}

	@Test
	void commandsFailingForLongerThanLeaseAreFailureUntilSuccess() {
		Instant first = this.now;
		this.health.commandEnded(Command.ACQUIRE, 0, new IllegalStateException("first"));
		this.now = first.plusSeconds(30);
		this.health.commandEnded(Command.ACQUIRE, 0, new IllegalStateException("last"));
		assertThat(this.health.failures()).isEqualTo(new RenewalHealth.Failures(first, this.now, true, "last"));
		assertThat(this.health.isFailing()).as("failing after a lease").isFalse();
		this.now = first.plusSeconds(31);
		assertThat(this.health.isFailing()).as("failing after more than a lease").isTrue();
		this.health.commandEnded(Command.RENEW, 0, null);
		assertThat(this.health.failures()).isNull();
		assertThat(this.health.isFailing()).as("failing after a success").isFalse();
	}

	@Test
	void idleInstanceRecoversFromFailedCommandByProbingStore() {
		this.health = health(Duration.ofMillis(20));
		this.health.commandEnded(Command.ACQUIRE, 0, new NotConnectedException("broken on purpose", null));
		await().until(() -> this.finds.get() >= 3);
		assertThat(this.health.failures()).as("failures while Redis is asked in vain").isNotNull();
		this.mended = true;
		await().until(() -> this.health.failures() == null);
	}

	@Test
	void refusedCommandsRemainFailuresForLeaseWhenProbesSucceed() {
		this.mended = true;
		this.health = health(Duration.ofMillis(20));
		Instant first = this.now;
		this.health.commandEnded(Command.ACQUIRE, 0, new CommandRefusedException("NOPERM", null));
		this.now = first.plusSeconds(20);
		this.health.commandEnded(Command.ACQUIRE, 0, new CommandRefusedException("NOPERM", null));
		this.now = first.plusSeconds(31);
		await().until(() -> this.finds.get() >= 3);
		assertThat(this.health.isFailing()).as("failing while each lock is refused").isTrue();
		this.now = first.plusSeconds(51);
		await().until(() -> this.health.failures() == null);
	}

	@Test
	void storeIsProbedForLostKeyUntilOutageEnds() {
		this.health = health(Duration.ofMillis(20));
		atRisk();
		lose(Reason.EXPIRED);
		await().until(() -> this.finds.get() >= 3);
		assertThat(this.asked).isEqualTo(KEY);
		assertThat(this.health.outage()).isNotNull();
		this.mended = true;
		await().until(() -> this.health.outage() == null);
		int finds = this.finds.get();
		await().pollDelay(Duration.ofMillis(100)).until(() -> this.finds.get() == finds);
	}

	@Test
	void storeIsProbedAtMostOncePerIntervalAfterManyLosses() {
		this.health = health(Duration.ofMillis(200));
		long start = System.nanoTime();
		for (int i = 0; i < 50; i++) {
			atRisk();
			lose(Reason.EXPIRED);
		}
		await().until(() -> this.finds.get() >= 3);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).as("time of three probes at an interval of 200 ms")
			.isGreaterThanOrEqualTo(Duration.ofMillis(600));
	}

	@Test
	void storeIsNoLongerProbedAfterClose() {
		this.health = health(Duration.ofMillis(20));
		atRisk();
		lose(Reason.EXPIRED);
		this.health.close();
		int finds = this.finds.get();
		await().pollDelay(Duration.ofMillis(100)).until(() -> this.finds.get() <= finds + 1);
	}

}
