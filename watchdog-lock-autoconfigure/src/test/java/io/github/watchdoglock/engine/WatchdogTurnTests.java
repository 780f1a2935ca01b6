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
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the watchdog does in its turns and between them, and what others see of it.
 */
class WatchdogTurnTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private static final long TICK = TestEngine.TICK.toNanos();

	private final ThreadsByHand threads = new ThreadsByHand();

	private final Clock clock = new Clock(this.threads.ticker, this.threads.ticker.wallClock);

	private final Watchdog watchdog = new Watchdog(this.threads, this.clock, new Events(), SECOND);

	private final Logged logged = new Logged(Watchdog.class.getName());

	private final List<String> rung = new ArrayList<>();

	private final List<TimerWheel.Alarm> alarms = new ArrayList<>();

	@AfterEach
	void close() {
		this.logged.close();
		assertThat(this.threads.failures).isEmpty();
	}

	@Test
	void itSleepsUntilSomethingIsDue() {
		this.watchdog.start();
		assertThat(this.threads.started).singleElement().returns("watchdog-lock", Thread::getName);
		this.watchdog.setIn(new Alarm("first"), SECOND);
		this.watchdog.setIn(new Alarm("second"), 3 * SECOND);
		runFor(3);
		assertThat(this.rung).containsExactly("first", "second");
		assertThat(this.threads.parks).containsExactly(SECOND, 2 * SECOND, Long.MAX_VALUE);
	}

	@Test
	void itDoesNotSleepForLongerThanTheMachineMayUnnoticed() {
		this.clock.tolerate(SECOND);
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("late"), SECOND);
		runFor(5);
		assertThat(this.threads.parks).startsWith(SECOND / 4, SECOND / 4, SECOND / 4, SECOND / 4).hasSize(5);
		assertThat(this.rung).containsExactly("late");
	}

	@Test
	void itIsWokenForWhatIsDueSoonerThanItWouldLook() {
		this.watchdog.start();
		Alarm alarm = new Alarm("alarm");
		this.threads.wait = (nanos) -> {
			this.threads.unparked.clear();
			this.watchdog.setIn(new Alarm("farther"), 20 * SECOND);
			assertThat(this.threads.unparked).isEmpty();
			this.watchdog.setIn(alarm, SECOND);
			assertThat(this.threads.unparked).containsExactly(this.threads.last());
			stop();
			assertThat(this.threads.unparked).hasSize(2);
		};
		this.watchdog.setIn(new Alarm("far"), 9 * SECOND);
		this.threads.last().work.run();
	}

	@Test
	void whatIsCancelledDoesNotRing() {
		Alarm alarm = new Alarm("alarm");
		this.watchdog.setIn(alarm, 0);
		assertThat(this.watchdog.pending()).isOne();
		this.watchdog.cancel(alarm);
		assertThat(this.watchdog.pending()).isZero();
		turnAfter(Duration.ofSeconds(1));
		assertThat(this.rung).isEmpty();
	}

	@Test
	void anInterruptDoesNotReachItsSleep() {
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("alarm") {

			@Override
			public void proceed(long now) {
				Thread.currentThread().interrupt();
			}

		}, 0);
		this.threads.wait = (nanos) -> {
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			this.threads.pass(TICK);
			if (this.watchdog.pending() == 0) {
				stop();
			}
		};
		this.threads.last().work.run();
		assertThat(this.threads.parks).hasSize(2);
	}

	@Test
	void whatIsOverIsDeclaredBeforeAnythingElseIsDone() {
		for (String name : List.of("one", "two", "three")) {
			this.watchdog.setIn(new Alarm(name) {

				@Override
				public void expire(long now) {
					WatchdogTurnTests.this.rung.add("over");
				}

			}, 0);
		}
		turnAfter(TestEngine.TICK);
		assertThat(this.rung).startsWith("over", "over", "over").hasSize(6);
	}

	@Test
	void whatFailsIsRungInTheNextTurnAndTheOthersInThisOne() {
		Random random = new Random(7);
		List<Alarm> alarms = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			Alarm alarm = new Alarm("alarm " + i);
			alarm.expiriesToFail = random.nextInt(3);
			alarm.turnsToFail = random.nextInt(3);
			alarms.add(alarm);
			this.watchdog.setIn(alarm, 0);
		}
		int turnsThatFail = 0;
		for (int turn = 0; turn < 6; turn++) {
			this.threads.ticker.advance(Duration.ofSeconds(1));
			turnsThatFail += alarms.stream().anyMatch((alarm) -> alarm.expiriesToFail + alarm.turnsToFail > 0) ? 1 : 0;
			List<String> expected = new ArrayList<>();
			for (Alarm alarm : alarms) {
				if (alarm.expiriesToFail == 0 && alarm.turnsToFail == 0 && !this.rung.contains(alarm.name)) {
					expected.add(alarm.name);
				}
			}
			int before = this.rung.size();
			this.watchdog.turn();
			assertThat(this.rung.subList(before, this.rung.size())).containsExactlyInAnyOrderElementsOf(expected);
		}
		assertThat(this.rung).hasSize(20);
		// One of each second.
		assertThat(this.logged.lines()).hasSize(turnsThatFail).allMatch((line) -> line.contains("the others go on"));
	}

	@Test
	void whatThereIsRoomForRingsWhereThereIsNoneForMore() {
		ReflectionTestUtils.setField(this.watchdog, "left",
				new ArrayList<TimerWheel.Alarm>(List.of(new Alarm("one"), new Alarm("two"))) {

					@Override
					public boolean add(TimerWheel.Alarm alarm) {
						throw new OutOfMemoryError("made up");
					}

				});
		this.watchdog.setIn(new Alarm("three"), 0);
		this.threads.ticker.advance(TestEngine.TICK);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.watchdog::turn);
		assertThat(this.rung).containsExactly("one", "two");
		turnAfter(TestEngine.TICK);
		assertThat(this.rung).containsExactly("one", "two", "three");
	}

	@Test
	void whatFailedIsRungAgainAfterATick() {
		this.watchdog.start();
		Alarm alarm = new Alarm("alarm");
		alarm.turnsToFail = 2;
		this.watchdog.setIn(alarm, 0);
		this.watchdog.setIn(new Alarm("far"), 5 * SECOND);
		runFor(4);
		assertThat(this.threads.parks).startsWith(TICK, TICK, TICK);
		assertThat(this.rung).containsExactly("alarm");
	}

	@Test
	void aTurnThatFailsIsFollowedByAnother() {
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
		this.watchdog.setIn(new Alarm("alarm"), SECOND);
		this.threads.last().work.run();
		assertThat(this.threads.parks).containsExactly(SECOND, TICK, SECOND - TICK);
		assertThat(this.logged.lines()).singleElement().asString().contains("unexpected failure");
	}

	@Test
	void itIsSilentForAsLongAsSomethingHasBeenDue() {
		this.watchdog.start();
		assertThat(this.watchdog.silence()).isZero();
		this.watchdog.setIn(new Alarm("alarm"), 3 * SECOND);
		this.watchdog.setIn(new Alarm("other"), 5 * SECOND);
		this.threads.ticker.advance(Duration.ofSeconds(2));
		assertThat(this.watchdog.silence()).isZero();
		this.threads.ticker.advance(Duration.ofSeconds(3));
		assertThat(this.watchdog.silence()).isEqualTo(Duration.ofSeconds(2));
		runFor(1);
		assertThat(this.watchdog.silence()).isZero();
	}

	@Test
	void itIsSilentFromWhenItShouldHaveWoken() {
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("alarm"), 5 * SECOND);
		runWith(() -> {
			this.threads.ticker.advance(Duration.ofSeconds(7));
			assertThat(this.watchdog.silence()).isEqualTo(Duration.ofSeconds(2));
		}, () -> {
			this.threads.ticker.advance(Duration.ofMinutes(1));
			assertThat(this.watchdog.silence()).isZero();
		});
	}

	@Test
	void itIsSilentWhileItsTurnLasts() {
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("alarm") {

			@Override
			public void proceed(long now) {
				WatchdogTurnTests.this.threads.ticker.advance(Duration.ofSeconds(3));
				assertThat(WatchdogTurnTests.this.watchdog.silence()).isEqualTo(Duration.ofSeconds(3));
				WatchdogTurnTests.this.rung.add("looked");
			}

		}, 0);
		runFor(2);
		assertThat(this.rung).containsExactly("looked");
	}

	@Test
	void itIsNotSilentWhileTheWholeProcessStoodStill() {
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("alarm"), 0);
		this.threads.ticker.advance(Duration.ofSeconds(10));
		assertThat(this.watchdog.silence()).isPositive();
		this.threads.ticker.advance(Duration.ofMillis(100));
		assertThat(this.watchdog.silence()).isPositive();
		assertThat(this.threads.started).hasSize(1);
		runWith(() -> {
			// Late again, and seen for the first time.
			this.watchdog.setIn(new Alarm("alarm"), 0);
			this.threads.ticker.advance(Duration.ofSeconds(10));
			assertThat(this.watchdog.silence()).isPositive();
		});
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void nobodyIsToldOfALatenessWithinItsPatience() {
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("alarm"), 0);
		for (int i = 0; i < 10; i++) {
			assertThat(this.watchdog.silence()).isLessThanOrEqualTo(Duration.ofSeconds(1));
			this.threads.ticker.advance(Duration.ofMillis(100));
		}
		assertThat(this.watchdog.silence()).isEqualTo(Duration.ofSeconds(1));
		this.threads.ticker.advance(Duration.ofMillis(200));
		assertThat(this.watchdog.silence()).isEqualTo(Duration.ofMillis(1_200));
		this.threads.ticker.advance(Duration.ofMillis(100));
		assertThat(this.watchdog.silence()).isEqualTo(Duration.ofMillis(1_300));
		assertThat(this.threads.started).hasSize(1);
		this.threads.ticker.advance(Duration.ofMillis(1));
		assertThat(this.watchdog.silence()).isEqualTo(Duration.ofMillis(1_301));
		assertThat(this.threads.started).hasSize(2);
	}

	@Test
	void whereItIsIsToldOnceEachTimeThatItIsSilent() {
		this.watchdog.start();
		runWith(() -> beSilent(1), () -> beSilent(2));
	}

	private void beSilent(int times) {
		this.watchdog.setIn(new Alarm("alarm"), 0);
		lookAgainAndAgain();
		assertThat(this.threads.started).hasSize(1 + times);
		ThreadsByHand.Started told = this.threads.last();
		assertThat(told.getName()).isEqualTo("watchdog-lock-silence");
		told.work.run();
		assertThat(this.logged.lines()).hasSize(times)
			.last()
			.asString()
			.contains("has not looked at its locks for PT2S");
	}

	@Test
	void whereItIsIsToldLaterIfNoThreadIsToBeHad() {
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("alarm"), 0);
		this.threads.scarce = 2;
		lookAgainAndAgain();
		assertThat(this.threads.started).hasSize(2);
	}

	/* As those do who set alarms. */
	private void lookAgainAndAgain() {
		for (int i = 0; i < 20; i++) {
			this.threads.ticker.advance(Duration.ofMillis(500));
			this.watchdog.setIn(new Alarm("far"), 1_000 * SECOND);
		}
	}

	@Test
	void whereItsThreadHasEndedTheNextAlarmBeginsAnotherAsSoonAsOneIsToBeHad() {
		this.watchdog.start();
		this.threads.wait = (nanos) -> {
			throw new LinkageError("on purpose");
		};
		Runnable work = this.threads.last().work;
		this.threads.started.clear();
		this.threads.scarce = 2;
		assertThatExceptionOfType(LinkageError.class).isThrownBy(work::run);
		this.watchdog.setIn(new Alarm("alarm"), 0);
		this.watchdog.setIn(new Alarm("other"), 0);
		this.watchdog.setIn(new Alarm("third"), 0);
		assertThat(this.threads.started).singleElement().returns("watchdog-lock", Thread::getName);
		this.threads.wait = this.threads::pass;
		runFor(2);
		assertThat(this.rung).containsExactlyInAnyOrder("alarm", "other", "third");
		assertThat(this.logged.lines()).last().asString().contains("goes on with another thread");
	}

	@Test
	void oneThatWasStoppedIsBegunAnewForWhatIsSetLater() {
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("alarm"), 0);
		runFor(1);
		assertThat(this.watchdog.silence()).isZero();
		this.watchdog.setIn(new Alarm("late"), 0);
		assertThat(this.threads.started).hasSize(2);
		this.threads.wait = this.threads::pass;
		this.threads.last().work.run();
		assertThat(this.rung).endsWith("late");
		assertThat(this.logged.lines()).isEmpty();
	}

	@Test
	void oneThatWasStoppedStaysForAsLongAsItIsNeeded() {
		this.watchdog.start();
		AtomicInteger needed = new AtomicInteger(3);
		this.watchdog.stop(() -> needed.getAndDecrement() > 0);
		this.threads.last().work.run();
		assertThat(this.threads.parks).containsExactly(TICK, TICK, TICK);
		assertThat(this.watchdog.silence()).isZero();
	}

	@Test
	void whatFailedElsewhereIsDoneInItsNextTurn() {
		this.watchdog.start();
		List<Attended> all = List.of(new Attended(), new Attended(), new Attended());
		runWith(() -> {
			this.threads.unparked.clear();
			for (Attended steps : all) {
				steps.failures = 1;
				steps.change(() -> steps.afterwards(() -> steps.proceed("effect")));
				steps.attend(true);
			}
			assertThat(this.rung).isEmpty();
			assertThat(this.threads.unparked).hasSize(3);
		}, () -> {
			assertThat(this.rung).hasSize(6).containsOnly("effect", "mended");
			// Its alarms alone, which fail.
			all.get(1).failures = 2;
			all.get(1).attend(false);
		}, () -> assertThat(this.rung).hasSize(6), () -> assertThat(this.rung).hasSize(6),
				() -> assertThat(this.rung).hasSize(7).endsWith("mended"));
		assertThat(this.threads.parks).containsExactly(Long.MAX_VALUE, Long.MAX_VALUE, TICK, TICK, Long.MAX_VALUE,
				Long.MAX_VALUE);
	}

	@Test
	void whatNeverBeganIsNotSilentAndNobodyIsWoken() {
		this.watchdog.setIn(new Alarm("alarm"), 0);
		this.threads.ticker.advance(Duration.ofMinutes(1));
		assertThat(this.watchdog.silence()).isZero();
		stop();
		assertThat(this.threads.unparked).isEmpty();
	}

	/* It ends with its next turn, whatever is still set. */
	private void stop() {
		this.watchdog.stop(() -> false);
		this.alarms.forEach(this.watchdog::cancel);
	}

	/* It is stopped in the last of so many sleeps. */
	private void runFor(int sleeps) {
		int before = this.threads.parks.size();
		this.threads.wait = (nanos) -> {
			if (this.threads.parks.size() - before >= sleeps) {
				stop();
			}
			else {
				this.threads.pass(nanos);
			}
		};
		this.threads.last().work.run();
	}

	/* Something happens in each of its sleeps, and it is stopped then. */
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

	private void turnAfter(Duration time) {
		this.threads.ticker.advance(time);
		this.watchdog.turn();
	}

	/**
	 * Is written down when it rings.
	 */
	private class Alarm extends TimerWheel.Alarm {

		private final String name;

		private int expiriesToFail;

		private int turnsToFail;

		Alarm(String name) {
			this.name = name;
			WatchdogTurnTests.this.alarms.add(this);
		}

		@Override
		public void expire(long now) {
			if (this.expiriesToFail > 0) {
				this.expiriesToFail--;
				throw new IllegalStateException("on purpose");
			}
		}

		@Override
		public void proceed(long now) {
			if (this.turnsToFail > 0) {
				this.turnsToFail--;
				throw new IllegalStateException("on purpose");
			}
			WatchdogTurnTests.this.rung.add(this.name);
		}

	}

	/**
	 * Steps whose effects and alarms fail so many times.
	 */
	private final class Attended extends Steps {

		private int failures;

		private Attended() {
			super(new Guard());
		}

		private void proceed(String what) {
			if (this.failures > 0) {
				this.failures--;
				throw new LinkageError("on purpose");
			}
			WatchdogTurnTests.this.rung.add(what);
		}

		@Override
		void save(Guard guard) {
			// Nothing but effects.
		}

		@Override
		void commit(int uses) {
			// Nothing but effects.
		}

		@Override
		void tidy() {
			// It stays.
		}

		@Override
		void lookAgain() {
			proceed("mended");
		}

		@Override
		Threads threads() {
			return WatchdogTurnTests.this.threads;
		}

		@Override
		Executor others() {
			return Runnable::run;
		}

		@Override
		void callWatchdog() {
			WatchdogTurnTests.this.watchdog.attend(this);
		}

	}

}
