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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.support.SlowWork;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the engine's own duties that run on threads of its own, while users keep
 * their threads busy, or while one interrupt after the other blocks.
 */
class BusyThreadsTests {

	/*
	 * Far less than the twelve seconds that it would take to wait for the users' threads.
	 */
	private static final Duration SOON = Duration.ofSeconds(4);

	private final CountedThreads threads = new CountedThreads("watchdog-lock-interrupts");

	private final InMemoryLeaseStore store = RunningEngine.newStore();

	private final EngineContext context = new EngineContext(EngineSettings.of("test"), "one", this.threads,
			Ticker.system(), InstantSource.system(), this.store, new Events(), null);

	private final LockEngine engine = new LockEngine(this.context, this.store, this.store);

	private final CountDownLatch over = new CountDownLatch(1);

	private volatile boolean busy = true;

	BusyThreadsTests() {
		this.context.start();
	}

	@AfterEach
	void close() {
		this.busy = false;
		this.over.countDown();
		this.engine.close();
	}

	@Test
	void tasksOfBusyKeyDoNotWaitForBlockedCompletions() {
		keepUsersBusy();
		runTasks();
	}

	@Test
	void interruptOfHolderDoesNotWaitForBlockedCompletions() {
		Holder holder = new Holder("orders");
		keepUsersBusy();
		this.engine.forceRelease(holder.key);
		assertThat(holder.interrupted).succeedsWithin(SOON);
	}

	@Test
	void leaderIsNotifiedOfLossBeforeBlockedCompletionsEnd() throws Exception {
		LockHandle handle = this.engine.acquireAsync(LockRequest.of(LockKey.ofRole("reports")))
			.get(10, TimeUnit.SECONDS);
		CompletableFuture<LockLoss> lost = handle.whenLost().toCompletableFuture();
		keepUsersBusy();
		this.engine.forceRelease(handle.key());
		assertThat(lost).succeedsWithin(SOON);
	}

	@Test
	void blockedInterruptsDelayNeitherOtherInterruptsNorTasks() {
		List<Holder> holders = IntStream.range(0, 21).mapToObj((i) -> new Holder("orders " + i)).toList();
		Holder last = holders.get(20);
		this.threads.whenInterrupted = (thread) -> {
			if (thread != last.thread) {
				SlowWork.until(this.over);
			}
		};
		holders.forEach((holder) -> this.engine.forceRelease(holder.key));
		assertThat(last.interrupted).succeedsWithin(SOON);
		assertThat(holders.subList(0, 20)).noneMatch((holder) -> holder.interrupted.isDone());
		runTasks();
	}

	/* So many tasks that the thread that enqueues them does not run all of them. */
	private void runTasks() {
		CountDownLatch done = new CountDownLatch(1_000);
		LocalLock lock = new LocalLock(LockKey.of("busy"), this.engine.keys);
		lock.run(() -> IntStream.range(0, 1_000).forEach((i) -> lock.run(done::countDown)));
		await().atMost(SOON).until(() -> done.getCount() == 0);
	}

	/* The users' threads block for twelve seconds, or until the test ends. */
	private void keepUsersBusy() {
		for (int i = 0; i < 10_000; i++) {
			this.context.completions.execute(() -> {
				if (this.busy) {
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
				}
			});
		}
	}

	/**
	 * A thread that holds a lock until it is interrupted, or until the test ends.
	 */
	private final class Holder {

		private final CompletableFuture<Void> interrupted = new CompletableFuture<>();

		private final CompletableFuture<Void> holds = new CompletableFuture<>();

		private final LockKey key;

		private final Thread thread;

		private Holder(String name) {
			this.key = LockKey.of(name);
			this.thread = new Thread(this::run);
			this.thread.setDaemon(true);
			this.thread.start();
			assertThat(this.holds).succeedsWithin(SOON);
		}

		private void run() {
			LockRequest request = LockRequest.of(this.key).withOnLoss(OnLoss.INTERRUPT);
			try (LockHandle handle = BusyThreadsTests.this.engine.acquire(request)) {
				this.holds.complete(null);
				BusyThreadsTests.this.over.await();
			}
			catch (InterruptedException ex) {
				this.interrupted.complete(null);
			}
		}

	}

}
