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
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import io.github.watchdoglock.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the watchdog logs, on threads that may not be available or may take long.
 */
class WatchdogReportsTests {

	private final ThreadsByHand threads = new ThreadsByHand();

	private final Watchdog watchdog = new Watchdog(this.threads,
			new Clock(this.threads.ticker, this.threads.ticker.wallClock), Duration.ofSeconds(1).toNanos());

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
		this.threads.reporting = false;
		this.logger.addHandler(this.handler);
	}

	@AfterEach
	void close() {
		this.logger.removeHandler(this.handler);
	}

	@Test
	void silenceIsReportedWithTheStackOfItsThread() {
		this.watchdog.start();
		this.watchdog.setIn(new Failing(), 0);
		for (int i = 0; i < 2; i++) {
			this.threads.ticker.advance(Duration.ofSeconds(2));
			assertThat(this.watchdog.silence()).isPositive();
		}
		this.threads.last().work.run();
		assertThat(this.logged).singleElement().satisfies((event) -> {
			assertThat(event.getThrown()).hasMessage("This is where the watchdog is");
			assertThat(event.getThrown().getStackTrace()).isEqualTo(this.threads.started.get(0).getStackTrace());
		});
	}

	@Test
	void failureIsReportedWhenAThreadIsAvailableAgain() {
		this.watchdog.setIn(new Failing(), 0);
		this.threads.scarce = 1;
		turnAfter(Duration.ofSeconds(1));
		assertThat(this.threads.started).isEmpty();
		turnAfter(Duration.ofSeconds(1));
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void oneFailureIsReportedAtATime() {
		this.watchdog.setIn(new Failing(), 0);
		turnAfter(Duration.ofSeconds(1));
		turnAfter(Duration.ofSeconds(5));
		assertThat(this.threads.started).hasSize(1);
		this.threads.started.get(0).work.run();
		turnAfter(Duration.ofMillis(10));
		assertThat(this.threads.started).hasSize(2);
		assertThat(this.logged).hasSize(1);
	}

	@Test
	void oneFailureIsReportedPerSecond() {
		this.threads.reporting = true;
		this.watchdog.setIn(new Failing(), 0);
		List<Integer> reports = new ArrayList<>();
		for (int millis : new int[] { 10, 10, 980, 9, 1, 999 }) {
			turnAfter(Duration.ofMillis(millis));
			reports.add(this.logged.size());
		}
		assertThat(reports).containsExactly(1, 1, 1, 1, 2, 2);
	}

	private void turnAfter(Duration time) {
		this.threads.ticker.advance(time);
		this.watchdog.turn();
	}

	private static final class Failing extends Alarm {

		@Override
		void fire(long now) {
			throw new IllegalStateException("on purpose");
		}

	}

}
