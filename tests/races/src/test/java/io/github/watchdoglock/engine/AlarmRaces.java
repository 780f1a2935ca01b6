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

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.TimerWheel;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZ_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Alarms that are set while the watchdog takes its turn.
 */
public final class AlarmRaces {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private AlarmRaces() {
	}

	/**
	 * An alarm in the watchdog's wheel becomes due earlier.
	 */
	@JCStressTest
	@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The alarm fires at its new time.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The alarm is late, or fires twice.")
	@State
	public static class EarlierAlarmMeetsATurn {

		private final HandWatchdog watchdog = new HandWatchdog();

		private final Counted alarm = new Counted();

		public EarlierAlarmMeetsATurn() {
			this.watchdog.set(this.alarm, 3 * SECOND);
			this.watchdog.turn();
		}

		@Actor
		public void turn() {
			this.watchdog.turn();
		}

		@Actor
		public void set() {
			this.watchdog.set(this.alarm, SECOND);
		}

		@Arbiter
		public void end(I_Result result) {
			this.watchdog.turnAt(SECOND);
			result.r1 = this.alarm.fired;
		}

	}

	/**
	 * An alarm that is being sent to the watchdog becomes due earlier.
	 */
	@JCStressTest
	@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The alarm fires at its new time.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The alarm is late, or fires twice.")
	@State
	public static class EarlierAlarmMeetsItsReceipt {

		private final HandWatchdog watchdog = new HandWatchdog();

		private final Counted alarm = new Counted();

		public EarlierAlarmMeetsItsReceipt() {
			this.watchdog.set(this.alarm, 3 * SECOND);
		}

		@Actor
		public void turn() {
			this.watchdog.turn();
		}

		@Actor
		public void set() {
			this.watchdog.set(this.alarm, SECOND);
		}

		@Arbiter
		public void end(I_Result result) {
			this.watchdog.turnAt(SECOND);
			result.r1 = this.alarm.fired;
		}

	}

	/**
	 * An alarm is set again while it fires.
	 */
	@JCStressTest
	@Outcome(id = { "0, 1", "1, 1" }, expect = Expect.ACCEPTABLE,
			desc = "The alarm fires at its new time, and may have fired at the earlier one.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The alarm does not fire at its new time, or fires too often.")
	@State
	public static class AlarmIsSetWhileItFires {

		private final Counted alarm = new Counted();

		private final HandWatchdog watchdog = HandWatchdog.whenDue(this.alarm);

		@Actor
		public void turn() {
			this.watchdog.turn();
		}

		@Actor
		public void set() {
			this.watchdog.set(this.alarm, 2 * SECOND);
		}

		@Arbiter
		public void end(II_Result result) {
			result.r1 = this.alarm.fired;
			this.watchdog.turnAt(2 * SECOND);
			result.r2 = this.alarm.fired - result.r1;
		}

	}

	/**
	 * An alarm is cancelled while it fires.
	 */
	@JCStressTest
	@Outcome(id = { "0, false", "1, false" }, expect = Expect.ACCEPTABLE,
			desc = "The alarm has fired before or not at all, and does not fire again.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The alarm fires twice, or is still set.")
	@State
	public static class AlarmIsCancelledWhileItFires {

		private final Counted alarm = new Counted();

		private final HandWatchdog watchdog = HandWatchdog.whenDue(this.alarm);

		@Actor
		public void turn() {
			this.watchdog.turn();
		}

		@Actor
		public void cancel() {
			this.watchdog.set(this.alarm, Alarm.NEVER);
		}

		@Arbiter
		public void end(IZ_Result result) {
			this.watchdog.turnAt(3 * SECOND);
			result.r1 = this.alarm.fired;
			result.r2 = this.alarm.isSet();
		}

	}

	/**
	 * Two threads set an alarm each.
	 */
	@JCStressTest
	@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both alarms fire.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "An alarm was lost, or fires twice.")
	@State
	public static class TwoAlarmsAreSet {

		private final HandWatchdog watchdog = new HandWatchdog();

		private final Counted first = new Counted();

		private final Counted second = new Counted();

		@Actor
		public void setFirst() {
			this.watchdog.set(this.first, SECOND);
		}

		@Actor
		public void setSecond() {
			this.watchdog.set(this.second, SECOND);
		}

		@Arbiter
		public void end(II_Result result) {
			this.watchdog.turnAt(SECOND);
			result.r1 = this.first.fired;
			result.r2 = this.second.fired;
		}

	}

	private static final class Counted extends Alarm {

		private int fired;

		@Override
		void fire(long now) {
			this.fired++;
		}

	}

	/**
	 * A watchdog whose turns the test runs.
	 */
	private static final class HandWatchdog {

		private volatile long now;

		private final Watchdog watchdog = new Watchdog(new UnevenThreads(),
				new Clock(() -> this.now, () -> Instant.EPOCH.plusNanos(this.now)), SECOND);

		/* An alarm is due in its next turn. */
		private static HandWatchdog whenDue(Alarm alarm) {
			HandWatchdog watchdog = new HandWatchdog();
			watchdog.set(alarm, SECOND);
			watchdog.turn();
			watchdog.now = SECOND + TimerWheel.TICK;
			return watchdog;
		}

		private void set(Alarm alarm, long due) {
			this.watchdog.set(alarm, due);
		}

		private void turn() {
			this.watchdog.turn();
		}

		private void turnAt(long moment) {
			this.now = moment + TimerWheel.TICK;
			this.watchdog.turn();
		}

	}

}
