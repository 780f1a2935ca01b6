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

package io.github.watchdoglock.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.support.Logged;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ThreadPool}.
 */
class ThreadPoolTests {

	private final AtomicInteger looksWanted = new AtomicInteger();

	private final ThreadPool pool = new ThreadPool("test-pool", "{0} wait, {1} now", this.looksWanted::incrementAndGet);

	private final ThreadPoolExecutor executor = (ThreadPoolExecutor) Objects
		.requireNonNull(ReflectionTestUtils.getField(this.pool, "threads"));

	private final Logged logged = new Logged(ThreadPool.class.getName());

	private final CountDownLatch blocked = new CountDownLatch(1);

	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger done = new AtomicInteger();

	@AfterEach
	void close() {
		this.blocked.countDown();
		this.pool.close();
		this.logged.close();
	}

	@Test
	void nextCheckIsRequestedOnceWhileTasksWait() {
		block(8);
		assertThat(this.looksWanted).hasValue(0);
		block(2);
		assertThat(this.looksWanted).hasValue(1);
		// The tasks still wait.
		this.pool.check();
		assertThat(this.looksWanted).hasValue(2);
		this.blocked.countDown();
		await().until(() -> this.done.get() == 10);
		this.pool.check();
		assertThat(this.looksWanted).hasValue(2);
	}

	@Test
	void poolGrowsToLimitWhileTasksWaitAndLogsOneWarning() {
		block(1_100);
		int[] sizes = { 8, 16, 24, 36, 54, 81, 121, 181, 271, 406, 609, 913, 1_024 };
		for (int size : sizes) {
			await().until(() -> this.begun.get() == size);
			// The first check sees that tasks were started since the last one.
			this.pool.check();
			assertThat(this.executor.getCorePoolSize()).isEqualTo(size);
			this.pool.check();
		}
		this.pool.check();
		assertThat(this.executor.getPoolSize()).isEqualTo(1_024);
		this.blocked.countDown();
		await().until(() -> this.done.get() == 1_100);
		assertThat(this.logged.lines()).singleElement().asString().isEqualTo("WARN on test-pool: 8 wait, 16 now");
	}

	@Test
	void poolDoesNotGrowWhileQueuedTasksAreStarted() {
		block(7);
		for (int i = 0; i < 10; i++) {
			this.pool.execute(this.done::incrementAndGet);
			this.pool.execute(this.done::incrementAndGet);
			await().until(() -> this.executor.getQueue().isEmpty());
			this.pool.check();
		}
		assertThat(this.executor.getPoolSize()).isEqualTo(8);
		assertThat(this.logged.lines()).isEmpty();
	}

	@Test
	void poolShrinksWhenNoTaskWaits() {
		block(20);
		await().until(() -> this.begun.get() == 8);
		this.pool.check();
		this.pool.check();
		await().until(() -> this.begun.get() == 16);
		this.blocked.countDown();
		await().until(() -> this.done.get() == 20);
		this.pool.check();
		assertThat(this.executor.getCorePoolSize()).isEqualTo(8);
		// Instead of ten seconds.
		this.executor.setKeepAliveTime(10, TimeUnit.MILLISECONDS);
		await().until(() -> this.executor.getPoolSize() == 8);
	}

	@Test
	void threadSurvivesFailedTaskAndClearsInterrupt() {
		for (int i = 0; i < 8; i++) {
			this.pool.execute(() -> {
				Thread.currentThread().interrupt();
				throw new LinkageError("on purpose");
			});
		}
		await().until(() -> this.logged.lines().size() == 8);
		List<Boolean> interrupted = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			CompletableFuture<Boolean> flag = new CompletableFuture<>();
			this.pool.execute(() -> flag.complete(Thread.interrupted()));
			interrupted.add(flag.join());
		}
		assertThat(interrupted).containsOnly(false);
		assertThat(this.executor.getLargestPoolSize()).isEqualTo(8);
		await().until(() -> this.executor.getCompletedTaskCount() == 8 + 16);
		assertThat(this.logged.lines())
			.allMatch((line) -> line.endsWith("A task of the threads 'test-pool' failed; the others continue"));
	}

	@Test
	void taskRunsAtLaterCheckWhenThreadStartFails() {
		ThreadFactory factory = this.executor.getThreadFactory();
		this.executor.setThreadFactory((work) -> {
			throw new OutOfMemoryError("unable to create native thread (on purpose)");
		});
		this.pool.execute(this.done::incrementAndGet);
		this.pool.execute(this.done::incrementAndGet);
		assertThat(this.looksWanted).hasValue(1);
		this.pool.check();
		assertThat(this.looksWanted).hasValue(2);
		this.executor.setThreadFactory(factory);
		this.pool.check();
		await().until(() -> this.done.get() == 2);
	}

	@Test
	void closedPoolRunsLaterTasksAndEndsThreads() {
		this.pool.execute(this.done::incrementAndGet);
		this.pool.close();
		this.pool.execute(this.done::incrementAndGet);
		await().until(() -> this.done.get() == 2 && this.executor.getPoolSize() == 0);
	}

	private void block(int tasks) {
		for (int i = 0; i < tasks; i++) {
			this.pool.execute(() -> {
				this.begun.incrementAndGet();
				try {
					this.blocked.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				this.done.incrementAndGet();
			});
		}
	}

}
