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

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for holds that end before they are closed.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class LossTests extends TwoInstances {

	/* 30 s, less a hundredth for clock drift and a sixth as stop margin. */
	private static final Duration VALID = Duration.ofMillis(24_700);

	@Test
	void unrenewedHoldIsLostByStopMarginBeforeLeaseEndsInStore() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		CompletableFuture<LockLoss> loss = handle.whenLost().toCompletableFuture();
		this.store.down = true;
		this.firstInstance.pass(VALID.minus(TestEngine.TICK));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.ticker.advance(Duration.ofMillis(10));
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(loss).isNotDone();
		this.firstInstance.turn();
		assertThat(loss.join()).isEqualTo(new LockLoss(KEY, handle.fencingToken(), LockLoss.Reason.EXPIRED));
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		assertThat(this.secondInstance.ask(ONCE)).isCompletedExceptionally();
	}

	@Test
	void handleReportsExpiryAtDeadlineWithoutWatchdogTurn() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.ticker.advance(VALID.minusNanos(1));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		assertThat(handle.loss()).isEmpty();
		assertThat(handle.remaining()).isEqualTo(Duration.ofNanos(1));
		this.ticker.advance(Duration.ofNanos(1));
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.EXPIRED);
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(handle.remaining()).isZero();
	}

	@Test
	void renewalAnswerAtDeadlineDoesNotPreventLoss() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.hold = true;
		this.firstInstance.pass(VALID.minus(TestEngine.TICK));
		this.ticker.advance(TestEngine.TICK);
		this.store.deliver();
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		this.firstInstance.turn();
		assertThat(this.firstInstance.events.heard).contains("lost: EXPIRED").doesNotContain("renewed");
	}

	@Test
	void extensionConfirmedAtDeadlineFailsAndKeyBecomesFree() {
		LockHandle handle = this.firstInstance.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(5)))).join();
		this.store.hold = true;
		CompletableFuture<Void> stronger = handle.extend(Lease.renewed(Duration.ofSeconds(30)));
		this.ticker.advance(Duration.ofMillis(4_950));
		this.store.deliver();
		assertThat(stronger).isCompletedExceptionally();
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.EXPIRED);
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void forceReleaseAtDeadlineIsReportedAsExpiry() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.ticker.advance(VALID);
		this.firstInstance.engine.messages.forced(KEY, asked().attempt());
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.EXPIRED);
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "lost: EXPIRED");
	}

	@Test
	void closeAtDeadlineReportsExpiryAndReleasesKey() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.ticker.advance(VALID);
		handle.close();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "lost: EXPIRED");
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void fixedHoldMissingInStoreIsNoLossWhenReleaseIsAnsweredAfterDeadline() {
		LockHandle handle = this.firstInstance.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(2)))).join();
		this.firstInstance.pass(Duration.ofMillis(1_950));
		StoreFaults.forget(this.memory, KEY);
		this.store.hold = true;
		CompletableFuture<Void> closed = handle.closeAsync();
		this.ticker.advance(Duration.ofMillis(30));
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(handle.loss()).isEmpty();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void deletedKeyIsReportedAsLossAtNextRenewal() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		StoreFaults.forget(this.memory, KEY);
		this.firstInstance.pass(Duration.ofSeconds(10));
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(this.firstInstance.events.heard).contains("lost: GONE");
		assertThat(this.firstInstance.events.renewalsGone).hasValue(1);
	}

	@Test
	void deletedKeyIsReportedAsLossAtClose() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		StoreFaults.forget(this.memory, KEY);
		handle.close();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "lost: GONE");
		assertThat(this.firstInstance.events.renewalsGone).hasValue(0);
	}

	@Test
	void forcedHoldIsLostOnceAndLateMessageDoesNotAffectNextHold() {
		TestEngine deaf = deaf(SETTINGS);
		LockHandle handle = deaf.ask(ORDERS).join();
		CompletableFuture<LockHandle> next = deaf.ask(ORDERS.withWaitTime(Duration.ofMinutes(5)));
		AttemptId forced = asked().attempt();
		assertThat(deaf.engine.forceRelease(KEY)).isTrue();
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
		deaf.engine.messages.forced(KEY, forced);
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
		deaf.pass(Duration.ofMinutes(1));
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
		assertThat(deaf.events.count("lost: FORCED")).isOne();
		assertThat(deaf.events.count("lost: GONE")).isZero();
	}

	@Test
	void callerKeepsWaitingWhenLeaseIsForcedBeforeAcquireAnswer() {
		this.store.hold = true;
		CompletableFuture<LockHandle> handle = this.firstInstance
			.ask(ORDERS.withLease(Lease.fixed(Duration.ofMinutes(1))).withWaitTime(Duration.ofMinutes(5)));
		assertThat(this.firstInstance.engine.forceRelease(KEY)).isTrue();
		LockHandle somebodyElse = this.secondInstance.ask(ORDERS).join();
		this.store.deliver();
		assertThat(handle).isNotDone();
		somebodyElse.close();
		assertThat(handle.join().isHeld()).as("'handle.join' is held").isTrue();
	}

	@Test
	void forceReleaseOfLeaseOfOtherInstanceGrantsKeyToLocalWaiter() {
		LockHandle handle = this.secondInstance.ask(ORDERS).join();
		CompletableFuture<LockHandle> next = this.firstInstance.ask(ORDERS);
		assertThat(this.firstInstance.engine.forceRelease(KEY)).isTrue();
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired");
	}

	@Test
	void abandonedHoldIsReleasedAfterThreadEnds() throws Exception {
		TestEngine.onThreadThatEnds(() -> {
			Thread.currentThread().setName("worker");
			return this.firstInstance.engine.acquire(ORDERS);
		});
		this.firstInstance.pass(Duration.ofSeconds(20));
		assertThat(this.firstInstance.events.heard).contains("lost: ABANDONED");
		assertThat(this.firstInstance.events.abandonedBy).isEqualTo("worker");
		assertThat(this.firstInstance.events.held).containsExactly(Duration.ofMillis(7_500));
		assertThat(this.store.count(RenewCommand.class)).isZero();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void closeOfLostHoldDoesNotEndLeaseOfOtherInstance() {
		LockHandle lost = this.firstInstance.ask(ORDERS).join();
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(31));
		LockHandle successor = this.secondInstance.ask(ORDERS).join();
		this.store.down = false;
		lost.close();
		TestEngine.pass(Duration.ofMinutes(1), this.firstInstance, this.secondInstance);
		assertThat(successor.isHeld()).as("'successor' is held").isTrue();
		assertThat(successor.fencingToken()).isGreaterThan(lost.fencingToken());
	}

	@Test
	void nextWaiterOfInstanceIsGrantedKeyAfterLoss() {
		this.firstInstance.ask(ORDERS);
		CompletableFuture<LockHandle> next = this.firstInstance.ask(ORDERS.withWaitTime(Duration.ofMinutes(1)));
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(25));
		this.store.down = false;
		assertThat(next).isNotDone();
		this.firstInstance.pass(Duration.ofSeconds(7));
		assertThat(next).isCompleted();
	}

	@Test
	void fixedHoldUnderLongerLeaseIsReleasedAtDeadline() {
		LockHandle blocker = this.secondInstance.ask(ORDERS).join();
		// The attempt asks for the long lease of the first caller, which gives up while
		// the answer is under way.
		CompletableFuture<LockHandle> first = this.firstInstance
			.ask(ORDERS.withLease(Lease.renewed(Duration.ofMinutes(5))));
		CompletableFuture<LockHandle> second = this.firstInstance
			.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(2))));
		this.store.hold = true;
		blocker.close();
		first.cancel(false);
		this.store.deliver();
		assertThat(second.join().isHeld()).as("'second.join' is held").isTrue();
		assertThat(this.secondInstance.engine.find(KEY).orElseThrow().remaining()).isGreaterThan(Duration.ofMinutes(4));
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(second.join().isHeld()).as("'second.join' is held").isFalse();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void whenLostStaysIncompleteWhenHoldIsClosedInTime() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		CompletableFuture<LockLoss> loss = handle.whenLost().toCompletableFuture();
		handle.close();
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(loss).isNotDone();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void lostFixedHoldAfterHandOffIsNotReleasedInStore() {
		CompletableFuture<LockHandle> first = this.firstInstance.ask(ORDERS);
		CompletableFuture<LockHandle> fixed = this.firstInstance
			.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(20))));
		first.join().close();
		this.firstInstance.pass(Duration.ofSeconds(1));
		this.firstInstance.engine.lose(KEY, fixed.join().fencingToken(), LockLoss.Reason.SHUTDOWN);
		assertThat(fixed.join().loss()).isPresent();
		assertThat(this.secondInstance.ask(ONCE)).isCompletedExceptionally();
	}

}
