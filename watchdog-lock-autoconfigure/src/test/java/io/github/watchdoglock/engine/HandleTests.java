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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handles that are closed, detached or strengthened while something fails or takes long.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class HandleTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final ThreadsByHand threads = new ThreadsByHand(this.ticker);

	private final Queue<Runnable> pool = new ArrayDeque<>();

	/* So many times there is no room for what is to be completed. */
	private int full;

	private final TestEngine test = new TestEngine(EngineSettings.of("test"), this.threads, this.ticker, this.store,
			this.memory, this.memory, this::complete);

	private void complete(Runnable task) {
		if (this.full > 0) {
			this.full--;
			throw new OutOfMemoryError("on purpose");
		}
		this.pool.add(task);
	}

	@AfterEach
	void check() {
		assertThat(this.threads.failures).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void whoWaitsForACloseIsToldByThePool() {
		LockHandle handle = acquired();
		this.store.hold = true;
		CompletableFuture<Void> closed = handle.closeAsync();
		CompletableFuture<Void> again = handle.closeAsync();
		this.store.deliver();
		assertThat(closed).isNotDone();
		assertThat(again).isNotDone();
		runPool();
		assertThat(closed).isCompleted();
		assertThat(again).isCompleted();
	}

	@Test
	void whatIsClosedAlreadyNeedsNoThreadToSaySo() {
		LockHandle handle = acquired();
		handle.close();
		assertThat(handle.closeAsync()).isCompleted();
		assertThat(this.pool).isEmpty();
	}

	@Test
	void aCloseOfOneOfTwoHandlesNeedsNoAnswer() {
		LockHandle outer = acquired();
		LockHandle inner = acquired();
		this.store.hold = true;
		assertThat(inner.closeAsync()).isCompleted();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.store.deliver();
		outer.close();
		assertThat(isFree()).isTrue();
	}

	@Test
	void whoWaitsForAStrongerLeaseIsToldByThePool() {
		LockHandle handle = acquired();
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
	void whoWaitsForAStrongerLeaseHearsOfALossMeanwhile() {
		LockHandle handle = acquired();
		this.store.hold = true;
		CompletableFuture<Void> strengthened = handle.extend(Lease.renewed(Duration.ofMinutes(1)));
		assertThat(this.test.engine.forceRelease(KEY)).isTrue();
		this.store.deliver();
		runPool();
		assertThat(strengthened).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockLostException.class);
		handle.close();
	}

	@Test
	void aStrongerLeaseThatIsNotToBeHadLeavesTheOneThereIs() {
		LockHandle handle = acquired();
		this.store.down = true;
		assertThat(handle.extend(Lease.renewed(Duration.ofMinutes(1)))).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockStoreException.class);
		assertThat(this.pool).isEmpty();
		assertThat(handle.isHeld()).isTrue();
		this.store.down = false;
		handle.close();
	}

	@Test
	void aHandleThatIsClosedIsNotStrengthened() {
		LockHandle handle = acquired();
		handle.close();
		assertThat(handle.extend(null)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(IllegalStateException.class)
			.withMessageContaining("The handle of lock 'orders' is closed");
	}

	@Test
	void aLossIsToldToWhoAskedBeforeAndAfterIt() {
		LockHandle handle = acquired();
		CompletableFuture<LockLoss> before = handle.whenLost().toCompletableFuture();
		assertThat(handle.loss()).isEmpty();
		assertThat(this.test.engine.forceRelease(KEY)).isTrue();
		assertThat(before).isNotDone();
		runPool();
		assertThat(before).isCompleted();
		assertThat(handle.whenLost().toCompletableFuture()).isCompleted();
		assertThat(handle.loss()).get().returns(LockLoss.Reason.FORCED, LockLoss::reason);
		handle.close();
	}

	@Test
	void whatOnlyTheClockKnowsToBeOverIsNotTakenAgain() {
		LockHandle handle = acquired();
		this.ticker.advance(Duration.ofSeconds(25));
		assertThat(this.test.engine.acquireAsync(ORDERS)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockLostException.class);
		assertThat(this.test.events.count("lost: EXPIRED")).isOne();
		handle.close();
	}

	@Test
	void aHandleThatIsClosedHasNothingLeft() {
		LockHandle outer = acquired();
		LockHandle inner = acquired();
		this.ticker.advance(Duration.ofSeconds(1));
		assertThat(inner.remaining()).isEqualTo(Duration.ofMillis(23_700));
		inner.close();
		assertThat(inner.remaining()).isZero();
		assertThat(inner.isHeld()).isFalse();
		assertThat(outer.remaining()).isEqualTo(Duration.ofMillis(23_700));
		outer.close();
		outer.close();
		assertThat(this.store.count(ReleaseCommand.class)).isOne();
	}

	@Test
	void whatIsHeldByDetachedHandlesIsHeldUntilTheLastIsClosed() {
		LockHandle first = acquired();
		LockHandle second = acquired().detach();
		LockHandle third = acquired().detach().detach();
		first.close();
		assertThat(third.isHeld()).isTrue();
		third.close();
		assertThat(isFree()).isFalse();
		assertThat(second.isHeld()).isTrue();
		second.close();
		assertThat(isFree()).isTrue();
	}

	@Test
	void reentryThatFailsIsNotCounted() throws Exception {
		LockRequest again = ORDERS.withMaxHoldTime(Duration.ofSeconds(5))
			.withLease(Lease.renewed(Duration.ofMinutes(1)));
		boolean failed = true;
		for (int reading = 1; failed; reading++) {
			FailingTicker ticker = new FailingTicker();
			InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);
			TestEngine failing = new TestEngine(ticker, memory, Runnable::run);
			LockHandle outer = failing.engine.acquire(ORDERS);
			ticker.failingReading = reading;
			try {
				failing.ask(again).thenCompose(LockHandle::closeAsync);
			}
			catch (OutOfMemoryError ex) {
				// The caller has no handle.
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
	void handleThatIsClosedWhileItIsDetachedIsNotReentered() {
		Handle handle = (Handle) acquired();
		// Another thread detaches it, and has not counted that yet.
		ReflectionTestUtils.setField(handle, "onLoss", null);
		this.threads.tasks = new ArrayList<>();
		CompletableFuture<Void> closed = handle.closeAsync();
		assertThat(handle.reenter(false, this.test.engine.registry.core.rules)).isNull();
		this.threads.runTasks();
		runPool();
		assertThat(closed).isCompleted();
		assertThat(isFree()).isTrue();
	}

	private LockHandle acquired() {
		try {
			return this.test.engine.acquire(ORDERS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private boolean isFree() {
		return this.memory.find(KEY, Duration.ZERO).toCompletableFuture().join().isEmpty();
	}

	private void runPool() {
		while (!this.pool.isEmpty()) {
			this.pool.remove().run();
		}
	}

}
