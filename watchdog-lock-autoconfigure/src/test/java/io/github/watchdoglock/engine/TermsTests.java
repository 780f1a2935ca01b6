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
class TermsTests {

	private static final EngineSettings SETTINGS = EngineSettings.of("test");

	@Test
	void aRenewedHoldEndsADriftAndAStopMarginBeforeItsLease() {
		Terms terms = Terms.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS);
		assertThat(Duration.ofNanos(terms.valid())).isEqualTo(Duration.ofMillis(30_000 - 300 - 5_000));
	}

	@Test
	void aFixedHoldEndsADriftBeforeItsLease() {
		Terms terms = Terms.of(Lease.fixed(Duration.ofSeconds(30)), SETTINGS);
		assertThat(Duration.ofNanos(terms.valid())).isEqualTo(Duration.ofMillis(29_700));
	}

	@Test
	void theStopMarginIsASixthAtMost() {
		EngineSettings wide = settings(null, Duration.ofSeconds(20));
		EngineSettings narrow = settings(null, Duration.ofSeconds(1));
		assertThat(Terms.of(Lease.renewed(Duration.ofSeconds(30)), wide).valid())
			.isEqualTo(Duration.ofMillis(24_700).toNanos());
		assertThat(Terms.of(Lease.renewed(Duration.ofSeconds(30)), narrow).valid())
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
		assertThat(Terms.of(Lease.renewed(Duration.ofSeconds(3)), SETTINGS).poll()).isEqualTo(Duration.ofMillis(500));
		assertThat(Terms.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS).poll()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void aLeaseWithoutTimeForTwoRenewalsIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Terms.of(Lease.renewed(Duration.ofSeconds(1)), settings(Duration.ofMillis(300), null)))
			.withMessageContaining("watchdog-lock.command-timeout");
		// Nothing renews a fixed one.
		assertThat(Terms.of(Lease.fixed(Duration.ofSeconds(1)), settings(Duration.ofMillis(300), null))).isNotNull();
	}

	@Test
	void renewalsComeWithinTheirWindows() {
		Terms terms = Terms.of(Lease.renewed(Duration.ofSeconds(30)), SETTINGS);
		for (double chance = 0; chance < 1; chance += 0.001) {
			assertThat(Duration.ofNanos(terms.firstRenewal(chance))).isBetween(Duration.ofSeconds(5),
					Duration.ofSeconds(10));
			assertThat(Duration.ofNanos(terms.nextRenewal(chance))).isBetween(Duration.ofSeconds(9),
					Duration.ofSeconds(11));
			assertThat(Duration.ofNanos(terms.nextPoll(chance))).isBetween(Duration.ofMillis(900),
					Duration.ofSeconds(1));
		}
	}

	private static Duration timeout(Duration lease) {
		return Terms.of(Lease.renewed(lease), SETTINGS).timeout();
	}

	private static EngineSettings settings(@Nullable Duration timeout, @Nullable Duration margin) {
		return new EngineSettings("test", Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(1),
				new LeaseLimits(Duration.ofSeconds(1), timeout, margin), null, null, OnLoss.REPORT, true);
	}

}
