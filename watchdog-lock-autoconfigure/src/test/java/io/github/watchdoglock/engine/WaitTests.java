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
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.WakeUps;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Waiting: who is next, how long, and what is left behind by those who give up.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class WaitTests extends TwoInstances {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	private static final LockRequest ONCE = ORDERS.withWaitTime(Duration.ZERO);

	private static final LockRequest FOREVER = ORDERS.withWaitTime(Duration.ofMillis(-1));

	@Test
	void callersOfOneInstanceAreServedInOrderOfArrivalWithGrowingTokens() {
		LockHandle holder = this.test.ask(ORDERS).join();
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			waiting.add(this.test.ask(FOREVER));
		}
		long token = holder.fencingToken();
		for (CompletableFuture<LockHandle> next : waiting) {
			assertThat(next).isNotDone();
			holder.close();
			holder = next.getNow(null);
			assertThat(holder).isNotNull();
			assertThat(holder.fencingToken()).isGreaterThan(token);
			token = holder.fencingToken();
		}
		holder.close();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void aCallerWaitsForAConnectionForItsWaitTimeAndAtMostTwoSeconds() {
		this.store.disconnected = true;
		assertThat(this.test.ask(ONCE)).isCompletedExceptionally();
		CompletableFuture<LockHandle> half = this.test.ask(ORDERS.withWaitTime(Duration.ofMillis(500)));
		CompletableFuture<LockHandle> minute = this.test.ask(ORDERS.withWaitTime(Duration.ofMinutes(1)));
		this.test.pass(Duration.ofMillis(490));
		assertThat(half).isNotDone();
		this.test.pass(Duration.ofMillis(20));
		assertThat(half).isCompletedExceptionally();
		this.test.pass(Duration.ofMillis(1_480));
		assertThat(minute).isNotDone();
		this.test.pass(Duration.ofMillis(20));
		assertThat(minute).isCompletedExceptionally();
	}

	@Test
	void instancesAreServedInOrderOfArrival() {
		TestEngine third = TestEngine.over(this.ticker, this.memory);
		LockHandle holder = this.test.ask(ORDERS).join();
		CompletableFuture<LockHandle> second = this.other.ask(FOREVER);
		CompletableFuture<LockHandle> last = third.ask(FOREVER);
		CompletableFuture<LockHandle> again = this.test.ask(FOREVER);
		// The time in which callers of the same instance may go first.
		this.test.pass(Duration.ofMillis(60));
		holder.close();
		assertThat(last).isNotDone();
		assertThat(again).isNotDone();
		second.join().close();
		assertThat(again).isNotDone();
		last.join().close();
		again.join().close();
	}

	@Test
	void callersOfOneInstanceCostTheStoreOneQueueAndOnePollTogether() {
		LockHandle holder = this.other.ask(ORDERS).join();
		for (int i = 0; i < 1_000; i++) {
			this.test.ask(FOREVER);
		}
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isOne();
		this.store.commands.clear();
		TestEngine.pass(Duration.ofSeconds(10), this.test, this.other);
		assertThat(holder.isHeld()).isTrue();
		assertThat(this.store.count(AcquireCommand.class)).isBetween(10L, 12L);
	}

	@Test
	void aTryThatFindsTheKeyTakenTakesNoPlaceAndSendsOneCommand() {
		this.other.ask(ORDERS).join();
		this.store.hold = true;
		CompletableFuture<LockHandle> future = this.test.ask(ONCE);
		this.ticker.advance(Duration.ofMillis(20));
		this.store.deliver();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(future::join)
			.havingCause()
			.isInstanceOfSatisfying(LockNotAcquiredException.class, (ex) -> {
				assertThat(ex).hasMessageEndingWith("tried once, without waiting");
				assertThat(ex.getWaited()).isZero();
				assertThat(ex.getKey()).isEqualTo(KEY);
				assertThat(ex.getHolder()).startsWith("test");
				assertThat(ex.getRemaining()).isPositive();
			});
		assertThat(this.store.commands).hasSize(1);
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isZero();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void aTryInAnInstanceThatHoldsOrWaitsAsksNobody() throws Exception {
		LockHandle holder = this.test.ask(ORDERS).join();
		this.store.commands.clear();
		assertThat(this.test.engine.tryAcquire(ONCE)).isEmpty();
		assertThat(this.store.commands).isEmpty();
		holder.close();
		this.other.ask(ORDERS).join();
		this.test.ask(FOREVER);
		this.store.commands.clear();
		assertThat(this.test.engine.tryAcquire(ONCE)).isEmpty();
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void aWaitEndsByItsDeadlineAndLeavesNothing() {
		LockHandle holder = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS.withWaitTime(Duration.ofSeconds(3)));
		this.test.pass(Duration.ofMillis(2_990));
		assertThat(future).isNotDone();
		this.test.pass(Duration.ofMillis(10));
		assertThat(future).isCompletedExceptionally();
		assertThat(this.test.events.heard).containsExactly("not acquired: TIMEOUT");
		assertThat(this.test.keys()).isZero();
		assertThat(this.test.pendingAlarms()).isZero();
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isZero();
		holder.close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void whoGivesUpLeavesTheAttemptToTheOthers() {
		LockHandle holder = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> first = this.test.ask(FOREVER);
		CompletableFuture<LockHandle> second = this.test.ask(FOREVER);
		first.cancel(false);
		assertThat(this.test.events.heard).containsExactly("not acquired: INTERRUPTED");
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isOne();
		holder.close();
		assertThat(second).isCompleted();
	}

	@Test
	void aFutureThatTimesOutEndsItsAttempt() {
		this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> future = this.test.ask(FOREVER);
		future.completeExceptionally(new TimeoutException());
		assertThat(this.test.keys()).isZero();
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isZero();
	}

	@Test
	void aGrantThatArrivesAfterTheCallerGaveUpIsReleased() {
		this.store.hold = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS);
		future.cancel(false);
		this.store.deliver();
		assertThat(this.test.engine.find(KEY)).isEmpty();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void aGrantThatArrivesWithTheCancellationIsReleased() {
		Queue<Runnable> completions = new ArrayDeque<>();
		TestEngine slow = new TestEngine(this.ticker, this.memory, completions::add);
		CompletableFuture<LockHandle> future = slow.ask(ORDERS);
		assertThat(slow.engine.find(KEY)).isPresent();
		assertThat(future.cancel(false)).isTrue();
		completions.forEach(Runnable::run);
		assertThat(slow.engine.find(KEY)).isEmpty();
		assertThat(slow.keys()).isZero();
	}

	@Test
	void aFreeKeyIsNoticedByPollingWhenEveryMessageIsLost() {
		TestEngine deaf = new TestEngine(this.ticker, this.store, this.memory, new NoWakeUps());
		LockHandle holder = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = deaf.ask(FOREVER);
		TestEngine.pass(Duration.ofSeconds(5), deaf, this.other);
		holder.close();
		assertThat(waiting).isNotDone();
		deaf.pass(Duration.ofSeconds(1));
		assertThat(waiting).isCompleted();
	}

	@Test
	void aDeadHoldersKeyIsTakenWhenItsLeaseIsOver() {
		this.other.ask(LockRequest.of(KEY).withLease(Lease.fixed(Duration.ofMillis(2_500)))).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(FOREVER);
		// The other instance takes no more turns.
		this.test.pass(Duration.ofMillis(2_490));
		assertThat(waiting).isNotDone();
		this.test.pass(Duration.ofMillis(30));
		assertThat(waiting).isCompleted();
	}

	@Test
	void aFailingStoreIsToldToWhoHadNoAnswerYetAndNotToWhoWaits() {
		LockHandle holder = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(FOREVER);
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(2));
		CompletableFuture<LockHandle> late = this.test.ask(ORDERS);
		assertThat(late).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(late::join)
			.withCauseInstanceOf(LockStoreException.class);
		assertThat(this.test.events.heard).containsExactly("not acquired: ERROR");
		assertThat(waiting).isNotDone();
		this.store.down = false;
		holder.close();
		this.test.pass(Duration.ofSeconds(2));
		assertThat(waiting).isCompleted();
	}

	@Test
	void anAcquireWhoseAnswerWasLostIsFoundToBeOurs() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS);
		assertThat(future).isNotDone();
		this.store.loseAnswers = false;
		this.test.pass(Duration.ofMillis(100));
		assertThat(future.join().isHeld()).isTrue();
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
	}

	@Test
	void anAcquireWhoseAnswersStayLostIsUndone() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS);
		this.test.pass(Duration.ofSeconds(2));
		assertThat(future).isCompletedExceptionally();
		assertThat(this.test.engine.find(KEY)).isEmpty();
		assertThat(this.test.keys()).isZero();
		this.store.loseAnswers = false;
		this.test.pass(Duration.ofSeconds(2));
		assertThat(this.test.pendingAlarms()).isZero();
	}

	@Test
	void anAcquireOfUnknownOutcomeIsRepeatedThoughTheConnectionIsGoneForAMoment() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS);
		this.store.loseAnswers = false;
		this.store.down = true;
		this.test.pass(Duration.ofMillis(500));
		assertThat(future).isNotDone();
		this.store.down = false;
		this.test.pass(Duration.ofSeconds(1));
		assertThat(future.join().isHeld()).isTrue();
	}

	@Test
	void anAttemptThatCouldNotBeUndoneIsUndoneWhenTheStoreIsThereAgain() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS);
		this.store.loseAnswers = false;
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(5));
		assertThat(future).isCompletedExceptionally();
		assertThat(this.other.engine.find(KEY)).isPresent();
		this.store.down = false;
		this.test.pass(Duration.ofSeconds(2));
		assertThat(this.other.engine.find(KEY)).isEmpty();
		assertThat(this.test.pendingAlarms()).isZero();
	}

	@Test
	@Tag("slow")
	void triesThatFailWhileTheStoreIsAwayCostOneCommandEach() {
		int tries = 2_000;
		this.store.down = true;
		for (int i = 0; i < tries; i++) {
			LockRequest request = LockRequest.of("orders", "order-" + i);
			assertThat(this.test.ask((i % 2 == 0) ? request : request.withWaitTime(Duration.ZERO)))
				.isCompletedExceptionally();
		}
		this.test.pass(Duration.ofSeconds(40));
		assertThat(this.store.commands).hasSize(tries).hasOnlyElementsOfType(AcquireCommand.class);
		assertThat(this.test.pendingAlarms()).isZero();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void anUndoIsGivenUpWithTheLeaseThatItWouldEnd() {
		this.store.broken = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS);
		assertThat(future).isCompletedExceptionally();
		assertThat(this.test.keys()).isZero();
		this.test.pass(Duration.ofSeconds(30));
		assertThat(this.test.pendingAlarms()).isZero();
	}

	@Test
	void anInterruptedThreadDoesNotAsk() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.test.engine.acquire(ORDERS));
		assertThat(this.store.commands).isEmpty();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void anInterruptedWaitLeavesNothing() throws Exception {
		this.other.ask(ORDERS).join();
		CompletableFuture<Throwable> outcome = new CompletableFuture<>();
		Thread waiter = new Thread(() -> {
			try {
				this.test.engine.acquire(FOREVER);
				outcome.complete(null);
			}
			catch (Throwable ex) {
				outcome.complete(ex);
			}
		});
		waiter.start();
		await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
		waiter.interrupt();
		assertThat(outcome.get(5, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
		assertThat(this.test.keys()).isZero();
		assertThat(this.other.engine.find(KEY).orElseThrow().waiting()).isZero();
	}

	@Test
	void queueAdvancesThoughTheCommandThatReleasesAPlaceWasLost() {
		LockHandle holder = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(FOREVER);
		this.store.down = true;
		waiting.cancel(false);
		this.store.down = false;
		// The lock is reserved for that place, until the release is repeated.
		holder.close();
		this.test.pass(Duration.ofMillis(500));
		assertThat(this.other.ask(ONCE).join().isHeld()).isTrue();
	}

	@Test
	void lateMessageForAReleasedAttemptIsIgnored() {
		List<WakeUps.Hints> hints = new ArrayList<>();
		WakeUps wakeUps = new NoWakeUps() {

			@Override
			public void subscribe(String instance, Hints subscriber) {
				hints.add(subscriber);
			}

		};
		TestEngine late = new TestEngine(this.ticker, this.store, this.memory, wakeUps);
		CompletableFuture<LockHandle> future = late.ask(ORDERS);
		AttemptId attempt = ((AcquireCommand) this.store.commands.get(0)).attempt();
		future.join().close();
		this.store.commands.clear();
		hints.get(0).granted(KEY, attempt);
		assertThat(this.store.commands).isEmpty();
		assertThat(late.keys()).isZero();
		assertThat(late.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void whoCameWhileTheStoreWasAskedIsToldWhenAnotherOneHasIt() {
		this.store.hold = true;
		CompletableFuture<LockHandle> holder = this.test.ask(ORDERS);
		CompletableFuture<LockHandle> once = this.test.ask(ORDERS.withWaitTime(Duration.ZERO));
		CompletableFuture<LockHandle> patient = this.test.ask(ORDERS.withWaitTime(Duration.ofSeconds(1)));
		this.store.deliver();
		assertThat(holder.join().isHeld()).isTrue();
		assertThat(once).isCompletedExceptionally();
		assertThat(patient).isNotDone();
		this.test.pass(Duration.ofMillis(1_100));
		assertThat(patient).isCompletedExceptionally();
		assertThat(holder.join().isHeld()).isTrue();
	}

}
