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
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for handles that are closed, detached or strengthened while something fails or
 * takes long.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class HandleTests extends TwoInstances {

	private final Queue<Runnable> pool = new ArrayDeque<>();

	private final TestEngine pooled = new TestEngine(SETTINGS, this.threads, this.ticker, this.store, this.memory,
			this.memory, this.pool::add);

	@Test
	void closeAsyncCompletesOnPoolAfterRelease() throws Exception {
		LockHandle handle = pooled();
		this.store.hold = true;
		List<CompletableFuture<Void>> closed = List.of(handle.closeAsync(), handle.closeAsync());
		this.store.deliver();
		assertThat(closed).noneMatch(CompletableFuture::isDone);
		runPool();
		assertThat(closed).allSatisfy((each) -> assertThat(each).isCompleted());
	}

	@Test
	void closeAsyncOfClosedHandleCompletesWithoutPool() throws Exception {
		LockHandle handle = pooled();
		handle.close();
		assertThat(handle.closeAsync()).isCompleted();
		assertThat(this.pool).isEmpty();
	}

	@Test
	void closeOfInnerHandleCompletesWithoutRelease() throws Exception {
		LockHandle outer = pooled();
		LockHandle inner = pooled();
		this.store.hold = true;
		assertThat(inner.closeAsync()).isCompleted();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.store.deliver();
		outer.close();
		assertThat(isFree()).as("the key is free after the last close").isTrue();
	}

	@Test
	void extendCompletesOnPoolUnlessLeaseIsLongEnough() throws Exception {
		LockHandle handle = pooled();
		this.store.hold = true;
		CompletableFuture<Void> strengthened = handle.extend(Lease.renewed(Duration.ofMinutes(1)));
		this.store.deliver();
		assertThat(strengthened).isNotDone();
		runPool();
		assertThat(strengthened).isCompleted();
		assertThat(handle.extend(Lease.renewed(Duration.ofMinutes(1)))).isCompleted();
		assertThat(this.pool).isEmpty();
		handle.close();
	}

	@Test
	void extendFailsWithLossWhenLockIsForcedDuringRequest() throws Exception {
		LockHandle handle = pooled();
		this.store.hold = true;
		CompletableFuture<Void> strengthened = handle.extend(Lease.renewed(Duration.ofMinutes(1)));
		assertThat(this.pooled.engine.forceRelease(KEY)).isTrue();
		this.store.deliver();
		runPool();
		assertFailed(strengthened, LockLostException.class);
		handle.close();
	}

	@Test
	void whenLostCompletesForFuturesRequestedBeforeAndAfterLoss() throws Exception {
		LockHandle handle = pooled();
		CompletableFuture<LockLoss> before = handle.whenLost().toCompletableFuture();
		assertThat(handle.loss()).isEmpty();
		assertThat(this.pooled.engine.forceRelease(KEY)).isTrue();
		assertThat(before).isNotDone();
		runPool();
		assertThat(before).isCompleted();
		assertThat(handle.whenLost().toCompletableFuture()).isCompleted();
		assertThat(handle.loss()).get().returns(LockLoss.Reason.FORCED, LockLoss::reason);
		handle.close();
	}

	@Test
	void reentryAfterUndetectedExpiryFailsWithLoss() throws Exception {
		LockHandle handle = pooled();
		this.ticker.advance(Duration.ofSeconds(25));
		assertFailed(this.pooled.engine.acquireAsync(ORDERS), LockLostException.class);
		assertThat(this.pooled.events.count("lost: EXPIRED")).isOne();
		handle.close();
	}

	@Test
	void detachedHandlesKeepLockUntilLastHandleIsClosed() throws Exception {
		LockHandle first = pooled();
		LockHandle second = pooled().detach();
		LockHandle third = pooled().detach().detach();
		first.close();
		assertThat(third.isHeld()).as("'third' is held").isTrue();
		third.close();
		assertThat(isFree()).as("the key is free while a detached handle is open").isFalse();
		assertThat(second.isHeld()).as("'second' is held").isTrue();
		second.close();
		assertThat(isFree()).isTrue();
	}

	@Test
	void asynchronousReentryCompletesWithoutPool() throws Exception {
		LockHandle outer = pooled();
		CompletableFuture<LockHandle> inner = this.pooled.engine.acquireAsync(ORDERS);
		assertThat(inner).isCompleted();
		assertThat(inner.join().fencingToken()).isEqualTo(outer.fencingToken());
		inner.join().close();
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		outer.close();
	}

	@Test
	void failedReentryDoesNotKeepLockAfterClose() throws Exception {
		LockRequest again = ORDERS.withMaxHoldTime(Duration.ofSeconds(5))
			.withLease(Lease.renewed(Duration.ofMinutes(1)));
		boolean failed = true;
		for (int reading = 1; failed; reading++) {
			FailingTicker ticker = new FailingTicker();
			TestEngine failing = TestEngine.over(ticker, new InMemoryLeaseStore(this.ticker, this.ticker.wallClock));
			LockHandle outer = failing.engine.acquire(ORDERS);
			ticker.failingReading = reading;
			try {
				failing.ask(again).thenCompose(LockHandle::closeAsync);
			}
			catch (OutOfMemoryError ex) {
				// The caller gets no handle.
			}
			failed = ticker.failingReading == 0;
			ticker.failingReading = 0;
			failing.turn();
			CompletableFuture<Void> closed = outer.closeAsync();
			failing.turn();
			assertThat(closed).as("reading %d", reading).isCompleted();
			assertThat(failing.keys()).as("reading %d", reading).isZero();
		}
	}

	@Test
	void handleThatIsClosedWhileItIsDetachedIsNotReentered() throws Exception {
		Handle handle = (Handle) pooled();
		// As if another thread has begun to detach the handle, and has not yet counted
		// that.
		ReflectionTestUtils.setField(handle, "onLoss", null);
		this.threads.tasks = new ArrayList<>();
		CompletableFuture<Void> closed = handle.closeAsync();
		assertThat(handle.reenter(false, this.pooled.engine.keys.context().rules)).isNull();
		this.threads.runTasks();
		runPool();
		assertThat(closed).isCompleted();
		assertThat(isFree()).isTrue();
	}

	private void runPool() {
		while (!this.pool.isEmpty()) {
			this.pool.remove().run();
		}
	}

	private LockHandle pooled() throws InterruptedException {
		return this.pooled.engine.acquire(ORDERS);
	}

	/**
	 * A clock that fails at one reading, counted from one; zero for no failure.
	 */
	private static final class FailingTicker extends ManualTicker {

		private int failingReading;

		@Override
		public long read() {
			if (this.failingReading > 0 && --this.failingReading == 0) {
				throw new OutOfMemoryError("made up");
			}
			return super.read();
		}

	}

}
