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
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.settings.EngineSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HoldRules}.
 */
class HoldRulesTests {

	private static final LockRequest REQUEST = LockRequest.of("orders");

	private static final LeaseTiming TERMS = LeaseTiming.of(Lease.fixed(Duration.ofSeconds(3)),
			EngineSettings.of("test"));

	private final HoldRules rules = new HoldRules(1, 100, 7, OnLoss.INTERRUPT);

	@Test
	void requestWithoutOwnSettingsKeepsDefaultRules() {
		assertThat(this.rules.with(REQUEST)).isSameAs(this.rules);
		assertThat(this.rules.onLoss(REQUEST)).isEqualTo(OnLoss.INTERRUPT);
		assertThat(this.rules.onLoss(REQUEST.withOnLoss(OnLoss.DEFAULT))).isEqualTo(OnLoss.INTERRUPT);
	}

	@Test
	void earliestMaxHoldLimitAppliesUntilLifted() {
		HoldRules limited = this.rules.limited(1_050).limited(1_020).limited(1_050).limited(1_200);
		assertThat(limited.end(1_000)).isEqualTo(1_020);
		assertThat(limited.lifted(1_020).end(1_000)).isEqualTo(1_050);
		assertThat(limited.lifted(1_050).lifted(1_020).end(1_000)).isEqualTo(1_050);
		assertThat(limited.lifted(1_050).lifted(1_020).lifted(1_050).end(1_000)).isEqualTo(1_100);
		assertThat(limited.reportedLong().nextLimit(1_000, TERMS)).isEqualTo(1_020);
	}

	@Test
	void lockOfRoleHasNoMinHoldTimeAndNoLimit() {
		HoldRules term = this.rules.with(LockRequest.of(LockKey.ofRole("reports")));
		assertThat(term.minHold()).isZero();
		assertThat(term.nextLimit(1_000, TERMS)).isGreaterThan(Duration.ofDays(10_000).toNanos());
	}

	@Test
	void maxHoldTimeBeyondHundredYearsIsUnlimited() {
		Duration century = Duration.ofDays(36_500);
		assertThat(HoldRules.of(settings(century, century)).maxHold()).isEqualTo(century.toNanos());
		assertThat(HoldRules.of(settings(century.plusDays(1), null)).maxHold()).isEqualTo(Long.MAX_VALUE / 4);
		assertThat(HoldRules.of(settings(null, null)).maxHold()).isEqualTo(Long.MAX_VALUE / 4);
	}

	@Test
	void longHoldIsTenLeasesUnlessPropertyIsSet() {
		assertThat(this.rules.longHold(TERMS)).isEqualTo(7);
		assertThat(new HoldRules(0, 100, 0, OnLoss.FAIL).longHold(TERMS)).isEqualTo(Duration.ofSeconds(30).toNanos());
		assertThat(HoldRules.of(settings(null, Duration.ofNanos(1))).longHold(TERMS)).isEqualTo(1);
	}

	@Test
	void nextLimitIsEarlierOfUnreportedLongHoldAndMaxHoldTime() {
		assertThat(this.rules.nextLimit(1_000, TERMS)).isEqualTo(1_007);
		assertThat(this.rules.reportedLong().nextLimit(1_000, TERMS)).isEqualTo(1_100);
		assertThat(new HoldRules(0, 5, 7, OnLoss.FAIL).nextLimit(1_000, TERMS)).isEqualTo(1_005);
		assertThat(this.rules.nextLimit(Long.MAX_VALUE - 50, TERMS)).isEqualTo(Long.MAX_VALUE - 43);
	}

	private static EngineSettings settings(@Nullable Duration maxHold, @Nullable Duration longHold) {
		EngineSettings usual = EngineSettings.of("test");
		return new EngineSettings(() -> "test", usual.leaseTime(), usual.waitTime(), usual.pollInterval(),
				usual.limits(), maxHold, longHold, OnLoss.REPORT, true);
	}

}
