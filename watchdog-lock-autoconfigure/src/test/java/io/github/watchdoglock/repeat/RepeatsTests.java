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

package io.github.watchdoglock.repeat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Repeats}: when it asks for turns, and what it reports about releases.
 * The store answers each release at once.
 */
class RepeatsTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final ManualTicker ticker = new ManualTicker();

	private final Clock clock = new Clock(this.ticker, this.ticker.wallClock);

	private final AtomicInteger done = new AtomicInteger();

	private final AtomicInteger dropped = new AtomicInteger();

	private final Events events = new Events(new EngineObserver() {

		@Override
		public void releaseRepeated(LockKey key, long token, End end) {
			((end == End.DONE) ? RepeatsTests.this.done : RepeatsTests.this.dropped).incrementAndGet();
		}

	});

	private final Semaphore wanted = new Semaphore(0);

	private final Repeats repeats = new Repeats(Threads.system(), this.clock,
			new InMemoryLeaseStore(this.ticker, this.ticker.wallClock), this.events, this.wanted::release);

	@Test
	void turnIsRequestedOnceUntilAllReleasesAreRepeated() {
		assertThat(settle()).isCompleted();
		add();
		add();
		assertThat(this.wanted.availablePermits()).as("turns requested for two added releases").isOne();
		assertThat(this.repeats.turn()).as("another turn is expected while a release is left").isTrue();
		assertThat(this.done).hasValue(1);
		assertThat(this.repeats.turn()).as("another turn is expected after the last release").isFalse();
		assertThat(this.done).hasValue(2);
		assertThat(settle()).isCompleted();
		assertThat(this.wanted.availablePermits()).as("turns requested after both releases are done").isOne();
		add();
		assertThat(this.wanted.availablePermits()).isEqualTo(2);
	}

	@Test
	void turnAfterCloseDropsRemainingReleases() {
		add();
		CompletableFuture<Void> settled = settle();
		assertThat(settled).isNotDone();
		this.repeats.close();
		assertThat(settle()).isCompleted();
		assertThat(this.repeats.turn()).isFalse();
		assertThat(this.dropped).hasValue(1);
		assertThat(settled).isCompleted();
	}

	@Test
	void releasesAddedConcurrentlyWithTurnsAreAllHandled() throws InterruptedException {
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			Thread thread = new Thread(() -> {
				for (int j = 0; j < 10_000; j++) {
					add();
				}
			});
			threads.add(thread);
			thread.start();
		}
		while (this.done.get() + this.dropped.get() < 40_000) {
			assertThat(this.wanted.tryAcquire(10, TimeUnit.SECONDS)).as("a turn was requested while releases are left")
				.isTrue();
			while (this.repeats.turn()) {
				Thread.onSpinWait();
			}
		}
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(settle()).isCompleted();
	}

	private void add() {
		ReleaseCommand command = new ReleaseCommand(KEY, new AttemptId("one", 1), 1, Duration.ZERO, null, SECOND);
		this.repeats.add(new Undo(KEY, 1, this.clock.read() + SECOND.toNanos(), () -> command),
				new IllegalStateException("on purpose"));
	}

	private CompletableFuture<Void> settle() {
		return this.repeats.settle(SECOND).toCompletableFuture();
	}

}
