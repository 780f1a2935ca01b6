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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the commands that acquire a key for waiting callers: their content and their
 * timing.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class AcquireCommandTests extends TwoInstances {

	@Test
	void attemptRequestsTokenBlockOnlyForSeveralWaiters() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> first = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		assertThat(asked().tokens()).as("tokens requested for one waiter").isOne();
		passUntilSent(AcquireCommand.class);
		assertThat(asked().tokens()).isEqualTo(TokenBlock.SIZE);
		first.cancel(false);
		passUntilSent(AcquireCommand.class);
		assertThat(asked().tokens()).isOne();
		holder.close();
		assertThat(second).isCompleted();
	}

	@Test
	void tryTakesQueuePlaceOnlyIfKeyIsIdleUnlessWaiterJoinsAttempt() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		assertThat(this.firstInstance.ask(ONCE)).isCompletedExceptionally();
		assertThat(asked().ifIdle()).as("the try takes a place only if the key is idle").isTrue();
		assertThat(asked().poll()).isEqualTo(Duration.ofMillis(100));
		this.store.hold = true;
		this.firstInstance.ask(ONCE);
		this.firstInstance.ask(FOREVER);
		this.store.deliver();
		assertThat(asked().ifIdle()).isFalse();
		assertThat(asked().poll()).isEqualTo(Duration.ofSeconds(1));
		holder.close();
	}

	@Test
	void waiterPollsOncePerPollIntervalOfItsLease() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		this.firstInstance.ask(FOREVER.withLease(Lease.renewed(Duration.ofSeconds(3))));
		assertThat(asked().poll()).isEqualTo(Duration.ofMillis(500));
		assertThat(asked().lease()).isEqualTo(Duration.ofSeconds(3));
		long asked = this.ticker.read();
		passUntilSent(AcquireCommand.class);
		// With half of the jitter, which is a tenth.
		assertThat(Duration.ofNanos(this.ticker.read() - asked)).isBetween(Duration.ofMillis(475),
				Duration.ofMillis(490));
		holder.close();
	}

	@Test
	void repeatedCommandOfWaiterHasFullCommandTimeout() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		this.firstInstance.ask(FOREVER);
		passUntilSent(AcquireCommand.class);
		assertThat(asked().timeout()).isEqualTo(Duration.ofSeconds(2));
		holder.close();
	}

	@Test
	void callerPastCommandTimeoutFailsAndOtherWaitersAreServed() {
		TestEngine test = engine(SETTINGS.withLinger(new TimeRules(Duration.ofSeconds(2), Map.of())));
		test.ask(ORDERS).join().close();
		this.store.hold = true;
		// The end of the idle lease waits for the answer to its renewal.
		test.pass(Duration.ofMillis(2_050));
		assertThat(this.store.count(RenewCommand.class)).isOne();
		CompletableFuture<LockHandle> first = test.ask(FOREVER);
		CompletableFuture<LockHandle> late = test.ask(ONCE.withLease(Lease.renewed(Duration.ofSeconds(3))));
		CompletableFuture<LockHandle> last = test.ask(FOREVER);
		test.pass(Duration.ofMillis(500));
		assertThat(late).isNotDone();
		this.store.deliverOne();
		assertThat(late).isCompletedExceptionally();
		assertThat(first).isNotDone();
		this.store.deliver();
		first.join().close();
		last.join().close();
	}

	@Test
	void observersGetWaitTimesOfTimedOutAndGrantedCallers() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		this.firstInstance.ask(LockRequest.of(KEY).withWaitTime(Duration.ofSeconds(3)));
		CompletableFuture<LockHandle> next = this.firstInstance.ask(FOREVER);
		this.firstInstance.pass(Duration.ofSeconds(4));
		holder.close();
		assertThat(next).isCompleted();
		this.firstInstance.pass(Duration.ofSeconds(2));
		next.join().close();
		assertThat(this.firstInstance.events.waited).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(4));
		assertThat(this.firstInstance.events.held).containsExactly(Duration.ofSeconds(2));
	}

	@Test
	void observersGetHoldTimeOfLostLock() {
		this.firstInstance.ask(FOREVER.withLease(Lease.fixed(Duration.ofSeconds(2))));
		this.firstInstance.pass(Duration.ofMillis(1_980));
		assertThat(this.firstInstance.events.held).containsExactly(Duration.ofMillis(1_980));
	}

	@Test
	void callerAfterUndetectedExpiryReportsLossAndRequestsLease() {
		LockHandle lost = this.firstInstance.ask(FOREVER).join();
		this.ticker.advance(Duration.ofMillis(24_700));
		CompletableFuture<LockHandle> next = this.firstInstance.ask(FOREVER);
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "lost: EXPIRED");
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
		lost.close();
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void callerFailsAndLeavesNoLeaseWhenEngineStopsDuringRequest(int reading) {
		AtomicInteger left = new AtomicInteger();
		AtomicReference<TestEngine> stopping = new AtomicReference<>();
		TestEngine engine = TestEngine.over(new ManualTicker() {

			@Override
			public long read() {
				if (left.decrementAndGet() == 0) {
					Objects.requireNonNull(stopping.get()).engine.stop();
				}
				return super.read();
			}

		}, this.memory);
		stopping.set(engine);
		left.set(reading);
		assertFailed(engine.ask(FOREVER), LockServiceClosedException.class);
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		engine.assertNoKeyInUse();
	}

	@Test
	void commandEndsInTimeForCallerThatCameAfterOneThatWaitsForConnection() {
		LockRequest request = FOREVER.withLease(Lease.renewed(Duration.ofSeconds(10)));
		this.store.disconnected = true;
		this.firstInstance.ask(request);
		this.firstInstance.pass(Duration.ofMillis(1_200));
		this.firstInstance.ask(request);
		this.firstInstance.pass(Duration.ofMillis(300));
		this.store.disconnected = false;
		this.store.hold = true;
		this.firstInstance.reconnect();
		passUntilSent(AcquireCommand.class);
		assertThat(asked().timeout()).isBetween(Duration.ofMillis(600), Duration.ofMillis(700));
	}

	@Test
	void interruptDuringGrantIsKeptAndLockIsHeld() throws Exception {
		LockHandle before = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> holder = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		passUntilSent(AcquireCommand.class);
		before.close();
		second.cancel(false);
		this.threads.wait = (nanos) -> {
			if (this.threads.tasks == null) {
				this.threads.tasks = new ArrayList<>();
				holder.join().closeAsync();
				Thread.currentThread().interrupt();
			}
			else {
				this.threads.runTasks();
			}
		};
		LockHandle handle = this.firstInstance.engine.acquire(FOREVER);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		handle.close();
		this.firstInstance.assertNoKeyInUse();
	}

}
