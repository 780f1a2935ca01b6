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

import java.io.IOException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for interrupts of holders that lose their lock. Threads that no caller waits for
 * send the interrupts, and only to the work under that lock. Also tests for views of lost
 * locks.
 */
@SuppressWarnings("LockNotBeforeTry")
class InterruptionTests extends TwoInstances {

	private static final LockRequest INTERRUPT = ORDERS.withOnLoss(OnLoss.INTERRUPT);

	private final Queue<Runnable> pool = new ArrayDeque<>();

	private final LockEngine engine = new TestEngine(SETTINGS, Threads.system(), this.ticker, this.store, this.memory,
			this.memory, this.pool::add).engine;

	@Test
	@Tag("slow")
	void blockingInterruptDelaysNeitherRenewalNorOtherCaller() throws Exception {
		ExecutorService threads = Executors.newCachedThreadPool();
		SlowToClose channel = new SlowToClose();
		try (LockEngine engine = RunningEngine.start()) {
			Future<?> holder = threads.submit(() -> {
				try (LockHandle lock = engine.acquire(INTERRUPT)) {
					channel.block();
				}
				return null;
			});
			assertThat(channel.blocking.await(10, TimeUnit.SECONDS)).isTrue();
			Lease lease = Lease.renewed(Duration.ofSeconds(1));
			try (LockHandle other = engine.acquire(LockRequest.of("others").withLease(lease))) {
				assertThat(threads.submit(() -> engine.forceRelease(KEY)).get(10, TimeUnit.SECONDS)).isTrue();
				assertThat(channel.closing.await(10, TimeUnit.SECONDS)).isTrue();
				// Waits for three leases; the watchdog renews the lock meanwhile.
				assertThat(other.whenLost().toCompletableFuture()).failsWithin(Duration.ofSeconds(3))
					.withThrowableOfType(java.util.concurrent.TimeoutException.class);
				assertThat(other.isHeld()).as("'other' is held").isTrue();
				engine.acquire(LockRequest.of("orders")).close();
				assertThat(holder.isDone()).as("the holder whose interrupt blocks has ended").isFalse();
			}
			channel.closed.countDown();
			holder.get(10, TimeUnit.SECONDS);
		}
		finally {
			channel.closed.countDown();
			threads.shutdownNow();
		}
	}

	@Test
	void threadThatForcesItsOwnLockIsInterruptedAtOnce() throws Exception {
		LockHandle handle = this.engine.acquire(INTERRUPT);
		this.engine.forceRelease(KEY);
		assertThat(Thread.interrupted()).isTrue();
		this.pool.forEach(Runnable::run);
		assertThat(Thread.interrupted()).isFalse();
		handle.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void interruptIsNotSentAfterHandleIsClosedOrDetached(boolean closed) throws Exception {
		LockHandle handle = this.engine.acquire(INTERRUPT);
		loseOnAnotherThread();
		assertThat(this.pool).isNotEmpty();
		if (closed) {
			handle.close();
		}
		else {
			handle.detach();
		}
		this.pool.forEach(Runnable::run);
		assertThat(Thread.interrupted()).as("interrupt of a thread that closed or detached its handle").isFalse();
		handle.close();
	}

	@Test
	void viewLocksAgainAfterLossOfPartlyUnlockedReentry() {
		Lock view = this.engine.asLock(ORDERS);
		view.lock();
		view.lock();
		view.unlock();
		this.engine.forceRelease(KEY);
		view.lock();
		assertThat(this.engine.localLocks().current()).singleElement().matches(LockHandle::isHeld);
		view.unlock();
		assertThat(isFree()).isTrue();
	}

	@Test
	void viewLocksAgainAfterLossWhileThreadHoldsOtherLock() throws Exception {
		LockHandle other = this.engine.acquire(LockRequest.of("other"));
		Lock view = this.engine.asLock(ORDERS);
		view.lock();
		this.engine.forceRelease(KEY);
		view.lock();
		assertThat(this.engine.localLocks().current()).hasSize(2).allMatch(LockHandle::isHeld);
		view.unlock();
		other.close();
	}

	@Test
	void lostHandleIsNotDroppedWhenThreadUsesViewOfOtherKey() throws Exception {
		LockHandle handle = this.engine.acquire(ORDERS);
		Lock other = this.engine.asLock(LockRequest.of("other"));
		other.lock();
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.asLock(ORDERS).lock());
		assertThat(this.engine.localLocks().current()).hasSize(2).first().isSameAs(handle);
		other.unlock();
		handle.close();
	}

	@Test
	void pendingInterruptEndsNextWaitOfView() throws Exception {
		Lock view = this.engine.asLock(INTERRUPT);
		view.lock();
		loseOnAnotherThread();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> view.tryLock(1, TimeUnit.SECONDS));
		this.pool.forEach(Runnable::run);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(view.tryLock(1, TimeUnit.SECONDS)).isTrue();
		view.unlock();
	}

	@Test
	void lossWithoutInterruptIsDroppedByNextTryLockOfView() throws Exception {
		Lock view = this.engine.asLock(ORDERS);
		view.lock();
		loseOnAnotherThread();
		assertThat(view.tryLock(1, TimeUnit.SECONDS)).isTrue();
		view.unlock();
		assertThat(isFree()).isTrue();
	}

	@Test
	void lossOfSeveralViewsInterruptsThreadOnce() throws Exception {
		Lock interrupting = this.engine.asLock(INTERRUPT);
		interrupting.lock();
		this.engine.asLock(ORDERS).lock();
		loseOnAnotherThread();
		this.pool.forEach(Runnable::run);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(interrupting::lockInterruptibly);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		interrupting.lockInterruptibly();
		interrupting.unlock();
	}

	@Test
	void foreignInterruptIsThrownBeforeLossOfViewIsDropped() throws Exception {
		Lock view = this.engine.asLock(ORDERS);
		view.lock();
		loseOnAnotherThread();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(view::lockInterruptibly)
			.withMessageContaining("orders");
		assertThat(this.engine.localLocks().current(KEY)).get().matches((handle) -> handle.loss().isPresent());
		view.unlock();
	}

	@Test
	void interruptIsSentWhenOnlyInnerHandleWasClosed() throws Exception {
		LockHandle outer = this.engine.acquire(INTERRUPT);
		LockHandle inner = this.engine.acquire(INTERRUPT);
		loseOnAnotherThread();
		inner.close();
		this.pool.forEach(Runnable::run);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		outer.close();
		assertThat(Thread.currentThread().isInterrupted()).as("interrupt flag after the close of the outer handle")
			.isFalse();
	}

	@Test
	void sentInterruptStaysWhenOtherThreadClosesHandle() throws Exception {
		LockHandle handle = this.engine.acquire(INTERRUPT);
		loseOnAnotherThread();
		this.pool.forEach(Runnable::run);
		Thread other = new Thread(handle::close);
		other.start();
		while (other.isAlive()) {
			// Joining the thread would consume the interrupt.
			Thread.onSpinWait();
		}
		assertThat(Thread.interrupted()).isTrue();
	}

	/* On another thread, because this thread would be interrupted at once. */
	private void loseOnAnotherThread() throws Exception {
		assertThat(TestEngine.onThreadThatEnds(() -> this.engine.forceRelease(KEY))).isTrue();
	}

	/**
	 * A channel that is closed when a thread that uses it is interrupted. Closing it
	 * takes a while.
	 */
	private static final class SlowToClose extends AbstractInterruptibleChannel {

		private final CountDownLatch blocking = new CountDownLatch(1);

		private final CountDownLatch closing = new CountDownLatch(1);

		private final CountDownLatch closed = new CountDownLatch(1);

		private void block() throws IOException {
			begin();
			try {
				this.blocking.countDown();
				// As a thread that reads from a channel: the close ends the read, not the
				// interrupt.
				awaitClosed();
			}
			finally {
				try {
					end(false);
				}
				catch (java.nio.channels.ClosedByInterruptException ex) {
					Thread.interrupted();
				}
			}
		}

		@Override
		protected void implCloseChannel() {
			this.closing.countDown();
			awaitClosed();
		}

		private void awaitClosed() {
			boolean interrupted = false;
			boolean done = false;
			while (!done) {
				try {
					done = this.closed.await(1, TimeUnit.MINUTES);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
