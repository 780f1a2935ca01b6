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
import java.util.Random;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.LeaseLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the times that are computed from a lease.
 */
class LeaseTimingTests {

	private static final EngineSettings SETTINGS = EngineSettings.of("test");

	@ParameterizedTest
	@CsvSource({ "true, , 24700", "false, , 29700", "true, 20000, 24700", "true, 1000, 28700" })
	void holdEndsBeforeLeaseByDriftAndStopMarginIfRenewed(boolean renewed, @Nullable Long margin, long valid) {
		Duration stop = (margin != null) ? Duration.ofMillis(margin) : null;
		LeaseTiming timing = LeaseTiming.of(new Lease(Duration.ofSeconds(30), renewed), settings(null, stop));
		assertThat(Duration.ofNanos(timing.valid())).hasMillis(valid);
	}

	@ParameterizedTest
	@CsvSource({ "1, 200", "5, 500", "300, 2000" })
	void commandTimeoutIsTenthOfLeaseWithinBounds(int seconds, long millis) {
		assertThat(renewed(seconds).timeout()).hasMillis(millis);
	}

	@Test
	void pollIntervalIsSixthOfLeaseUpToOneSecond() {
		assertThat(renewed(3).poll()).hasMillis(500);
		assertThat(renewed(30).poll()).hasSeconds(1);
	}

	@Test
	void leaseTooShortForTwoRenewalsIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> LeaseTiming.of(Lease.renewed(Duration.ofSeconds(1)), settings(Duration.ofMillis(300), null)))
			.withMessageContaining("watchdog-lock.command-timeout");
		// A fixed lease is not renewed.
		assertThat(LeaseTiming.of(Lease.fixed(Duration.ofSeconds(1)), settings(Duration.ofMillis(300), null)))
			.isNotNull();
	}

	@Test
	void chanceMovesRenewalsAndPollsWithinTheirWindows() {
		LeaseTiming terms = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS);
		assertThat(terms.firstRenewal(0, 0)).isEqualTo(Duration.ofSeconds(5).toNanos());
		assertThat(terms.firstRenewal(0, 0.5)).isEqualTo(Duration.ofMillis(7_500).toNanos());
		assertThat(terms.nextRenewal(0, 0)).isEqualTo(Duration.ofSeconds(9).toNanos());
		assertThat(terms.nextRenewal(0, 0.5)).isEqualTo(Duration.ofSeconds(10).toNanos());
		assertThat(terms.pollInterval(0)).isEqualTo(Duration.ofMillis(900).toNanos());
		assertThat(terms.pollInterval(0.5)).isEqualTo(Duration.ofMillis(950).toNanos());
	}

	@Test
	void renewalsOfLocksAcquiredTogetherAreAlignedInTime() {
		LeaseTiming terms = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(3)), SETTINGS);
		List<Long> moments = new Random(1).doubles(300)
			.mapToObj((chance) -> terms.nextRenewal(-123_456_789, chance))
			.toList();
		assertThat(moments).allMatch((moment) -> moment % Duration.ofMillis(100).toNanos() == 0);
		assertThat(moments.stream().distinct()).hasSizeBetween(2, 3);
	}

	@Test
	void leaseCoversShorterOrEqualOneAndFixedDoesNotCoverRenewed() {
		LeaseTiming renewed = renewed(30);
		LeaseTiming fixed = fixed(30);
		LeaseTiming longer = fixed(31);
		assertThat(renewed.covers(renewed)).isTrue();
		assertThat(renewed.covers(fixed)).isTrue();
		assertThat(fixed.covers(fixed)).isTrue();
		assertThat(fixed.covers(renewed)).as("a fixed lease covers a renewed one").isFalse();
		assertThat(fixed.covers(longer)).isFalse();
		assertThat(longer.covers(fixed)).isTrue();
		assertThat(fixed.with(longer)).isEqualTo(Lease.fixed(Duration.ofSeconds(31)));
		assertThat(longer.with(renewed)).isEqualTo(Lease.renewed(Duration.ofSeconds(31)));
		assertThat(renewed.with(longer)).isEqualTo(Lease.renewed(Duration.ofSeconds(31)));
	}

	@Test
	void confirmationAgeIsThirtiethOfLeaseWithinBounds() {
		assertThat(Duration.ofNanos(fixed(3).confirmationAge())).hasMillis(100);
		assertThat(Duration.ofNanos(fixed(180).confirmationAge())).hasMillis(250);
	}

	@Test
	void nextAttemptWaitsForPollOrForEndOfLeaseOfHolder() {
		LeaseTiming terms = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS);
		long sent = Duration.ofMillis(100).toNanos();
		assertThat(terms.untilNextAsk(sent, Duration.ofSeconds(30), 0)).isEqualTo(Duration.ofMillis(800).toNanos());
		assertThat(terms.untilNextAsk(sent, Duration.ofMillis(50), 0)).isEqualTo(Duration.ofMillis(60).toNanos());
	}

	@Test
	void trialTimeIsAtMost100MillisecondsOrCommandTimeout() {
		assertThat(renewed(30).trial()).hasMillis(100);
		assertThat(LeaseTiming.of(Lease.fixed(Duration.ofSeconds(1)), settings(Duration.ofMillis(30), null)).trial())
			.hasMillis(30);
	}

	private static LeaseTiming renewed(int seconds) {
		return LeaseTiming.of(Lease.renewed(Duration.ofSeconds(seconds)), SETTINGS);
	}

	private static LeaseTiming fixed(int seconds) {
		return LeaseTiming.of(Lease.fixed(Duration.ofSeconds(seconds)), SETTINGS);
	}

	private static EngineSettings settings(@Nullable Duration timeout, @Nullable Duration margin) {
		return new EngineSettings(() -> "test", Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(1),
				new LeaseLimits(Duration.ofSeconds(1), timeout, margin), null, null, OnLoss.REPORT, true);
	}

}
