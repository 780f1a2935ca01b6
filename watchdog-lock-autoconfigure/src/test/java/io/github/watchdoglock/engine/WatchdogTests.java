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
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.support.SlowWork;
import io.github.watchdoglock.time.Clock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the watchdog continues after all failures, and that a stalled watchdog is
 * reported.
 */
@Tag("slow")
class WatchdogTests {

	private final AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();

	private final AtomicLong reads = new AtomicLong();

	private final Clock clock = new Clock(() -> {
		this.reads.incrementAndGet();
		RuntimeException ex = this.broken.get();
		if (ex != null && Thread.currentThread().getName().equals("watchdog-lock")) {
			throw ex;
		}
		return System.nanoTime();
	}, InstantSource.system());

	private final CountedThreads threads = new CountedThreads("watchdog-lock");

	private final Watchdog watchdog = new Watchdog(this.threads, this.clock, Duration.ofMillis(250).toNanos());

	private final Logged logged = new Logged(Watchdog.class.getName());

	private final CountDownLatch rung = new CountDownLatch(1);

	private final Alarm alarm = new TestAlarm(this.rung::countDown);

	@AfterEach
	void stop() {
		this.watchdog.stop(() -> false);
		this.logged.close();
	}

	@Test
	void failureThatCannotBeLoggedDoesNotEndThread() throws Exception {
		this.watchdog.start();
		this.broken.set(new IllegalStateException() {

			private static final long serialVersionUID = 1;

			@Override
			public String getMessage() {
				throw new IllegalStateException("broken on purpose");
			}

		});
		this.watchdog.setIn(this.alarm, 0);
		await().until(() -> !this.logged.lines().isEmpty());
		long before = this.reads.get();
		await().until(() -> this.reads.get() > before + 10);
		this.broken.set(null);
		assertThat(this.rung.await(10, TimeUnit.SECONDS)).as("as('the alarm has fired after the failures'): true")
			.isTrue();
		assertThat(this.threads.started).hasValue(1);
	}

	@Test
	void interruptsDoNotCauseBusyLoop() throws Exception {
		this.watchdog.start();
		this.watchdog.setIn(this.alarm, Duration.ofMinutes(1).toNanos());
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		this.watchdog.setIn(new TestAlarm(() -> thread.complete(Thread.currentThread())), 0);
		Thread running = thread.get(10, TimeUnit.SECONDS);
		long before = this.reads.get();
		for (int i = 0; i < 10; i++) {
			running.interrupt();
			Thread.sleep(20);
		}
		assertThat(this.reads.get() - before).as("as('reads of the clock during 10 interrupts'): below 1,000")
			.isLessThan(1_000);
	}

	@Test
	void nextAlarmStartsReplacementOfEndedThread() throws Exception {
		this.watchdog.start();
		this.threads.breakParks("watchdog-lock");
		await().dontCatchUncaughtExceptions().until(() -> {
			this.watchdog.setIn(new TestAlarm(this.rung::countDown), 0);
			return this.rung.getCount() == 0 && this.threads.started.get() == 2;
		});
		await().untilAsserted(() -> assertThat(this.logged.lines())
			.anyMatch((line) -> line.contains("continues with another thread")));
	}

	@Test
	void blockedThreadIsReportedOnceForEachStall() throws Exception {
		this.watchdog.start();
		for (int i = 1; i <= 2; i++) {
			int times = i;
			CountDownLatch blocked = new CountDownLatch(1);
			this.watchdog.setIn(new TestAlarm(() -> SlowWork.until(blocked)), 0);
			await().until(() -> {
				this.watchdog.setIn(this.alarm, 0);
				return told() == times;
			});
			assertThat(this.watchdog.delay()).isGreaterThan(Duration.ofMillis(250));
			this.watchdog.setIn(this.alarm, 0);
			blocked.countDown();
			await().until(() -> this.watchdog.delay().isZero());
		}
		assertThat(told()).isEqualTo(2);
		assertThat(this.logged.lines()).allMatch((line) -> line.startsWith("ERROR on watchdog-lock-silence"));
	}

	private long told() {
		return this.logged.lines()
			.stream()
			.filter((line) -> line.contains("As long as this lasts, locks are not renewed"))
			.count();
	}

}
