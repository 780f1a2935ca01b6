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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the end of the watchdog's thread, and for the thread that continues in its
 * place.
 */
class WatchdogEndTests {

	private final ThreadsByHand threads = new ThreadsByHand();

	private final Watchdog watchdog = new Watchdog(this.threads,
			new Clock(this.threads.ticker, this.threads.ticker.wallClock), Duration.ofSeconds(1).toNanos());

	private final Logged logged = new Logged(Watchdog.class.getName());

	private final List<String> done = new ArrayList<>();

	@AfterEach
	void close() {
		this.logged.close();
		assertThat(this.threads.failures).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void nextAlarmStartsThreadAfterFailedStart() {
		this.threads.scarce = 1;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.watchdog::start);
		setAlarm("alarm");
		assertThat(this.threads.started).as("as('threads started by the next alarm'): 1").hasSize(1);
	}

	@Test
	void threadEndedByErrorIsReplacedImmediately() {
		this.watchdog.start();
		setAlarm("alarm");
		endByError();
		assertThat(this.threads.started).as("as('threads started, the second as replacement'): 2").hasSize(2);
		assertThat(this.threads.last().getName()).isEqualTo("watchdog-lock");
		this.threads.ticker.advance(Duration.ofSeconds(1));
		this.watchdog.stop(() -> false);
		run();
		assertThat(this.done).containsExactly("alarm");
	}

	@Test
	void callerReplacesEndedThreadOnceThreadCanBeStarted() {
		this.watchdog.start();
		this.threads.scarce = 3;
		endByError();
		this.threads.ticker.advance(Duration.ofMinutes(1));
		setAlarm("alarm");
		assertThat(this.watchdog.delay()).isZero();
		assertThat(this.threads.started).as("as('threads started while none is available'): 1").hasSize(1);
		setAlarm("other");
		assertThat(this.threads.started).hasSize(2);
		this.threads.ticker.advance(Duration.ofSeconds(1));
		this.threads.wait = (nanos) -> this.watchdog.stop(() -> false);
		this.threads.last().work.run();
		assertThat(this.done).containsExactlyInAnyOrder("alarm", "other");
		assertThat(this.logged.lines()).last().asString().contains("continues with another thread");
	}

	private void endByError() {
		this.threads.wait = (nanos) -> {
			throw new LinkageError("on purpose");
		};
		assertThatExceptionOfType(LinkageError.class).isThrownBy(this.threads.last().work::run);
	}

	@Test
	void errorInSleepDoesNotEndThread() {
		this.watchdog.start();
		this.threads.wait = (nanos) -> {
			if (this.threads.parks.size() == 1) {
				throw new OutOfMemoryError("on purpose");
			}
			this.watchdog.stop(() -> false);
		};
		this.threads.last().work.run();
		assertThat(this.threads.parks).hasSize(2);
		assertThat(this.threads.started).as("as('threads started after an error that the thread survives'): 1")
			.hasSize(1);
	}

	@Test
	void callAfterEndIsHandledByNewThread() {
		this.watchdog.onCall(() -> this.done.add("attended"));
		endsBy(() -> false);
		this.watchdog.call();
		assertThat(this.threads.started).hasSize(2);
		run();
		assertThat(this.done).containsExactly("attended");
		// The watchdog was stopped, so this is not reported.
		assertThat(this.logged.lines()).isEmpty();
	}

	@Test
	void alarmSetAfterEndFiresInNewThread() {
		endsBy(() -> false);
		setAlarm("late");
		assertThatOnlyAnotherThreadFires("late");
	}

	private void assertThatOnlyAnotherThreadFires(String alarm) {
		assertThat(this.done).isEmpty();
		assertThat(this.threads.started).hasSize(2);
		this.threads.ticker.advance(TestEngine.TICK);
		run();
		assertThat(this.done).containsExactly(alarm);
	}

	@Test
	void threadContinuesAfterStopWhileNeeded() {
		AtomicInteger needed = new AtomicInteger(3);
		endsBy(() -> needed.getAndDecrement() > 0);
		long tick = TestEngine.TICK.toNanos();
		assertThat(this.threads.parks).containsExactly(tick, tick, tick);
		assertThat(this.watchdog.delay()).isZero();
	}

	@Test
	void threadContinuesIfNeededAgainWhileEnding() {
		AtomicInteger asked = new AtomicInteger();
		endsBy(() -> asked.incrementAndGet() == 2);
		assertThat(this.threads.parks).isEmpty();
		assertThat(this.threads.started).hasSize(1);
		assertThat(asked).as("as('checks whether the watchdog is still needed'): 4").hasValue(4);
	}

	@Test
	void checkForFurtherNeedIsRepeatedAfterError() {
		AtomicInteger asked = new AtomicInteger();
		endsBy(() -> {
			if (asked.incrementAndGet() == 1) {
				throw new OutOfMemoryError("on purpose");
			}
			return false;
		});
		assertThat(asked).as("as('checks whether the watchdog is still needed, with the failed one'): 3").hasValue(3);
	}

	@Test
	void threadEndsIfReplacementWasStartedWhileEnding() {
		AtomicInteger asked = new AtomicInteger();
		endsBy(() -> {
			if (asked.incrementAndGet() == 2) {
				// For other threads, the watchdog's thread has already ended.
				setAlarm("late");
				assertThat(this.threads.started).hasSize(2);
			}
			return asked.get() == 2;
		});
		assertThatOnlyAnotherThreadFires("late");
	}

	private void endsBy(BooleanSupplier needed) {
		this.watchdog.start();
		this.watchdog.stop(needed);
		run();
	}

	private void run() {
		this.threads.wait = (nanos) -> {
			assertThat(this.threads.parks.size()).isLessThan(20);
			this.threads.pass(nanos);
		};
		this.threads.last().work.run();
	}

	/* The alarm is due at once, and is recorded when it fires. */
	private void setAlarm(String name) {
		this.watchdog.setIn(new TestAlarm(() -> this.done.add(name)), 0);
	}

}
