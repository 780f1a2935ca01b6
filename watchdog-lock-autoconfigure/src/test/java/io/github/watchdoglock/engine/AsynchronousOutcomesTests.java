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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the outcomes of asynchronous calls, and for what dependent stages receive.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class AsynchronousOutcomesTests extends TwoInstances {

	private final List<Runnable> pool = new ArrayList<>();

	private final TestEngine pooled = new TestEngine(SETTINGS, this.threads, this.ticker, this.store, this.memory,
			this.memory, this.pool::add);

	private final List<String> heard = new ArrayList<>();

	private boolean failing;

	@BeforeEach
	void listen() {
		this.pooled.engine.customizations().instrument(new Instrumentation() {

			@Override
			public Call calling(LockKey key) {
				AsynchronousOutcomesTests.this.heard.add("asks");
				return new Recorded();
			}

		});
	}

	@Test
	void invalidRequestAndStoppedEngineFailThroughFuture() {
		assertFailed(this.pooled.engine.acquireAsync(ORDERS.withLease(Lease.renewed(Duration.ofMillis(1)))),
				IllegalArgumentException.class);
		this.pooled.engine.stop();
		assertFailed(this.pooled.engine.acquireAsync(ORDERS), LockServiceClosedException.class);
		assertThat(this.heard).containsExactly("asks", "ERROR IllegalArgumentException", "asks",
				"ERROR LockServiceClosedException");
	}

	@Test
	void asynchronousCallerWithoutWaitTimeFailsAndIsReportedAsTimeout() {
		LockHandle held = granted(this.pooled.engine.acquireAsync(ORDERS));
		CompletableFuture<LockHandle> refused = this.pooled.engine.acquireAsync(ORDERS.withWaitTime(Duration.ZERO));
		turn();
		assertThat(refused).isCompletedExceptionally();
		assertThat(this.heard).containsExactly("asks", "acquired", "asks", "TIMEOUT LockNotAcquiredException");
		held.close();
	}

	@Test
	void storeFailureIsReportedAsErrorNotAsInterruption() {
		this.store.down = true;
		CompletableFuture<LockHandle> failed = this.pooled.engine.acquireAsync(ORDERS.withWaitTime(Duration.ZERO));
		turnsFor(Duration.ofSeconds(3));
		assertFailed(failed, LockStoreException.class);
		assertThat(this.heard).containsExactly("asks", "ERROR LockStoreException");
	}

	@Test
	void waiterLeavesQueueAsInterruptedWhenFutureIsCanceledOrTimesOut() {
		LockHandle held = granted(this.pooled.engine.acquireAsync(ORDERS));
		this.heard.clear();
		CompletableFuture<LockHandle> first = this.pooled.engine.acquireAsync(ORDERS);
		CompletableFuture<LockHandle> second = this.pooled.engine.acquireAsync(ORDERS);
		first.completeExceptionally(new TimeoutException());
		second.cancel(false);
		turn();
		assertThat(this.heard).containsExactly("asks", "asks", "INTERRUPTED TimeoutException",
				"INTERRUPTED CancellationException");
		assertThat(this.pooled.engine.localLocks().list()).as("locks in the list: the holder only, no waiter")
			.hasSize(1);
		held.close();
		this.pooled.assertNoKeyInUse();
	}

	@Test
	void waiterLeavesQueueWhenApplicationCompletesItsFuture() {
		LockHandle held = granted(this.pooled.engine.acquireAsync(ORDERS));
		this.heard.clear();
		nullable(this.pooled.engine.acquireAsync(ORDERS)).complete(null);
		this.pooled.engine.acquireAsync(ORDERS).complete(held);
		turn();
		assertThat(this.heard).containsExactly("asks", "asks", "INTERRUPTED CancellationException",
				"INTERRUPTED CancellationException");
		assertThat(this.pooled.engine.localLocks().list()).hasSize(1);
		held.close();
		assertPooledHasNothing();
	}

	@Test
	void leaseIsReleasedWhenApplicationHasCompletedFutureOfCaller() {
		CompletableFuture<@Nullable LockHandle> asked = nullable(this.pooled.engine.acquireAsync(ORDERS));
		assertThat(this.pool).hasSize(1);
		asked.complete(null);
		turn();
		assertThat(asked).isCompletedWithValue(null);
		assertPooledHasNothing();
	}

	@SuppressWarnings("unchecked")
	private static CompletableFuture<@Nullable LockHandle> nullable(CompletableFuture<LockHandle> future) {
		return (CompletableFuture<@Nullable LockHandle>) (CompletableFuture<?>) future;
	}

	@Test
	void cancelReleasesGrantedLeaseWithoutCompletionThread() {
		CompletableFuture<LockHandle> asked = this.pooled.engine.acquireAsync(ORDERS);
		assertThat(this.pool).hasSize(1);
		assertThat(isFree()).isFalse();
		asked.cancel(false);
		assertThat(this.pool).as("futures that wait for a thread of the pool").hasSize(1);
		assertThat(isFree()).as("the key is free before the pool has run").isTrue();
		turn();
		assertThat(asked).isCancelled();
		this.pooled.assertNoKeyInUse();
	}

	@Test
	void errorOfInstrumentationNeitherDeniesLockNorKeepsLease() {
		this.failing = true;
		CompletableFuture<LockHandle> asked = this.pooled.engine.acquireAsync(ORDERS);
		assertThatExceptionOfType(LinkageError.class).isThrownBy(this.pool.remove(0)::run);
		asked.join().close();
		this.pooled.engine.acquireAsync(ORDERS).cancel(false);
		assertThatExceptionOfType(LinkageError.class).isThrownBy(this.pool.remove(0)::run);
		assertPooledHasNothing();
	}

	private void assertPooledHasNothing() {
		this.pooled.assertNoKeyInUse();
		assertThat(isFree()).isTrue();
	}

	private LockHandle granted(CompletableFuture<LockHandle> asked) {
		turn();
		return asked.join();
	}

	private void turn() {
		turnsFor(TestEngine.TICK);
	}

	private void turnsFor(Duration time) {
		for (long left = time.toMillis(); left > 0; left -= TestEngine.TICK.toMillis()) {
			this.pooled.pass(TestEngine.TICK);
			while (!this.pool.isEmpty()) {
				this.pool.remove(0).run();
			}
		}
	}

	private final class Recorded implements Instrumentation.Call {

		@Override
		public void acquired(LockHandle handle) {
			AsynchronousOutcomesTests.this.heard.add("acquired");
			if (AsynchronousOutcomesTests.this.failing) {
				throw new LinkageError("on purpose");
			}
		}

		@Override
		public void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
			AsynchronousOutcomesTests.this.heard
				.add(outcome + ((cause != null) ? " " + cause.getClass().getSimpleName() : ""));
		}

	}

}
