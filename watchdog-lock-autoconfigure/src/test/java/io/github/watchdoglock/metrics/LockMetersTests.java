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

package io.github.watchdoglock.metrics;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener.Outcome;
import io.github.watchdoglock.LockLoss;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockMeters}.
 */
class LockMetersTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LockMeters meters = new LockMeters(this.registry, 2);

	@Test
	void gaugesFollowACallerFromWaitingToReleased() {
		this.meters.waiting(KEY);
		assertThat(gauge("waiting")).isOne();
		this.meters.acquired(KEY, 1, Duration.ofMillis(20));
		assertThat(gauge("waiting")).isZero();
		assertThat(gauge("held")).isOne();
		this.meters.released(KEY, 1, Duration.ofMillis(30));
		assertThat(gauge("held")).isZero();
		assertThat(timerMillis("acquire", "acquired")).isEqualTo(20);
		assertThat(timerMillis("hold", "released")).isEqualTo(30);
	}

	@ParameterizedTest
	@EnumSource
	void failedWaitIsTimedByItsOutcome(Outcome outcome) {
		this.meters.waiting(KEY);
		this.meters.notAcquired(KEY, outcome, Duration.ofMillis(20));
		assertThat(gauge("waiting")).isZero();
		assertThat(gauge("held")).isZero();
		assertThat(timerMillis("acquire", outcome.name().toLowerCase(Locale.ROOT))).isEqualTo(20);
	}

	@ParameterizedTest
	@EnumSource
	void lossIsCountedByItsReason(LockLoss.Reason reason) {
		this.meters.waiting(KEY);
		this.meters.acquired(KEY, 1, Duration.ZERO);
		this.meters.lost(new LockLoss(KEY, 1, reason), Duration.ofMillis(50));
		assertThat(gauge("held")).isZero();
		assertThat(timerMillis("hold", "lost")).isEqualTo(50);
		assertThat(this.registry.get("watchdog.lock.lost").tags("lock", "orders", "reason", reason.tag()).counter())
			.satisfies((counter) -> assertThat(counter.count()).isOne());
		assertThat(renewals("gone")).isEqualTo((reason == LockLoss.Reason.GONE) ? 1 : 0);
	}

	@Test
	void renewalsAreCountedByTheirOutcome() {
		this.meters.renewed(KEY, 1);
		this.meters.renewed(KEY, 1);
		this.meters.renewalFailed(KEY, 1, new IllegalStateException());
		assertThat(renewals("renewed")).isEqualTo(2);
		assertThat(renewals("error")).isOne();
	}

	@Test
	void idIsNeverATag() {
		this.meters.waiting(KEY);
		assertThat(this.registry.getMeters()).allSatisfy(
				(meter) -> assertThat(meter.getId().getTags()).noneMatch((tag) -> tag.getValue().contains("42")));
	}

	@Test
	void namesBeyondTheLimitShareTheMetersOfOthers() {
		for (String name : new String[] { "a", "b", "c", "d" }) {
			this.meters.waiting(LockKey.of(name));
		}
		assertThat(this.registry.find("watchdog.lock.waiting").gauges())
			.extracting((gauge) -> gauge.getId().getTag("lock") + "=" + gauge.value())
			.containsExactlyInAnyOrder("a=1.0", "b=1.0", "other=2.0");
	}

	@Test
	void refusingRegistryDoesNotReachTheLock() {
		this.registry.config().meterFilter(new MeterFilter() {
			@Override
			public Meter.Id map(Meter.Id id) {
				throw new IllegalStateException("filter");
			}
		});
		this.meters.waiting(KEY);
		this.meters.acquired(KEY, 1, Duration.ZERO);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	private double gauge(String name) {
		return this.registry.get("watchdog.lock." + name).tag("lock", "orders").gauge().value();
	}

	private double timerMillis(String name, String outcome) {
		return this.registry.get("watchdog.lock." + name)
			.tags("lock", "orders", "outcome", outcome)
			.timer()
			.totalTime(TimeUnit.MILLISECONDS);
	}

	private double renewals(String outcome) {
		return this.registry.get("watchdog.lock.renewals").tags("lock", "orders", "outcome", outcome).counter().count();
	}

}
