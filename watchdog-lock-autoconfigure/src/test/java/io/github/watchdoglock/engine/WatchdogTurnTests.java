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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.TimerWheel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the turns of the watchdog, the time between them, and what other threads see
 * of it.
 */
class WatchdogTurnTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private static final long TICK = TestEngine.TICK.toNanos();

	private final ThreadsByHand threads = new ThreadsByHand();

	private final Clock clock = new Clock(this.threads.ticker, this.threads.ticker.wallClock);

	private final Watchdog watchdog = new Watchdog(this.threads, this.clock, SECOND);

	private final Logged logged = new Logged(Watchdog.class.getName());

	private final List<String> fired = new ArrayList<>();

	@AfterEach
	void close() {
		this.logged.close();
		assertThat(this.threads.failures).isEmpty();
	}

	@Test
	void threadSleepsUntilNextAlarmIsDue() {
		this.watchdog.start();
		assertThat(this.threads.started).singleElement().returns("watchdog-lock", Thread::getName);
		this.watchdog.setIn(new Recorded("first"), SECOND);
		this.watchdog.setIn(new Recorded("second"), 3 * SECOND);
		runFor(3);
		assertThat(this.fired).containsExactly("first", "second");
		assertThat(this.threads.parks).containsExactly(SECOND, 2 * SECOND, Long.MAX_VALUE);
	}

	@Test
	void sleepIsShorterThanToleratedSuspension() {
		this.clock.tolerate(SECOND);
		this.watchdog.start();
		this.watchdog.setIn(new Recorded("late"), SECOND);
		runFor(5);
		assertThat(this.threads.parks).startsWith(SECOND / 4, SECOND / 4, SECOND / 4, SECOND / 4).hasSize(5);
		assertThat(this.fired).containsExactly("late");
	}

	@Test
	void newAlarmWakesThreadOnlyIfDueBeforeEndOfSleep() {
		this.watchdog.start();
		Recorded alarm = new Recorded("alarm");
		this.threads.wait = (nanos) -> {
			this.threads.unparked.clear();
			this.watchdog.setIn(new Recorded("farther"), 20 * SECOND);
			assertThat(this.threads.unparked).isEmpty();
			this.watchdog.setIn(alarm, SECOND);
			assertThat(this.threads.unparked).containsExactly(this.threads.last());
			stop();
			assertThat(this.threads.unparked).hasSize(2);
		};
		this.watchdog.setIn(new Recorded("far"), 9 * SECOND);
		this.threads.last().work.run();
	}

	@Test
	void failedAlarmFiresInNextTurnAndOthersInCurrentTurn() {
		Random random = new Random(7);
		List<Recorded> alarms = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			Recorded alarm = new Recorded("alarm " + i);
			alarm.failures = random.nextInt(3);
			alarms.add(alarm);
			this.watchdog.setIn(alarm, 0);
		}
		for (int turn = 0; turn < 4; turn++) {
			List<String> expected = alarms.stream()
				.filter((alarm) -> alarm.failures == 0 && !this.fired.contains(alarm.name))
				.map((alarm) -> alarm.name)
				.toList();
			int before = this.fired.size();
			this.threads.ticker.advance(Duration.ofSeconds(1));
			this.watchdog.turn();
			assertThat(this.fired.subList(before, this.fired.size())).containsExactlyInAnyOrderElementsOf(expected);
		}
		assertThat(this.fired).hasSize(20);
		// The alarms fail in two turns, and one failure per second is reported.
		assertThat(this.logged.lines()).hasSize(2).allMatch((line) -> line.contains("the others continue"));
	}

	@Test
	void failedAlarmFiresAgainAfterOneTick() {
		this.watchdog.start();
		Recorded alarm = new Recorded("alarm");
		alarm.failures = 2;
		this.watchdog.setIn(alarm, 0);
		this.watchdog.setIn(new Recorded("far"), 5 * SECOND);
		runFor(4);
		assertThat(this.threads.parks).startsWith(TICK, TICK, TICK);
		assertThat(this.fired).containsExactly("alarm");
	}

	@Test
	void failingTurnIsFollowedByAnother() {
		this.watchdog.start();
		this.threads.wait = (nanos) -> {
			if (this.threads.parks.size() == 1) {
				throw new IllegalStateException("on purpose");
			}
			this.threads.pass(nanos);
			if (this.threads.parks.size() == 3) {
				stop();
			}
		};
		this.watchdog.setIn(new Recorded("alarm"), SECOND);
		this.threads.last().work.run();
		assertThat(this.threads.parks).containsExactly(SECOND, TICK, SECOND - TICK);
		assertThat(this.logged.lines()).singleElement().asString().contains("unexpected failure");
	}

	@Test
	void keysAreHandledInNextTurnAfterCall() {
		this.watchdog.onCall(() -> {
			if (!this.fired.isEmpty()) {
				// A key that fails again calls the watchdog again.
				this.watchdog.call();
			}
			this.fired.add("attended");
		});
		this.watchdog.start();
		runWith(() -> {
			this.threads.unparked.clear();
			this.watchdog.call();
			assertThat(this.threads.unparked).hasSize(1);
			assertThat(this.fired).isEmpty();
		}, () -> {
			assertThat(this.fired).containsExactly("attended");
			this.watchdog.onCall(() -> this.fired.add("attended again"));
			this.watchdog.call();
		}, () -> assertThat(this.fired).containsExactly("attended", "attended again"));
	}

	@Test
	void keysThatFailAgainAreHandledAfterOneTick() {
		this.watchdog.onCall(() -> {
			this.fired.add("attended");
			if (this.fired.size() < 3) {
				this.watchdog.call();
			}
		});
		this.watchdog.start();
		this.watchdog.call();
		runFor(3);
		assertThat(this.fired).hasSize(3);
		assertThat(this.threads.parks).containsExactly(TICK, TICK, Long.MAX_VALUE);
	}

	@Test
	void failedHandlingOfKeysIsRepeatedInNextTurn() {
		this.watchdog.onCall(() -> {
			this.fired.add("attended");
			if (this.fired.size() < 3) {
				throw new OutOfMemoryError("on purpose");
			}
		});
		this.watchdog.call();
		for (int i = 0; i < 4; i++) {
			try {
				this.watchdog.turn();
			}
			catch (OutOfMemoryError ex) {
				assertThat(this.fired).hasSizeLessThan(3);
			}
		}
		assertThat(this.fired).hasSize(3);
	}

	@Test
	void alarmsFireAfterOutOfMemoryErrorInTimerWheel() {
		List<Recorded> alarms = Stream.of("one", "two", "three").map(Recorded::new).toList();
		alarms.forEach((alarm) -> this.watchdog.setIn(alarm, 0));
		alarms.get(1).errors = 1;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.watchdog::turn);
		for (int i = 0; i < 3; i++) {
			this.threads.ticker.advance(TestEngine.TICK);
			this.watchdog.turn();
		}
		assertThat(this.fired).containsExactlyInAnyOrder("one", "two", "three");
	}

	@Test
	void dueAlarmsFireInNextTurnAfterOutOfMemoryError() {
		ReflectionTestUtils.setField(this.watchdog, "due",
				new ArrayList<Alarm>(List.of(new Recorded("one"), new Recorded("two"))) {

					private static final long serialVersionUID = 1;

					private boolean full;

					@Override
					public boolean add(Alarm alarm) {
						if (!this.full) {
							this.full = true;
							throw new OutOfMemoryError("on purpose");
						}
						return super.add(alarm);
					}

				});
		((List<?>) Objects.requireNonNull(ReflectionTestUtils.getField(this.watchdog, "due")))
			.forEach((alarm) -> this.watchdog.setIn((Alarm) alarm, 0));
		this.watchdog.setIn(new Recorded("three"), 0);
		this.threads.ticker.advance(TestEngine.TICK);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.watchdog::turn);
		assertThat(this.fired).isEmpty();
		this.threads.ticker.advance(TestEngine.TICK);
		this.watchdog.turn();
		assertThat(this.fired).containsExactlyInAnyOrder("one", "two", "three");
	}

	@Test
	void delayCountsFromEarliestDueAlarm() {
		this.watchdog.start();
		assertThat(this.watchdog.delay()).isZero();
		this.watchdog.setIn(new Recorded("alarm"), 3 * SECOND);
		this.watchdog.setIn(new Recorded("other"), 5 * SECOND);
		this.threads.ticker.advance(Duration.ofSeconds(2));
		assertThat(this.watchdog.delay()).isZero();
		this.threads.ticker.advance(Duration.ofSeconds(3));
		assertThat(this.watchdog.delay()).isEqualTo(Duration.ofSeconds(2));
		runFor(1);
		assertThat(this.watchdog.delay()).isZero();
	}

	@Test
	void delayCountsFromEndOfPlannedSleep() {
		this.watchdog.start();
		this.watchdog.setIn(new Recorded("alarm"), 5 * SECOND);
		runWith(() -> {
			this.threads.ticker.advance(Duration.ofSeconds(7));
			assertThat(this.watchdog.delay()).isEqualTo(Duration.ofSeconds(2));
		}, () -> {
			this.threads.ticker.advance(Duration.ofMinutes(1));
			assertThat(this.watchdog.delay()).isZero();
		});
	}

	@Test
	void delayIncludesDurationOfCurrentTurn() {
		this.watchdog.start();
		this.watchdog.setIn(new Recorded("alarm", () -> {
			this.threads.ticker.advance(Duration.ofSeconds(3));
			assertThat(this.watchdog.delay()).isEqualTo(Duration.ofSeconds(3));
		}), 0);
		runFor(2);
		assertThat(this.fired).containsExactly("alarm");
	}

	@Test
	void delayIsNotReportedAfterPauseOfWholeProcess() {
		this.watchdog.start();
		this.watchdog.setIn(new Recorded("alarm"), 0);
		this.threads.ticker.advance(Duration.ofSeconds(10));
		assertThat(this.watchdog.delay()).isPositive();
		this.threads.ticker.advance(Duration.ofMillis(100));
		assertThat(this.watchdog.delay()).isPositive();
		runWith(() -> {
			// The watchdog is late again, and this is the first look that notices it.
			this.watchdog.setIn(new Recorded("alarm"), 0);
			this.threads.ticker.advance(Duration.ofSeconds(10));
			assertThat(this.watchdog.delay()).isPositive();
		});
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void delayIsReportedOnlyAboveTolerance() {
		this.watchdog.start();
		this.watchdog.setIn(new Recorded("alarm"), 0);
		for (int millis : new int[] { 500, 500, 200, 100 }) {
			this.threads.ticker.advance(Duration.ofMillis(millis));
			assertThat(this.watchdog.delay()).isPositive();
		}
		assertThat(this.threads.started).hasSize(1);
		this.threads.ticker.advance(Duration.ofMillis(1));
		assertThat(this.watchdog.delay()).isEqualTo(Duration.ofMillis(1_301));
		assertThat(this.threads.started).as("as('threads started, with that of the report above the tolerance'): 2")
			.hasSize(2);
	}

	@Test
	void delayIsReportedWithStackOfWatchdogThread() {
		try (Logged logged = new Logged(Watchdog.class.getName())) {
			this.watchdog.start();
			this.watchdog.setIn(new Recorded("alarm"), 0);
			setAlarmsForLong();
			assertThat(this.threads.last().getName()).isEqualTo("watchdog-lock-silence");
			this.threads.last().work.run();
			assertThat(logged.lines()).singleElement().asString().contains("The watchdog is 2 s late. ");
			assertThat(logged.thrown(0).getStackTrace()).isEqualTo(this.threads.started.get(0).getStackTrace());
		}
	}

	@Test
	void failureIsReportedWhenAThreadIsAvailableAgain() {
		setFailing();
		this.threads.scarce = 1;
		turnAfter(Duration.ofSeconds(1));
		assertThat(this.threads.started).isEmpty();
		turnAfter(Duration.ofSeconds(1));
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void onlyOneFailureReportRunsAtATime() {
		setFailing();
		turnAfter(Duration.ofSeconds(1));
		turnAfter(Duration.ofSeconds(5));
		assertThat(this.threads.started).as("as('threads of reports while the first one runs'): 1").hasSize(1);
		this.threads.started.get(0).work.run();
		turnAfter(Duration.ofMillis(10));
		assertThat(this.threads.started).hasSize(2);
		assertThat(this.logged.lines()).hasSize(1);
	}

	@Test
	void atMostOneFailureIsReportedPerSecond() {
		setFailing();
		this.threads.reporting = true;
		List<Integer> reports = new ArrayList<>();
		for (int millis : new int[] { 10, 10, 980, 9, 1, 999 }) {
			turnAfter(Duration.ofMillis(millis));
			reports.add(this.logged.lines().size());
		}
		assertThat(reports).containsExactly(1, 1, 1, 1, 2, 2);
	}

	/* The alarm fails in each turn. */
	private void setFailing() {
		Recorded failing = new Recorded("failing");
		failing.failures = Integer.MAX_VALUE;
		this.watchdog.setIn(failing, 0);
		this.threads.reporting = false;
	}

	private void turnAfter(Duration time) {
		this.threads.ticker.advance(time);
		this.watchdog.turn();
	}

	@Test
	void delayIsReportedLaterIfNoThreadCanBeStarted() {
		this.watchdog.start();
		this.watchdog.setIn(new Recorded("alarm"), 0);
		this.threads.scarce = 2;
		setAlarmsForLong();
		assertThat(this.threads.started).as("as('threads started, with that of the later report'): 2").hasSize(2);
	}

	private void setAlarmsForLong() {
		for (int i = 0; i < 20; i++) {
			this.threads.ticker.advance(Duration.ofMillis(500));
			this.watchdog.setIn(new Recorded("far"), 1_000 * SECOND);
		}
	}

	@Test
	void delayIsZeroIfThreadWasNeverStarted() {
		this.watchdog.setIn(new Recorded("alarm"), 0);
		this.threads.ticker.advance(Duration.ofMinutes(1));
		assertThat(this.watchdog.delay()).isZero();
		stop();
		assertThat(this.threads.unparked).isEmpty();
	}

	/* The watchdog ends with its next turn. */
	private void stop() {
		this.watchdog.stop(() -> false);
	}

	/* Run the watchdog and stop it in the last of this many sleeps. */
	private void runFor(int sleeps) {
		this.threads.wait = (nanos) -> {
			if (this.threads.parks.size() >= sleeps) {
				stop();
			}
			else {
				this.threads.pass(nanos);
			}
		};
		this.threads.last().work.run();
	}

	/* Run an action in each sleep of the watchdog, and then stop it. */
	private void runWith(Runnable... actions) {
		Runnable work = this.threads.last().work;
		Iterator<Runnable> next = List.of(actions).iterator();
		this.threads.wait = (nanos) -> {
			if (next.hasNext()) {
				next.next().run();
			}
			else {
				stop();
			}
		};
		work.run();
		assertThat(next.hasNext()).isFalse();
	}

	/**
	 * An alarm that records that it has fired, after some failures.
	 */
	private final class Recorded extends Alarm {

		private final String name;

		private final Runnable action;

		private int failures;

		private int errors;

		private Recorded(String name) {
			this(name, () -> {
			});
		}

		private Recorded(String name, Runnable action) {
			this.name = name;
			this.action = action;
		}

		@Override
		void received(TimerWheel<Alarm> wheel) {
			super.received(wheel);
			if (this.errors > 0) {
				this.errors--;
				wheel.cancel(this);
				throw new OutOfMemoryError("on purpose");
			}
		}

		@Override
		void fire(long now) {
			if (this.failures > 0) {
				this.failures--;
				throw new IllegalStateException("on purpose");
			}
			this.action.run();
			WatchdogTurnTests.this.fired.add(this.name);
		}

	}

}
