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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for handles that transactions keep.
 */
class TransactionHandleTests extends RunningEngine {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private static final LockRequest REQUEST = LockRequest.of(KEY).withReleaseAfterTransaction();

	/* Handles that the only transaction keeps. */
	private final List<LockHandle> kept = new ArrayList<>();

	@BeforeEach
	void begin() {
		this.engine.customizations().closeAfterTransactions(this.kept::add);
	}

	@Test
	void lockIsHeldUntilTheTransactionIsComplete() throws InterruptedException {
		LockHandle handle = this.engine.acquire(REQUEST);
		handle.close();
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(this.engine.find(KEY)).isPresent();
		assertThat(this.kept).singleElement()
			.matches(LockHandle::isHeld)
			.returns(handle.fencingToken(), LockHandle::fencingToken);
		complete();
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void currentHandleIsKeptOneAfterAcquiredHandleIsClosed() throws InterruptedException {
		LockHandle handle = this.engine.acquire(REQUEST);
		assertThat(this.engine.localLocks().current()).hasSize(2).last().isSameAs(handle);
		assertThat(this.engine.localLocks().current(KEY)).containsSame(handle);
		assertThat(this.engine.localLocks().current(LockKey.of("orders", "43"))).isEmpty();
		handle.close();
		assertThat(this.engine.localLocks().current(KEY)).get().matches(LockHandle::isHeld).isSameAs(this.kept.get(0));
		complete();
		assertThat(this.engine.localLocks().current(KEY)).isEmpty();
	}

	@Test
	@SuppressWarnings("LockNotBeforeTry")
	void viewDoesNotDropLostLockThatTransactionKeeps() {
		Lock view = this.engine.asLock(REQUEST);
		view.lock();
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(view::lock);
		complete();
		view.lock();
		assertThat(this.engine.localLocks().current(KEY)).get().matches(LockHandle::isHeld);
		view.unlock();
		complete();
	}

	@Test
	void lockIsHeldUntilHandleIsClosedAfterTransaction() throws InterruptedException {
		try (LockHandle handle = this.engine.tryAcquire(REQUEST).orElseThrow()) {
			complete();
			assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		}
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void lockOfAThreadWithoutTransactionIsReleasedAtOnce() throws InterruptedException {
		this.engine.customizations().closeAfterTransactions((handle) -> false);
		try (LockHandle handle = this.engine.acquire(REQUEST)) {
			assertThat(this.engine.localLocks().current()).containsExactly(handle);
		}
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void transactionKeepsLockOnceWhenAcquiredRepeatedly() throws InterruptedException {
		for (int i = 0; i < 100; i++) {
			this.engine.acquire(REQUEST).close();
		}
		assertThat(this.kept).as("handles that the transaction keeps after 100 acquisitions").hasSize(1);
		assertThat(this.engine.localLocks().current()).hasSize(1);
	}

	@Test
	void stricterOnLossOfLaterRequestAppliesToCommit() throws InterruptedException {
		this.engine.acquire(REQUEST).close();
		this.engine.acquire(REQUEST.withOnLoss(OnLoss.FAIL)).close();
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.engine.ensureCommitAllowed((hold) -> true, List.of(), () -> {
			}));
		complete();
		this.engine.ensureCommitAllowed((hold) -> true, List.of(), () -> {
		});
	}

	@Test
	void keepFailsForLostLockUnlessLossIsOnlyReported() throws InterruptedException {
		LockHandle handle = this.engine.acquire(LockRequest.of(KEY).withOnLoss(OnLoss.FAIL));
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(((Handle) handle)::keep);
		handle.close();
		LockHandle reported = this.engine.acquire(LockRequest.of(KEY).withOnLoss(OnLoss.REPORT));
		this.engine.forceRelease(KEY);
		((Handle) reported).keep();
		reported.close();
	}

	@Test
	void lossOfALockThatOnlyTheTransactionKeepsDoesNotInterrupt() throws InterruptedException {
		this.engine.acquire(REQUEST.withOnLoss(OnLoss.INTERRUPT)).close();
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.engine.ensureCommitAllowed((hold) -> true, List.of(), () -> {
			}));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		complete();
	}

	@ParameterizedTest
	@CsvSource({ "-1, 5000, 5000", "60000, 5000, 5000", "100, 5000, 100", "-1, -1, 30000", "0, -1, 0" })
	void waitIsBoundedWhileATransactionKeepsALock(long requested, long usual, long bounded)
			throws InterruptedException {
		EngineSettings settings = new EngineSettings(() -> "test", Duration.ofSeconds(30), Duration.ofMillis(usual),
				Duration.ofSeconds(1), LeaseLimits.defaults(), null, null, OnLoss.REPORT, true);
		EngineContext context = new EngineContext(settings, Ticker.system(), InstantSource.system(), this.store,
				new Events());
		try (LockEngine engine = new LockEngine(context, this.store, this.store)) {
			context.start();
			engine.customizations().closeAfterTransactions(this.kept::add);
			Duration wait = Duration.ofMillis(requested);
			assertThat(context.waitOfThread(wait)).isEqualTo((requested < 0) ? -1 : wait.toNanos());
			engine.acquire(REQUEST).close();
			assertThat(context.waitOfThread(wait)).isEqualTo(Duration.ofMillis(bounded).toNanos());
			complete();
			assertThat(context.waitOfThread(wait)).isEqualTo((requested < 0) ? -1 : wait.toNanos());
		}
	}

	@Test
	@SuppressWarnings("LockNotBeforeTry")
	void extraUnlockOfViewFailsWhileTransactionKeepsLock() {
		Lock lock = this.engine.asLock(REQUEST);
		lock.lock();
		lock.lock();
		lock.unlock();
		lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		assertThat(this.engine.find(KEY)).isPresent();
		complete();
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void asynchronousRequestForTransactionIsRejected() {
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> this.engine.acquireAsync(REQUEST).join())
			.havingCause()
			.isInstanceOf(IllegalArgumentException.class)
			.withMessageContaining("'orders:42'");
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void lockIsReleasedWhenTransactionRejectsHandle() {
		this.engine.customizations().closeAfterTransactions((handle) -> {
			throw new IllegalStateException("transaction");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.engine.acquire(REQUEST)).withMessage("transaction");
		assertThat(this.engine.localLocks().current()).isEmpty();
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void acquireAllKeepsLocksOnlyWhenAllAreGranted() throws Exception {
		LockRequest other = LockRequest.of("other").withReleaseAfterTransaction();
		this.engine.acquireAll(List.of(REQUEST, other)).close();
		assertThat(this.kept).extracting(LockHandle::key).containsExactly(KEY, other.key());
		complete();
		LockHandle taken = this.engine.acquireAsync(LockRequest.of("other")).join();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.engine
			.acquireAll(List.of(REQUEST.withWaitTime(Duration.ZERO), other.withWaitTime(Duration.ZERO))));
		assertThat(this.kept).isEmpty();
		assertThat(this.engine.find(KEY)).isEmpty();
		taken.close();
	}

	private void complete() {
		this.kept.forEach(LockHandle::close);
		this.kept.clear();
	}

}
