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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The times that follow from a lease.
 */
class LeaseTimingTests {

	private static final EngineSettings SETTINGS = EngineSettings.of("test");

	@Test
	void aRenewedHoldEndsADriftAndAStopMarginBeforeItsLease() {
		LeaseTiming terms = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS);
		assertThat(Duration.ofNanos(terms.valid())).isEqualTo(Duration.ofMillis(30_000 - 300 - 5_000));
	}

	@Test
	void aFixedHoldEndsADriftBeforeItsLease() {
		LeaseTiming terms = LeaseTiming.of(Lease.fixed(Duration.ofSeconds(30)), SETTINGS);
		assertThat(Duration.ofNanos(terms.valid())).isEqualTo(Duration.ofMillis(29_700));
	}

	@Test
	void theStopMarginIsASixthAtMost() {
		EngineSettings wide = settings(null, Duration.ofSeconds(20));
		EngineSettings narrow = settings(null, Duration.ofSeconds(1));
		assertThat(LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), wide).valid())
			.isEqualTo(Duration.ofMillis(24_700).toNanos());
		assertThat(LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), narrow).valid())
			.isEqualTo(Duration.ofMillis(28_700).toNanos());
	}

	@Test
	void aCommandMayTakeATenthOfTheLeaseWithinBounds() {
		assertThat(timeout(Duration.ofSeconds(1))).isEqualTo(Duration.ofMillis(200));
		assertThat(timeout(Duration.ofSeconds(5))).isEqualTo(Duration.ofMillis(500));
		assertThat(timeout(Duration.ofMinutes(5))).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void aWaitingKeyIsAskedForSixTimesALease() {
		assertThat(LeaseTiming.of(Lease.renewed(Duration.ofSeconds(3)), SETTINGS).poll())
			.isEqualTo(Duration.ofMillis(500));
		assertThat(LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS).poll())
			.isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void aLeaseWithoutTimeForTwoRenewalsIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> LeaseTiming.of(Lease.renewed(Duration.ofSeconds(1)), settings(Duration.ofMillis(300), null)))
			.withMessageContaining("watchdog-lock.command-timeout");
		// Nothing renews a fixed one.
		assertThat(LeaseTiming.of(Lease.fixed(Duration.ofSeconds(1)), settings(Duration.ofMillis(300), null)))
			.isNotNull();
	}

	@Test
	void windowsBeginWithNoChanceAndEndWithAll() {
		LeaseTiming terms = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS);
		assertThat(terms.firstRenewal(0, 0)).isEqualTo(Duration.ofSeconds(5).toNanos());
		assertThat(terms.firstRenewal(0, 0.5)).isEqualTo(Duration.ofMillis(7_500).toNanos());
		assertThat(terms.nextRenewal(0, 0)).isEqualTo(Duration.ofSeconds(9).toNanos());
		assertThat(terms.nextRenewal(0, 0.5)).isEqualTo(Duration.ofSeconds(10).toNanos());
		assertThat(terms.nextPoll(0)).isEqualTo(Duration.ofMillis(900).toNanos());
		assertThat(terms.nextPoll(0.5)).isEqualTo(Duration.ofMillis(950).toNanos());
	}

	@Test
	void renewalsOfLocksThatWereTakenTogetherShareMoments() {
		LeaseTiming terms = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(3)), SETTINGS);
		List<Long> moments = new Random(1).doubles(300)
			.mapToObj((chance) -> terms.nextRenewal(-123_456_789, chance))
			.toList();
		assertThat(moments).allMatch((moment) -> moment % Duration.ofMillis(100).toNanos() == 0);
		assertThat(moments.stream().distinct()).hasSizeBetween(2, 3);
	}

	@Test
	void aLeaseCoversWhatIsNoLongerNorRenewedWhereItIsNot() {
		LeaseTiming renewed = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS);
		LeaseTiming fixed = LeaseTiming.of(Lease.fixed(Duration.ofSeconds(30)), SETTINGS);
		LeaseTiming longer = LeaseTiming.of(Lease.fixed(Duration.ofSeconds(31)), SETTINGS);
		assertThat(renewed.covers(renewed)).isTrue();
		assertThat(renewed.covers(fixed)).isTrue();
		assertThat(fixed.covers(fixed)).isTrue();
		assertThat(fixed.covers(renewed)).isFalse();
		assertThat(fixed.covers(longer)).isFalse();
		assertThat(longer.covers(fixed)).isTrue();
		assertThat(fixed.with(longer)).isEqualTo(Lease.fixed(Duration.ofSeconds(31)));
		assertThat(longer.with(renewed)).isEqualTo(Lease.renewed(Duration.ofSeconds(31)));
		assertThat(renewed.with(longer)).isEqualTo(Lease.renewed(Duration.ofSeconds(31)));
	}

	@Test
	void aConfirmationIsGoodForAThirtiethOfTheLeaseWithinBounds() {
		assertThat(LeaseTiming.of(Lease.fixed(Duration.ofSeconds(3)), SETTINGS).confirmationAge())
			.isEqualTo(Duration.ofMillis(100).toNanos());
		assertThat(LeaseTiming.of(Lease.fixed(Duration.ofMinutes(3)), SETTINGS).confirmationAge())
			.isEqualTo(Duration.ofMillis(250).toNanos());
	}

	@Test
	void aKeyIsLeftAloneUntilTheNextPollOrTheEndOfItsLease() {
		LeaseTiming terms = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS);
		long sent = Duration.ofMillis(100).toNanos();
		assertThat(terms.untilNextAsk(sent, Duration.ofSeconds(30), 0)).isEqualTo(Duration.ofMillis(800).toNanos());
		assertThat(terms.untilNextAsk(sent, Duration.ofMillis(50), 0)).isEqualTo(Duration.ofMillis(60).toNanos());
	}

	@Test
	void aTryHasAPlaceForAMomentAtMost() {
		assertThat(LeaseTiming.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS).trial()).hasMillis(100);
		assertThat(LeaseTiming.of(Lease.fixed(Duration.ofSeconds(1)), settings(Duration.ofMillis(30), null)).trial())
			.hasMillis(30);
	}

	private static Duration timeout(Duration lease) {
		return LeaseTiming.of(Lease.renewed(lease), SETTINGS).timeout();
	}

	private static EngineSettings settings(@Nullable Duration timeout, @Nullable Duration margin) {
		return new EngineSettings(() -> "test", Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(1),
				new LeaseLimits(Duration.ofSeconds(1), timeout, margin), null, null, OnLoss.REPORT, true);
	}

}
