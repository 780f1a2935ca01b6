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
import io.github.watchdoglock.settings.EngineSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseTimes}.
 */
class LeaseTimesTests {

	private static final LeaseTiming RENEWED = timing(Lease.renewed(Duration.ofSeconds(30)));

	private static final LeaseTiming FIXED = timing(Lease.fixed(Duration.ofSeconds(30)));

	private static final long SENT = seconds(100);

	private static final double CHANCE = 0.5;

	private final LeaseTimes renewed = new LeaseTimes(RENEWED, SENT, SENT + RENEWED.length(), CHANCE);

	private final LeaseTimes fixed = new LeaseTimes(FIXED, SENT, SENT + FIXED.length(), CHANCE);

	@Test
	void deadlineCountsFromTheCommandAndIsBeforeTheEndInTheStore() {
		assertThat(this.renewed.left(SENT)).isEqualTo(RENEWED.valid()).isLessThan(RENEWED.length());
		assertThat(this.renewed.leaseEnd()).isEqualTo(SENT + RENEWED.length());
		assertThat(this.renewed.confirmed()).isEqualTo(SENT);
	}

	@Test
	void answerOfOlderRenewalDoesNotMoveDeadlineBack() {
		this.renewed.prolong(SENT + seconds(10), CHANCE);
		this.renewed.prolong(SENT + seconds(5), CHANCE);
		assertThat(this.renewed.left(SENT)).isEqualTo(RENEWED.valid() + seconds(10));
		assertThat(this.renewed.renewals()).isEqualTo(2);
	}

	@Test
	void endInTheStoreIsNeverBeforeTheDeadlineNorMovedBack() {
		this.renewed.prolong(SENT + seconds(60), CHANCE);
		assertThat(this.renewed.leaseEnd()).isEqualTo(SENT + seconds(60) + RENEWED.valid());
		this.renewed.mayLast(SENT);
		assertThat(this.renewed.leaseEnd()).isEqualTo(SENT + seconds(60) + RENEWED.valid());
		this.renewed.mayLast(SENT + seconds(99));
		assertThat(this.renewed.leaseEnd()).isEqualTo(SENT + seconds(99));
	}

	@Test
	void confirmationOfAnOlderCommandIsIgnored() {
		this.renewed.noteConfirmed(SENT + 2);
		this.renewed.noteConfirmed(SENT + 1);
		assertThat(this.renewed.confirmed()).isEqualTo(SENT + 2);
	}

	@Test
	void renewalComesDueOnceUnlessItFails() {
		long due = this.renewed.nextMoment();
		assertThat(this.renewed.nextMoment()).isEqualTo(due);
		assertThat(this.renewed.takeDueRenewal(due - 1, false, CHANCE)).isFalse();
		assertThat(this.renewed.overdue(due + 7, false)).isEqualTo(7);
		assertThat(this.renewed.takeDueRenewal(due, false, CHANCE)).isTrue();
		assertThat(this.renewed.takeDueRenewal(due, false, CHANCE)).isFalse();
		this.renewed.renewAfterFailure(due, CHANCE);
		assertThat(this.renewed.atRisk()).isTrue();
		assertThat(this.renewed.nextMoment()).isBetween(due, due + seconds(2));
		this.renewed.prolong(due + seconds(1), CHANCE);
		assertThat(this.renewed.atRisk()).isFalse();
	}

	@Test
	void renewalWithoutAnswerIsNeitherRepeatedNorOverdue() {
		long due = this.renewed.nextMoment();
		assertThat(this.renewed.takeDueRenewal(due, true, CHANCE)).isFalse();
		assertThat(this.renewed.overdue(due + 1, true)).isZero();
		assertThat(this.renewed.nextMoment()).isEqualTo(due + 2 * RENEWED.timeout().toNanos());
	}

	@Test
	void fixedLeaseIsNotRenewedAndCheckedOnlyOnRequest() {
		long due = this.fixed.nextMoment();
		assertThat(this.fixed.takeDueRenewal(due, false, CHANCE)).as("a renewal of a fixed lease is due").isFalse();
		this.fixed.checkBy(SENT + 1);
		assertThat(this.fixed.nextMoment()).isEqualTo(SENT + 1);
		assertThat(this.fixed.takeDueRenewal(SENT + 1, false, CHANCE)).isTrue();
		assertThat(this.fixed.overdue(SENT + seconds(60), false)).isZero();
		assertThat(this.fixed.countFailedCheck()).isOne();
		assertThat(this.fixed.countFailedCheck()).isEqualTo(2);
		this.fixed.noteCheck();
		assertThat(this.fixed.countFailedCheck()).isOne();
	}

	@Test
	void timingOfNextHoldMayMoveDeadlineBack() {
		LeaseTiming shorter = timing(Lease.fixed(Duration.ofSeconds(10)));
		this.renewed.replaceTiming(shorter, SENT + 1);
		assertThat(this.renewed.left(SENT + 1)).isEqualTo(shorter.valid());
		assertThat(this.renewed.leaseEnd()).isEqualTo(SENT + RENEWED.length());
		assertThat(this.renewed.outlastsFixedTiming()).isTrue();
	}

	@Test
	void leaseThatWasRequestedForLongerOutlastsItsFixedTiming() {
		assertThat(this.fixed.outlastsFixedTiming()).isFalse();
		assertThat(new LeaseTimes(FIXED, SENT, SENT + FIXED.length() + 1, CHANCE).outlastsFixedTiming()).isTrue();
		this.fixed.mayOutliveTiming();
		assertThat(this.fixed.outlastsFixedTiming()).isTrue();
		this.renewed.mayOutliveTiming();
		assertThat(this.renewed.outlastsFixedTiming()).isFalse();
	}

	@Test
	void strengtheningChangesTimingWithoutMovingDeadline() {
		this.fixed.strengthen(RENEWED);
		assertThat(this.fixed.timing()).isEqualTo(RENEWED);
		assertThat(this.fixed.isStrengthened()).isTrue();
		assertThat(this.fixed.left(SENT)).isEqualTo(FIXED.valid());
		this.fixed.replaceTiming(FIXED, SENT);
		assertThat(this.fixed.isStrengthened()).isFalse();
	}

	private static LeaseTiming timing(Lease lease) {
		return LeaseTiming.of(lease, EngineSettings.of("test"));
	}

	private static long seconds(long seconds) {
		return Duration.ofSeconds(seconds).toNanos();
	}

}
