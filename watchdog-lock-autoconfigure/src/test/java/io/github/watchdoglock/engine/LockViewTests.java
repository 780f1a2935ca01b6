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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.disabled.UnguardedLockService;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.ManualTicker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockView}: how a lock in a store implements {@link Lock}.
 */
@SuppressWarnings("LockNotBeforeTry")
class LockViewTests extends RunningEngine {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private static final LockRequest REQUEST = LockRequest.of(KEY);

	private final Lock lock = this.engine.asLock(REQUEST);

	@Test
	void unlockAfterLossReturnsAndLockCanBeAcquiredAgain() {
		Lock strict = this.engine.asLock(REQUEST.withOnLoss(OnLoss.FAIL));
		strict.lock();
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.localLocks().ensureHeld());
		strict.unlock();
		this.engine.localLocks().ensureHeld();
		strict.lock();
		assertThat(this.engine.localLocks().current()).singleElement().matches(LockHandle::isHeld);
		strict.unlock();
	}

	@Test
	void nextLockCallDropsHoldsThatViewsHaveLost() throws InterruptedException {
		LockRequest failing = REQUEST.withOnLoss(OnLoss.FAIL);
		for (Taking next : List.<Taking>of(Lock::lock, Lock::lockInterruptibly, Lock::tryLock,
				(view) -> assertThat(view.tryLock(1, TimeUnit.SECONDS)).isTrue())) {
			this.lock.lock();
			this.engine.asLock(failing).lock();
			LockHandle lost = this.engine.localLocks().current(KEY).orElseThrow();
			this.engine.forceRelease(KEY);
			next.take(this.lock);
			assertThat(this.engine.localLocks().current()).singleElement().matches(LockHandle::isHeld);
			assertThat(this.engine.localLocks().current(KEY).orElseThrow().fencingToken())
				.isGreaterThan(lost.fencingToken());
			this.engine.localLocks().ensureHeld();
			this.lock.unlock();
			assertThat(this.engine.localLocks().current(KEY)).isEmpty();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
		}
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void lockWaitsWhileFenceIsBusyAndTryLockReturnsFalse() throws InterruptedException {
		Lock fenced = this.engine.asLock(REQUEST.withFenced(true));
		// A transaction of an earlier holder keeps the fence busy for the first calls.
		AcquisitionGuard guard = Mockito.mock(AcquisitionGuard.class);
		LockNotAcquiredException busy = new LockNotAcquiredException(KEY, Duration.ZERO, "busy");
		AcquisitionGuard.Admission admission = AtomicReference::new;
		this.engine.customizations().guardFenced(guard);
		for (Taking next : List.<Taking>of(Lock::lock, Lock::lockInterruptibly)) {
			BDDMockito.given(guard.admit(ArgumentMatchers.any(), ArgumentMatchers.any(), ArgumentMatchers.any()))
				.willThrow(busy, busy)
				.willReturn(admission);
			next.take(fenced);
			assertThat(this.engine.admissions()).containsExactly(admission);
			fenced.unlock();
		}
		BDDMockito.given(guard.admit(ArgumentMatchers.any(), ArgumentMatchers.any(), ArgumentMatchers.any()))
			.willThrow(busy);
		assertThat(fenced.tryLock()).isFalse();
		assertThat(this.engine.localLocks().current()).isEmpty();
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void droppedHoldIsLoggedOnceWithNameOfThread() {
		String name = Thread.currentThread().getName();
		Thread.currentThread().setName("worker\n1");
		try (Logged logged = new Logged(LockView.class.getName())) {
			this.lock.lock();
			this.lock.lock();
			this.engine.forceRelease(KEY);
			this.lock.lock();
			this.lock.unlock();
			this.lock.lock();
			this.lock.unlock();
			assertThat(logged.lines()).singleElement()
				.asString()
				.startsWith("WARN")
				.contains("Lock 'orders:42' was lost by thread worker?1,")
				.endsWith("Always unlock, also after a loss");
		}
		finally {
			Thread.currentThread().setName(name);
		}
	}

	@Test
	void lockAfterInterruptingLossDropsHoldAndClearsInterruptFlag() {
		this.engine.asLock(REQUEST.withOnLoss(OnLoss.INTERRUPT)).lock();
		this.engine.forceRelease(KEY);
		while (!Thread.currentThread().isInterrupted()) {
			Thread.onSpinWait();
		}
		this.lock.lock();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		this.lock.unlock();
	}

	@Test
	void interruptingLossThrowsInterruptedExceptionBeforeHoldIsDropped() throws InterruptedException {
		Lock interrupting = this.engine.asLock(REQUEST.withOnLoss(OnLoss.INTERRUPT));
		for (Taking next : List.<Taking>of(Lock::lockInterruptibly, (view) -> view.tryLock(1, TimeUnit.SECONDS))) {
			interrupting.lock();
			this.engine.forceRelease(KEY);
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> next.take(interrupting));
			assertThat(this.engine.localLocks().current(KEY)).get().matches((handle) -> handle.loss().isPresent());
			next.take(interrupting);
			assertThat(this.engine.localLocks().current(KEY)).get().matches(LockHandle::isHeld);
			interrupting.unlock();
		}
	}

	@Test
	void tryLockThrowsInterruptedExceptionWhenHoldExpiredUnnoticed() throws InterruptedException {
		ManualTicker ticker = new ManualTicker();
		TestEngine test = TestEngine.over(ticker, new InMemoryLeaseStore(ticker, InstantSource.system()));
		Lock interrupting = test.engine.asLock(REQUEST.withOnLoss(OnLoss.INTERRUPT));
		interrupting.lock();
		ticker.advance(Duration.ofMinutes(1));
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> interrupting.tryLock(1, TimeUnit.SECONDS));
		interrupting.unlock();
		assertThat(interrupting.tryLock(1, TimeUnit.SECONDS)).isTrue();
		assertThat(test.events.count("lost: EXPIRED")).isOne();
		interrupting.unlock();
	}

	@Test
	void lockFailsWhileLostHoldHasOpenHandle() throws InterruptedException {
		LockHandle handle = this.engine.acquire(REQUEST);
		this.lock.lock();
		this.engine.forceRelease(KEY);
		for (Taking next : List.<Taking>of(Lock::lock, Lock::lockInterruptibly, Lock::tryLock,
				(view) -> view.tryLock(1, TimeUnit.SECONDS))) {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> next.take(this.lock))
				.withMessageContaining("orders:42")
				.withMessageEndingWith("Close that handle, then acquire the lock again");
		}
		assertThat(this.engine.localLocks().current()).as("holds of the thread after the rejected calls").hasSize(2);
		handle.close();
		this.lock.lock();
		assertThat(this.engine.localLocks().current()).singleElement().matches(LockHandle::isHeld);
		this.lock.unlock();
	}

	@Test
	void viewIsReentrantAndRejectsUnlockByOtherThread() throws Exception {
		this.lock.lock();
		assertThat(this.lock.tryLock()).isTrue();
		assertThat(CompletableFuture.supplyAsync(this.lock::tryLock).get(5, TimeUnit.SECONDS)).isFalse();
		assertThat(CompletableFuture.runAsync(this.lock::unlock)).failsWithin(Duration.ofSeconds(5))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(IllegalMonitorStateException.class)
			.withMessageContaining("orders:42");
		this.lock.unlock();
		this.lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(this.lock::newCondition);
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void toStringOfViewContainsKey() {
		assertThat(this.lock).hasToString("Lock 'orders:42'");
		assertThat(new UnguardedLockService(InstantSource.system()).asLock(REQUEST)).asString().contains("orders:42");
	}

	@Test
	void tryLockWaitsForItsTimeAndNoLonger() throws InterruptedException {
		LockHandle other = this.engine.acquireAsync(REQUEST).join();
		long start = System.nanoTime();
		assertThat(this.lock.tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(this.lock.tryLock(-1, TimeUnit.DAYS)).isFalse();
		assertThat(this.lock.tryLock(0, TimeUnit.DAYS)).isFalse();
		assertThat(this.lock.tryLock()).isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(100),
				Duration.ofSeconds(5));
		new Thread(other::close).start();
		assertThat(this.lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
		this.lock.unlock();
	}

	@Test
	void interruptEndsAnInterruptibleWaitAndNothingIsHeld() {
		LockHandle other = this.engine.acquireAsync(REQUEST).join();
		interruptSoon(Thread.currentThread());
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.lock::lockInterruptibly);
		interruptSoon(Thread.currentThread());
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.lock.tryLock(1, TimeUnit.MINUTES));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.engine.localLocks().current()).isEmpty();
		other.close();
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void interruptDoesNotEndUninterruptibleLockAndIsRestored() {
		LockHandle other = this.engine.acquireAsync(REQUEST).join();
		Thread waiting = Thread.currentThread();
		Thread thread = new Thread(() -> {
			awaitWaiting(waiting);
			waiting.interrupt();
			awaitWaiting(waiting);
			other.close();
		});
		thread.start();
		this.lock.lock();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.engine.localLocks().current()).singleElement().matches(LockHandle::isHeld);
		this.lock.unlock();
	}

	@Test
	void viewReentersHoldOfHandleWithSameKey() throws InterruptedException {
		try (LockHandle handle = this.engine.acquire(REQUEST)) {
			this.lock.lock();
			assertThat(this.engine.localLocks().current()).extracting(LockHandle::fencingToken)
				.containsExactly(handle.fencingToken(), handle.fencingToken());
			this.lock.unlock();
			assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		}
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void unlockInsideExecuteReleasesItsLock() {
		String result = this.engine.execute(REQUEST, (handle) -> {
			this.lock.unlock();
			assertThat(handle.isHeld()).as("'handle' is held").isFalse();
			assertThat(this.engine.find(KEY)).isEmpty();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
			return "done";
		});
		assertThat(result).isEqualTo("done");
	}

	private void interruptSoon(Thread waiting) {
		new Thread(() -> {
			awaitWaiting(waiting);
			waiting.interrupt();
		}).start();
	}

	/* Wait until the thread is parked, and the engine counts it as a waiting caller. */
	private void awaitWaiting(Thread thread) {
		Awaitility.await()
			.until(() -> this.engine.localLocks().list().size() == 2 && thread.getState() != Thread.State.RUNNABLE);
	}

	private interface Taking {

		void take(Lock lock) throws InterruptedException;

	}

}
