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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for waiting: the next caller, the waiting time, and what callers that give up
 * leave behind.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class WaitQueueTests extends TwoInstances {

	@Test
	void callerWaitsForConnectionForItsWaitTimeUpToTwoSeconds() {
		this.store.disconnected = true;
		assertThat(this.firstInstance.ask(ONCE)).isCompletedExceptionally();
		CompletableFuture<LockHandle> half = this.firstInstance.ask(ORDERS.withWaitTime(Duration.ofMillis(500)));
		CompletableFuture<LockHandle> minute = this.firstInstance.ask(ORDERS.withWaitTime(Duration.ofMinutes(1)));
		assertRefusedAfter(half, Duration.ofMillis(490), Duration.ofMillis(20));
		assertRefusedAfter(minute, Duration.ofMillis(1_480), Duration.ofMillis(20));
	}

	private void assertRefusedAfter(CompletableFuture<LockHandle> caller, Duration notYet, Duration more) {
		this.firstInstance.pass(notYet);
		assertThat(caller).isNotDone();
		this.firstInstance.pass(more);
		assertThat(caller).isCompletedExceptionally();
	}

	@Test
	void attemptWithoutWaitTimeSendsOneCommandIfKeyIsHeld() {
		this.secondInstance.ask(ORDERS).join();
		this.store.hold = true;
		CompletableFuture<LockHandle> future = this.firstInstance.ask(ONCE);
		this.ticker.advance(Duration.ofMillis(20));
		this.store.deliver();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(future::join)
			.havingCause()
			.isInstanceOfSatisfying(LockNotAcquiredException.class, (ex) -> {
				assertThat(ex).hasMessageEndingWith("the wait time is zero");
				assertThat(ex.getWaited()).isZero();
				assertThat(ex.getKey()).isEqualTo(KEY);
				assertThat(ex.getHolder()).startsWith("test");
				assertThat(ex.getRemaining()).isPositive();
			});
		assertThat(this.store.commands).as("as('commands sent for an attempt without wait time'): 1").hasSize(1);
		assertThat(waiting()).isZero();
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void tryAcquireSendsNoCommandIfOwnInstanceHoldsOrWaits() throws Exception {
		LockHandle holder = this.firstInstance.ask(ORDERS).join();
		this.store.commands.clear();
		assertThat(this.firstInstance.engine.tryAcquire(ONCE)).isEmpty();
		assertThat(this.store.commands).isEmpty();
		holder.close();
		this.secondInstance.ask(ORDERS).join();
		this.firstInstance.ask(FOREVER);
		this.store.commands.clear();
		assertThat(this.firstInstance.engine.tryAcquire(ONCE)).isEmpty();
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void waitEndsAtDeadlineAndRemovesWaiter() {
		LockHandle holder = this.secondInstance.ask(ORDERS).join();
		CompletableFuture<LockHandle> future = this.firstInstance.ask(ORDERS.withWaitTime(Duration.ofSeconds(3)));
		assertRefusedAfter(future, Duration.ofMillis(2_990), Duration.ofMillis(10));
		assertThat(this.firstInstance.events.heard).containsExactly("not acquired: TIMEOUT");
		assertThat(waiting()).isZero();
		holder.close();
		assertNothingIsLeft();
	}

	@Test
	void freeKeyIsFoundByPollingWhenMessagesAreLost() {
		TestEngine deaf = deaf(SETTINGS);
		LockHandle holder = this.secondInstance.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = deaf.ask(FOREVER);
		TestEngine.pass(Duration.ofSeconds(5), deaf, this.secondInstance);
		holder.close();
		assertThat(waiting).isNotDone();
		deaf.pass(Duration.ofSeconds(1));
		assertThat(waiting).isCompleted();
	}

	@Test
	void keyOfDeadHolderIsAcquiredWhenLeaseExpires() {
		this.secondInstance.ask(LockRequest.of(KEY).withLease(Lease.fixed(Duration.ofMillis(2_500)))).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		// The other instance takes no more turns.
		this.firstInstance.pass(Duration.ofMillis(2_490));
		assertThat(waiting).isNotDone();
		this.firstInstance.pass(Duration.ofMillis(30));
		assertThat(waiting).isCompleted();
	}

	@Test
	void storeFailureFailsNewCallerButNotEarlierWaiter() {
		LockHandle holder = this.secondInstance.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertFailed(this.firstInstance.ask(ORDERS), LockStoreException.class);
		assertThat(this.firstInstance.events.heard).containsExactly("not acquired: ERROR");
		assertThat(waiting).isNotDone();
		this.store.down = false;
		holder.close();
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(waiting).isCompleted();
	}

	@Test
	void attemptIsRepeatedAfterLostAnswerAndShortOutage() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> future = this.firstInstance.ask(ORDERS);
		this.store.loseAnswers = false;
		this.store.down = true;
		this.firstInstance.pass(Duration.ofMillis(500));
		assertThat(future).isNotDone();
		this.store.down = false;
		this.firstInstance.pass(Duration.ofSeconds(1));
		assertThat(future.join().isHeld()).as("'future.join' is held").isTrue();
	}

	@Test
	void failedUndoIsRepeatedWhenStoreIsAvailableAgain() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> future = this.firstInstance.ask(ORDERS);
		this.store.loseAnswers = false;
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(5));
		assertThat(future).isCompletedExceptionally();
		assertThat(this.secondInstance.engine.find(KEY))
			.as("as('lease of the abandoned attempt in the store, during the outage'): present")
			.isPresent();
		this.store.down = false;
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	@Tag("slow")
	void failedAttemptsDuringOutageSendOneCommandEach() {
		int tries = 2_000;
		this.store.down = true;
		for (int i = 0; i < tries; i++) {
			LockRequest request = LockRequest.of("orders", "order-" + i);
			assertThat(this.firstInstance.ask((i % 2 == 0) ? request : request.withWaitTime(Duration.ZERO)))
				.isCompletedExceptionally();
		}
		this.firstInstance.pass(Duration.ofSeconds(40));
		assertThat(this.store.commands).as("as('commands sent for failed attempts'): one acquisition each")
			.hasSize(tries)
			.hasOnlyElementsOfType(AcquireCommand.class);
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void interruptedThreadFailsWithoutSendingCommand() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(ORDERS))
			.withMessage("Interrupted before requesting lock 'orders'");
		assertThat(this.store.commands).isEmpty();
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void interruptedWaitFailsAndRemovesWaiter() {
		this.secondInstance.ask(ORDERS).join();
		this.threads.wait = (nanos) -> Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(FOREVER))
			.withMessage("Interrupted while waiting for lock 'orders'");
		assertThat(this.firstInstance.events.heard).containsExactly("not acquired: INTERRUPTED");
		this.firstInstance.assertNoKeyInUse();
		assertThat(waiting()).isZero();
	}

	@Test
	void callersDuringAttemptFailWhenFirstCallerGetsLease() {
		this.store.hold = true;
		CompletableFuture<LockHandle> holder = this.firstInstance.ask(ORDERS);
		CompletableFuture<LockHandle> once = this.firstInstance.ask(ORDERS.withWaitTime(Duration.ZERO));
		CompletableFuture<LockHandle> patient = this.firstInstance.ask(ORDERS.withWaitTime(Duration.ofSeconds(1)));
		this.store.deliver();
		assertThat(holder.join().isHeld()).as("'holder.join' is held").isTrue();
		assertThat(once).isCompletedExceptionally();
		assertRefusedAfter(patient, Duration.ZERO, Duration.ofMillis(1_100));
		assertThat(holder.join().isHeld()).as("'holder.join' is held").isTrue();
	}

}
