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
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What does not wait for a thread of the pool, and what does.
 */
class BusyPoolTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final Queue<Runnable> pool = new ArrayDeque<>();

	private final TestEngine test = new TestEngine(this.ticker, this.memory, this.pool::add);

	@AfterEach
	void clear() {
		Thread.interrupted();
	}

	private void runPool() {
		while (!this.pool.isEmpty()) {
			this.pool.remove().run();
		}
	}

	@Test
	void aThreadThatLosesItsLockByItsOwnDoingIsInterruptedAtOnce() throws Exception {
		LockHandle handle = this.test.engine.acquire(ORDERS.withOnLoss(OnLoss.INTERRUPT));
		this.test.engine.forceRelease(KEY);
		assertThat(Thread.interrupted()).isTrue();
		runPool();
		assertThat(Thread.interrupted()).isFalse();
		handle.close();
	}

	@Test
	void anotherThreadIsInterruptedByThePool() throws Exception {
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		AtomicBoolean over = new AtomicBoolean();
		Thread holder = new Thread(() -> {
			try {
				held.complete(this.test.engine.acquire(ORDERS.withOnLoss(OnLoss.INTERRUPT)));
			}
			catch (InterruptedException ex) {
				held.completeExceptionally(ex);
			}
			while (!over.get()) {
				Thread.onSpinWait();
			}
		});
		holder.start();
		try {
			held.get(5, TimeUnit.SECONDS);
			this.test.engine.forceRelease(KEY);
			assertThat(holder.isInterrupted()).isFalse();
			runPool();
			assertThat(holder.isInterrupted()).isTrue();
		}
		finally {
			over.set(true);
			holder.join();
		}
	}

	@Test
	void aLossThatInterruptsNobodyLeavesThePoolNothingToDo() throws Exception {
		LockHandle handle = this.test.engine.acquire(ORDERS);
		this.test.engine.forceRelease(KEY);
		assertThat(handle.isHeld()).isFalse();
		assertThat(this.pool).isEmpty();
	}

	@Test
	void aReEntryThatAsksNobodyIsHadAtOnce() throws Exception {
		LockHandle outer = this.test.engine.acquire(ORDERS);
		CompletableFuture<LockHandle> inner = this.test.engine.acquireAsync(ORDERS);
		assertThat(inner).isCompleted();
		assertThat(inner.join().fencingToken()).isEqualTo(outer.fencingToken());
		inner.join().close();
		outer.close();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void aReEntryThatAsksTheStoreIsHadByThePool() throws Exception {
		LockHandle outer = this.test.engine.acquire(ORDERS);
		CompletableFuture<LockHandle> inner = this.test.engine
			.acquireAsync(ORDERS.withLease(Lease.renewed(Duration.ofMinutes(1))));
		runPool();
		assertThat(inner.join().remaining()).isEqualTo(Duration.ofMillis(49_400));
		inner.join().close();
		outer.close();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void whoAsksForTheLossOfALostHoldHasItAtOnce() {
		LockHandle handle = complete(this.test.engine.acquireAsync(ORDERS));
		this.test.engine.forceRelease(KEY);
		assertThat(handle.whenLost().toCompletableFuture()).isCompleted();
	}

	private LockHandle complete(CompletableFuture<LockHandle> asked) {
		runPool();
		return asked.join();
	}

}
