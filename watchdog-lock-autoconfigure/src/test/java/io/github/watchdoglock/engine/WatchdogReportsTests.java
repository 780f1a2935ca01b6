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
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the watchdog has logged, on threads that it may not get, or that take long.
 */
class WatchdogReportsTests {

	private final ManualTicker ticker = new ManualTicker();

	private final OwnThread threads = new OwnThread();

	private final Watchdog watchdog = new Watchdog(this.threads, new Clock(this.ticker, this.ticker.wallClock),
			new Events(), Duration.ofSeconds(1).toNanos());

	private final List<LogRecord> logged = new ArrayList<>();

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord event) {
			WatchdogReportsTests.this.logged.add(event);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	private final Logger logger = Logger.getLogger(Watchdog.class.getName());

	@BeforeEach
	void listen() {
		this.logger.addHandler(this.handler);
	}

	@AfterEach
	void close() {
		this.logger.removeHandler(this.handler);
	}

	@Test
	void aSilentOneIsToldWithTheStackOfItsThread() {
		this.watchdog.start();
		this.watchdog.setIn(new Failing(0), 0);
		for (int i = 0; i < 2; i++) {
			this.ticker.advance(Duration.ofSeconds(2));
			assertThat(this.watchdog.silence()).isPositive();
		}
		this.threads.started.get(0).run();
		assertThat(this.logged).singleElement().satisfies((event) -> {
			assertThat(event.getThrown()).hasMessage("This is where the watchdog is");
			// The thread's own stack begins with the asking for it.
			assertThat(event.getThrown().getStackTrace()[0].getMethodName()).isEqualTo("getStackTrace");
			assertThat(event.getThrown().getStackTrace())
				.anyMatch((frame) -> frame.getClassName().equals(WatchdogReportsTests.class.getName()));
		});
	}

	@Test
	void aFailureIsToldWhenAThreadForItIsToBeHadAgain() {
		this.watchdog.setIn(new Failing(10), 0);
		this.threads.scarce = 1;
		turnAfter(Duration.ofSeconds(1));
		assertThat(this.threads.started).isEmpty();
		turnAfter(Duration.ofSeconds(1));
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void oneFailureIsToldAtATime() {
		this.watchdog.setIn(new Failing(10), 0);
		turnAfter(Duration.ofSeconds(1));
		turnAfter(Duration.ofSeconds(5));
		assertThat(this.threads.started).hasSize(1);
		this.threads.started.get(0).run();
		turnAfter(Duration.ofMillis(10));
		assertThat(this.threads.started).hasSize(2);
		assertThat(this.logged).hasSize(1);
	}

	@Test
	void whatCanNotBeDeclaredOverIsTold() {
		this.watchdog.setIn(new TimerWheel.Alarm() {

			@Override
			public void expire(long now) {
				throw new IllegalStateException("on purpose");
			}

			@Override
			public void proceed(long now) {
			}

		}, 0);
		turnAfter(Duration.ofSeconds(1));
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void whatCanNotBeMendedIsTriedAgain() {
		Unmendable steps = new Unmendable();
		steps.failures = 2;
		steps.attend(false);
		for (int tries = 1; tries <= 4; tries++) {
			turnAfter(TestEngine.TICK);
			assertThat(steps.tries).isEqualTo(Math.min(tries, 3));
		}
	}

	private void turnAfter(Duration time) {
		this.ticker.advance(time);
		this.watchdog.turn();
	}

	/**
	 * Rings in vain so many times.
	 */
	private static final class Failing extends TimerWheel.Alarm {

		private int failures;

		private Failing(int failures) {
			this.failures = failures;
		}

		@Override
		public void proceed(long now) {
			if (this.failures > 0) {
				this.failures--;
				throw new IllegalStateException("on purpose");
			}
		}

	}

	/**
	 * Steps whose alarms can't be set so many times.
	 */
	private final class Unmendable extends Steps {

		private int failures;

		private int tries;

		private Unmendable() {
			super(new Guard());
		}

		@Override
		void mend() {
			this.tries++;
			if (this.failures > 0) {
				this.failures--;
				throw new LinkageError("on purpose");
			}
		}

		@Override
		void save(Guard guard) {
			// Nothing changes.
		}

		@Override
		void commit(int uses) {
			// Nothing changes.
		}

		@Override
		void tidy() {
			// It stays.
		}

		@Override
		void lookAgain() {
			// No alarms.
		}

		@Override
		Threads threads() {
			return WatchdogReportsTests.this.threads;
		}

		@Override
		Executor others() {
			return Runnable::run;
		}

		@Override
		void callWatchdog() {
			WatchdogReportsTests.this.watchdog.attend(this);
		}

	}

	/**
	 * The watchdog's thread is the test's own; what others are to do is kept, where they
	 * are to be had.
	 */
	private final class OwnThread implements Threads {

		private final List<Runnable> started = new ArrayList<>();

		private int scarce;

		@Override
		public Thread start(String name, Runnable work) {
			if (this.scarce > 0) {
				this.scarce--;
				throw new OutOfMemoryError("unable to create native thread (on purpose)");
			}
			if (!name.equals("watchdog-lock")) {
				this.started.add(work);
			}
			return Thread.currentThread();
		}

		@Override
		public void park(Object blocker, long nanos) {
			throw new IllegalStateException("turns are taken by hand");
		}

		@Override
		public long elapsed() {
			return WatchdogReportsTests.this.ticker.read();
		}

		@Override
		public void unpark(Thread thread) {
			// It does not wait.
		}

		@Override
		public void proceed(Runnable effects) {
			effects.run();
		}

		@Override
		public void interrupt(Thread thread) {
			thread.interrupt();
		}

		@Override
		public boolean isInterrupted(Thread thread) {
			return thread.isInterrupted();
		}

		@Override
		public boolean waits(Thread thread) {
			return false;
		}

		@Override
		public double random() {
			return 0.5;
		}

	}

}
