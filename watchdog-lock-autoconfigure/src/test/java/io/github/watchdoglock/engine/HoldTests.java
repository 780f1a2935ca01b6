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
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for holds: their handles and threads, and the leases that they share.
 */
@SuppressWarnings({ "FutureReturnValueIgnored", "LockNotBeforeTry" })
class HoldTests extends TwoInstances {

	@Test
	void reentryKeepsTokenAndLeaseWithoutCommand() throws Exception {
		LockHandle outer = acquire(ORDERS);
		this.store.commands.clear();
		for (int i = 0; i < 200; i++) {
			LockHandle inner = this.firstInstance.engine.acquire(ONCE.withLease(Lease.fixed(Duration.ofSeconds(1))));
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			assertThat(inner.remaining()).isEqualTo(outer.remaining());
			inner.close();
			assertThat(inner.isHeld()).as("'inner' is held").isFalse();
		}
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void reentryAfterLeaseEndFailsBeforeLossIsDeclared() throws Exception {
		LockHandle handle = acquire(ORDERS);
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		Thread busy = new Thread(() -> hold(handle).lease.lock.tasks().run(() -> {
			begun.countDown();
			SlowWork.until(end);
		}));
		busy.start();
		begun.await();
		this.ticker.advance(Duration.ofSeconds(31));
		try {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> acquire(ORDERS));
		}
		finally {
			end.countDown();
			busy.join();
		}
		handle.close();
	}

	@Test
	void holdEndsWithLastCloseAfterOuterHandleIsClosedFirst() throws Exception {
		LockHandle outer = acquire(ORDERS);
		LockHandle inner = acquire(ORDERS);
		outer.close();
		outer.close();
		assertThat(outer.isHeld()).as("'outer' is held").isFalse();
		assertThat(inner.isHeld()).as("'inner' is held").isTrue();
		assertThat(this.firstInstance.engine.find(KEY)).isPresent();
		inner.close();
		assertThat(this.firstInstance.engine.find(KEY)).isEmpty();
		assertThat(this.store.count(ReleaseCommand.class)).as("releases for two handles of one hold").isOne();
	}

	@Test
	void detachedHandleIsNotReenteredAndOtherThreadCanCloseHandle() throws Exception {
		LockHandle handle = acquire(ORDERS).detach();
		assertThat(this.firstInstance.engine.localLocks().current()).isEmpty();
		assertThat(this.firstInstance.engine.tryAcquire(ONCE)).isEmpty();
		CompletableFuture.runAsync(handle::close).get(5, TimeUnit.SECONDS);
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(this.firstInstance.engine.tryAcquire(ONCE)).isPresent();
	}

	@Test
	void threadReentersThroughAttachedHandleAfterOtherIsDetached() throws Exception {
		LockHandle detached = acquire(ORDERS);
		LockHandle attached = acquire(ORDERS);
		detached.detach();
		LockHandle third = this.firstInstance.engine.acquire(ONCE);
		assertThat(third.fencingToken()).isEqualTo(attached.fencingToken());
		third.close();
		attached.close();
		assertThat(this.firstInstance.engine.tryAcquire(ONCE)).isEmpty();
		detached.close();
	}

	@Test
	void listShowsHolderAndWaiterWithElapsedTimes() throws Exception {
		LockHandle handle = acquire(FOREVER);
		this.firstInstance.pass(Duration.ofSeconds(2));
		CompletableFuture<LockHandle> waiting = TestEngine.onThreadThatEnds(() -> this.firstInstance.ask(FOREVER));
		this.firstInstance.pass(Duration.ofSeconds(1));
		assertThat(this.firstInstance.engine.localLocks().list()).satisfiesExactly((held) -> {
			assertThat(held.status()).isEqualTo(LockSnapshot.Status.HELD);
			assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(held.elapsed()).isEqualTo(Duration.ofSeconds(3));
			assertThat(held.since()).isEqualTo(this.ticker.wallClock.instant().minusSeconds(3));
			assertThat(held.remaining()).isEqualTo(hold(handle).remaining(this.ticker.read()));
			assertThat(held.waiting()).isOne();
		}, (waits) -> {
			assertThat(waits.status()).isEqualTo(LockSnapshot.Status.WAITING);
			assertThat(waits.thread()).isNull();
			assertThat(waits.elapsed()).isEqualTo(Duration.ofSeconds(1));
			assertThat(waits.since()).isEqualTo(this.ticker.wallClock.instant().minusSeconds(1));
			assertThat(waits.waiting()).isOne();
		});
		waiting.cancel(false);
		handle.close();
		assertThat(this.firstInstance.engine.localLocks().list()).isEmpty();
	}

	@Test
	void executeClosesHandleAfterResultAndAfterException() {
		assertThat(this.firstInstance.engine.<String, RuntimeException>execute(ORDERS, (handle) -> {
			assertThat(handle.isHeld()).as("'handle' is held").isTrue();
			return "done";
		})).isEqualTo("done");
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.firstInstance.engine.execute(ORDERS, (handle) -> {
				throw new IOException("from the work");
			}));
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void executeWithoutResultRunsUnderLockAndFailsOnLoss() {
		AtomicLong token = new AtomicLong();
		this.firstInstance.engine.executeWithoutResult(ORDERS, (handle) -> {
			assertThat(handle.isHeld()).as("'handle' is held").isTrue();
			token.set(handle.fencingToken());
		});
		assertThat(token).hasPositiveValue();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.firstInstance.engine.executeWithoutResult(ORDERS.withOnLoss(OnLoss.FAIL),
					(handle) -> this.firstInstance.engine.forceRelease(handle.key())));
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void executePropagatesInterruptOfWorkAndKeepsInterruptOfCaller() {
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.firstInstance.engine.execute(ORDERS, (handle) -> {
				throw new InterruptedException("from the work");
			}))
			.withMessage("from the work");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class)
			.isThrownBy(() -> this.firstInstance.engine.execute(ORDERS, (handle) -> "never"));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void interruptedThreadReleasesLockAndStaysInterrupted() throws Exception {
		LockHandle handle = acquire(ORDERS);
		Thread.currentThread().interrupt();
		handle.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.firstInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void repeatedCloseOfHandleDoesNotAffectNextHold() {
		LockHandle first = this.firstInstance.ask(ORDERS).join();
		first.close();
		LockHandle second = this.firstInstance.ask(ORDERS).join();
		first.close();
		first.detach();
		assertThat(second.isHeld()).as("'second' is held").isTrue();
		assertThat(first.remaining()).isZero();
	}

}
