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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.listener.TestHold;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.Ticker;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockHealthIndicator}.
 */
class LockHealthIndicatorTests {

	private static final LockKey KEY = LockKey.of("orders", "secret");

	private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.123Z");

	private Instant now = NOW;

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());

	private final RenewalHealth renewals = new RenewalHealth(this.store, Duration.ofSeconds(1), Duration.ofDays(1),
			Duration.ofSeconds(30), () -> this.now);

	private final LockEngine engine = new LockEngine(EngineSettings.of("test"), this.store, this.store, this.store,
			this.renewals);

	private final LockHealthIndicator indicator = indicator(() -> this.renewals, () -> Duration.ofMillis(7),
			() -> Duration.ZERO);

	private LockHealthIndicator indicator(Supplier<? extends @Nullable RenewalHealth> renewals,
			LockHealth.Lateness lateness, Supplier<Duration> silence) {
		return new LockHealthIndicator(new LockHealth(this.engine.localLocks(), renewals, lateness, silence,
				Duration.ofSeconds(7), List::of, () -> null));
	}

	@AfterEach
	void close() {
		this.engine.close();
	}

	@Test
	void healthIsOutOfServiceWhileWatchdogIsStalled() {
		AtomicReference<Duration> silence = new AtomicReference<>(Duration.ofSeconds(7));
		LockHealthIndicator watching = indicator(() -> null, LockHealth.Lateness.UNKNOWN, silence::get);
		assertThat(watching.health().getStatus()).isEqualTo(Status.UP);
		silence.set(Duration.ofSeconds(8));
		assertThat(watching.health()).satisfies((health) -> {
			assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(health.getDetails()).containsEntry("watchdogSilent", Duration.ofSeconds(8));
		});
		silence.set(Duration.ZERO);
		assertThat(watching.health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void healthIsUpWithoutDetailsWhenNoHoldIsAtRisk() throws Exception {
		assertThat(this.indicator.health()).isEqualTo(Health.up().build());
		try (LockHandle handle = this.engine.acquire(LockRequest.of(KEY))) {
			assertThat(handle.isHeld()).isTrue();
			assertThat(this.indicator.health()).isEqualTo(Health.up().build());
		}
	}

	@Test
	void healthIsUpWithDetailsWhileHoldIsAtRisk() throws Exception {
		try (LockHandle handle = this.engine.acquire(LockRequest.of(KEY));
				LockHandle other = this.engine.acquire(LockRequest.of("reports"))) {
			this.renewals.renewed(KEY, handle.fencingToken());
			this.renewals.atRisk(Objects.requireNonNull(Held.of(handle)), Duration.ofSeconds(5),
					new IllegalStateException("broken on purpose"));
			Health health = this.indicator.health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsOnlyKeys("holds", "oldest", "atRisk", "lastRenewal", "lateness")
				.containsAllEntriesOf(
						Map.of("holds", 2, "atRisk", 1, "lastRenewal", NOW, "lateness", Duration.ofMillis(7)))
				.extractingByKey("oldest", InstanceOfAssertFactories.DURATION)
				.isBetween(Duration.ZERO, Duration.ofSeconds(20));
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.indicator.health()).isEqualTo(Health.up().build());
	}

	@Test
	void healthShowsFailedCommandsAndIsOutOfServiceAfterLease() {
		this.renewals.commandEnded(Command.ACQUIRE, 0, new IllegalStateException("NOPERM"));
		assertThat(this.indicator.health())
			.isEqualTo(Health.up().withDetail("failingSince", NOW).withDetail("error", "NOPERM").build());
		this.now = NOW.plusSeconds(31);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		this.renewals.commandEnded(Command.ACQUIRE, 0, null);
		assertThat(this.indicator.health()).isEqualTo(Health.up().build());
	}

	@Test
	void healthNamesLostLockWithoutItsKey() {
		Held hold = new TestHold(KEY, 1);
		this.renewals.atRisk(hold, Duration.ofSeconds(5), new IllegalStateException("broken on purpose"));
		this.renewals.lost(hold, new LockLoss(KEY, 1, LockLoss.Reason.EXPIRED), Duration.ofSeconds(30));
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
		assertThat(health.getDetails()).isEqualTo(
				Map.of("holds", 0, "atRisk", 0, "lost", "orders", "since", NOW, "lateness", Duration.ofMillis(7)));
	}

	@Test
	void healthIsUpWhenThereIsNoRenewalHealth() {
		assertThat(indicator(() -> null, LockHealth.Lateness.UNKNOWN, () -> Duration.ZERO).health())
			.isEqualTo(Health.up().build());
	}

}
