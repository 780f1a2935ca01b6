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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.OnLoss;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockView}: what a lock in a store can promise of a {@link Lock}.
 */
@SuppressWarnings("LockNotBeforeTry")
class LockViewTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private static final LockRequest REQUEST = LockRequest.of(KEY);

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());

	private final LockEngine engine = new LockEngine(EngineSettings.of("test"), this.store, this.store, this.store);

	private final Lock lock = this.engine.asLock(REQUEST);

	@AfterEach
	void close() {
		this.engine.close();
	}

	@Test
	void unlockAfterALossReturnsAndTheLockCanBeTakenAnew() {
		Lock strict = this.engine.asLock(REQUEST.withOnLoss(OnLoss.FAIL));
		strict.lock();
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.engine::ensureHeld);
		strict.unlock();
		this.engine.ensureHeld();
		strict.lock();
		assertThat(this.engine.current()).singleElement().matches(LockHandle::isHeld);
		strict.unlock();
	}

	@Test
	void lostLockIsNotTakenAgainBeforeItIsUnlocked() {
		this.lock.lock();
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::lock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::lockInterruptibly);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::tryLock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.lock.tryLock(1, TimeUnit.SECONDS));
		this.lock.unlock();
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
	}

	@Test
	void unlockAfterALossLeavesTheSuccessorAlone() {
		this.lock.lock();
		this.engine.forceRelease(KEY);
		// Not asked for by this thread, which would re-enter what it has lost.
		LockHandle successor = CompletableFuture.supplyAsync(() -> this.engine.acquireAsync(REQUEST).join()).join();
		this.lock.unlock();
		assertThat(successor.isHeld()).isTrue();
		successor.close();
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
		assertThat(this.engine.current()).isEmpty();
		other.close();
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void interruptDoesNotEndLockAndIsKept() {
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
		assertThat(this.engine.current()).singleElement().matches(LockHandle::isHeld);
		this.lock.unlock();
	}

	@Test
	void viewsAndHandlesOfOneKeyAreOneLock() throws InterruptedException {
		try (LockHandle handle = this.engine.acquire(REQUEST)) {
			this.lock.lock();
			assertThat(this.engine.current()).extracting(LockHandle::fencingToken)
				.containsExactly(handle.fencingToken(), handle.fencingToken());
			this.lock.unlock();
			assertThat(handle.isHeld()).isTrue();
		}
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void whatAnotherThreadLockedIsNotUnlocked() {
		LockHandle other = this.engine.acquireAsync(REQUEST).join();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock)
			.withMessageContaining("orders:42");
		assertThat(other.isHeld()).isTrue();
		other.close();
	}

	@Test
	void lockThatWaitsIsSentAwayAtShutdown() {
		LockHandle other = this.engine.acquireAsync(REQUEST).join();
		Thread waiting = Thread.currentThread();
		Thread thread = new Thread(() -> {
			awaitWaiting(waiting);
			assertThat(this.engine.stop()).isNotNull();
		});
		thread.start();
		assertThatExceptionOfType(LockServiceClosedException.class).isThrownBy(this.lock::lock);
		other.close();
	}

	private void interruptSoon(Thread waiting) {
		new Thread(() -> {
			awaitWaiting(waiting);
			waiting.interrupt();
		}).start();
	}

	/* Parked, and known to the engine as one who waits. */
	private void awaitWaiting(Thread thread) {
		Awaitility.await().until(() -> this.engine.list().size() == 2 && thread.getState() != Thread.State.RUNNABLE);
	}

}
