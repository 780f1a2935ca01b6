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
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How the watchdog's thread ends, who goes on in its place, and what is told of failures.
 */
class WatchdogEndTests {

	private final ThreadsByHand threads = new ThreadsByHand();

	private final Clock clock = new Clock(this.threads.ticker, this.threads.ticker.wallClock);

	private final Watchdog watchdog = new Watchdog(this.threads, this.clock, new Events(),
			Duration.ofSeconds(1).toNanos());

	private final Logged logged = new Logged(Watchdog.class.getName());

	private final List<String> done = new ArrayList<>();

	@AfterEach
	void close() {
		this.logged.close();
		assertThat(this.threads.failures).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void anotherThreadIsBegunAtOnceWhereItsOwnHasEnded() {
		this.watchdog.start();
		this.watchdog.setIn(new Alarm("alarm"), 0);
		endByError();
		assertThat(this.threads.started).hasSize(2);
		assertThat(this.threads.last().getName()).isEqualTo("watchdog-lock");
		assertThat(this.watchdog.isThere()).isTrue();
		runToItsEnd();
	}

	@Test
	void itIsNotSilentWhereItsThreadHasEndedAndNoOtherIsToBeHad() {
		this.watchdog.start();
		this.threads.scarce = 3;
		endByError();
		assertThat(this.watchdog.isThere()).isFalse();
		this.threads.ticker.advance(Duration.ofMinutes(1));
		assertThat(this.watchdog.silence()).isZero();
		assertThat(this.watchdog.silence()).isZero();
		assertThat(this.threads.started).hasSize(1);
		// Whoever asks has tried to begin another one.
		assertThat(this.watchdog.silence()).isZero();
		assertThat(this.threads.started).hasSize(2);
	}

	private void endByError() {
		this.threads.wait = (nanos) -> {
			throw new LinkageError("on purpose");
		};
		assertThatExceptionOfType(LinkageError.class).isThrownBy(this.threads.last().work::run);
		this.threads.wait = this.threads::pass;
	}

	@Test
	void anErrorOfTheJvmWhileItRecoversDoesNotEndIt() {
		this.watchdog.start();
		this.threads.wait = (nanos) -> {
			if (this.threads.parks.size() < 5) {
				throw new OutOfMemoryError("on purpose");
			}
			stop();
		};
		this.threads.last().work.run();
		assertThat(this.threads.parks).hasSize(5);
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void whatFailsElsewhereWhenItHasEndedIsDoneByAnotherThread() {
		this.watchdog.start();
		runToItsEnd();
		assertThat(this.watchdog.isThere()).isFalse();
		Recorded steps = new Recorded();
		steps.change(() -> {
			// The watchdog alone goes on with it.
			steps.failures = 1;
			steps.afterwards(() -> steps.proceed("effect"));
		});
		assertThat(this.threads.started).hasSize(2);
		assertThat(this.watchdog.isThere()).isTrue();
		this.threads.last().work.run();
		assertThat(this.done).containsExactly("effect", "mended");
		assertThat(this.watchdog.isThere()).isFalse();
		// It was not to go on.
		assertThat(this.logged.lines()).isEmpty();
	}

	@Test
	void itGoesOnWhereItIsNeededAgainAtTheVeryEnd() {
		AtomicInteger asked = new AtomicInteger();
		endsBy(() -> asked.incrementAndGet() == 2);
		assertThat(this.threads.parks).isEmpty();
		assertThat(this.threads.started).hasSize(1);
		assertThat(asked).hasValue(4);
		assertThat(this.watchdog.isThere()).isFalse();
	}

	@Test
	void anAlarmThatIsSetAtTheVeryEndRings() {
		AtomicInteger asked = new AtomicInteger();
		endsBy(() -> {
			if (asked.incrementAndGet() == 1) {
				this.watchdog.setIn(new Alarm("late"), 0);
			}
			return false;
		});
		assertThat(this.done).containsExactly("late");
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void itLooksAgainWhereItCannotTellWhetherItIsNeeded() {
		AtomicInteger asked = new AtomicInteger();
		endsBy(() -> {
			if (asked.incrementAndGet() == 2) {
				throw new OutOfMemoryError("on purpose");
			}
			return false;
		});
		assertThat(this.threads.parks).isEmpty();
		assertThat(asked).hasValue(4);
		assertThat(this.watchdog.isThere()).isFalse();
	}

	@Test
	void itEndsWhereAnotherThreadWasBegunMeanwhile() {
		AtomicInteger asked = new AtomicInteger();
		endsBy(() -> {
			if (asked.incrementAndGet() == 2) {
				// It has ended already, as others see it.
				assertThat(this.watchdog.isThere()).isFalse();
				this.watchdog.setIn(new Alarm("late"), 0);
				assertThat(this.threads.started).hasSize(2);
			}
			return asked.get() == 2;
		});
		assertThat(this.done).isEmpty();
		assertThat(this.threads.started).hasSize(2);
		this.threads.last().work.run();
		assertThat(this.done).containsExactly("late");
	}

	private void endsBy(BooleanSupplier needed) {
		this.watchdog.start();
		this.watchdog.stop(needed);
		runBounded();
	}

	@Test
	void failuresAreToldOnceASecond() {
		Alarm alarm = new Alarm("alarm");
		alarm.failures = 10;
		this.watchdog.setIn(alarm, 0);
		List<Integer> told = new ArrayList<>();
		for (int millis : new int[] { 10, 10, 980, 9, 1, 999 }) {
			this.threads.ticker.advance(Duration.ofMillis(millis));
			this.watchdog.turn();
			told.add(this.logged.lines().size());
		}
		assertThat(told).containsExactly(1, 1, 1, 1, 2, 2);
	}

	/* It ends with its next turn, whatever is still set. */
	private void stop() {
		this.watchdog.stop(() -> false);
	}

	private void runToItsEnd() {
		stop();
		runBounded();
	}

	private void runBounded() {
		this.threads.wait = (nanos) -> {
			assertThat(this.threads.parks.size()).isLessThan(20);
			this.threads.pass(nanos);
		};
		this.threads.last().work.run();
	}

	/**
	 * Is written down when it rings.
	 */
	private final class Alarm extends TimerWheel.Alarm {

		private final String name;

		private int failures;

		private Alarm(String name) {
			this.name = name;
		}

		@Override
		public void proceed(long now) {
			if (this.failures > 0) {
				this.failures--;
				throw new IllegalStateException("on purpose");
			}
			WatchdogEndTests.this.done.add(this.name);
		}

	}

	/**
	 * Steps whose effects fail so many times.
	 */
	private final class Recorded extends Steps {

		private int failures;

		private Recorded() {
			super(new Guard());
		}

		private void proceed(String what) {
			if (this.failures > 0) {
				this.failures--;
				throw new LinkageError("on purpose");
			}
			WatchdogEndTests.this.done.add(what);
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
			return WatchdogEndTests.this.threads;
		}

		@Override
		Executor others() {
			return Runnable::run;
		}

		@Override
		void callWatchdog() {
			WatchdogEndTests.this.watchdog.attend(this);
		}

	}

}
