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
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for hand-offs: a lease passes from caller to caller within its instance.
 */
class HandOffTests extends TwoInstances {

	@Test
	void hundredHandOffsNeedThreeCommandsWhileNoOtherInstanceWaits() {
		serveInOrder(ask(this.firstInstance, FOREVER, 101));
		// Two acquires and one release: the first caller was alone and was granted one
		// token.
		assertThat(this.store.commands).as("commands for 101 callers").hasSize(3);
		assertThat(this.firstInstance.events.count("acquired")).isEqualTo(101);
		assertThat(this.firstInstance.events.count("released")).isEqualTo(101);
		assertThat(this.firstInstance.events.count("handed off: LOCAL")).isEqualTo(100);
		assertThat(this.firstInstance.events.count("handed off: REMOTE")).isZero();
		this.firstInstance.assertNoKeyInUse();
	}

	/* Close each handle in order, and check that tokens grow; returns the last token. */
	private static long serveInOrder(List<CompletableFuture<LockHandle>> callers) {
		long token = 0;
		for (CompletableFuture<LockHandle> caller : callers) {
			LockHandle handle = caller.join();
			assertThat(handle.isHeld()).as("'handle' is held").isTrue();
			assertThat(handle.fencingToken()).isGreaterThan(token);
			token = handle.fencingToken();
			handle.close();
		}
		return token;
	}

	@Test
	void waiterOfOtherInstanceIsPassedByAtMost16HandOffs() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, FOREVER, 40);
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(FOREVER);
		int served = serve(callers);
		// The holder, and sixteen others.
		assertThat(served).isEqualTo(17);
		assertThat(this.firstInstance.events.count("handed off: LOCAL")).isEqualTo(16);
		assertThat(this.firstInstance.events.count("handed off: REMOTE")).isOne();
		assertThat(callers.get(served)).isNotDone();
		elsewhere.join().close();
		assertThat(callers.get(served)).isCompleted();
		closeAll(callers.subList(served, callers.size()));
	}

	@Test
	void waiterOfOtherInstanceIsPassedForAtMost50Milliseconds() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, FOREVER, 5);
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(FOREVER);
		this.ticker.advance(Duration.ofMillis(40));
		callers.get(0).join().close();
		assertThat(callers.get(1)).isCompleted();
		this.ticker.advance(Duration.ofMillis(10));
		callers.get(1).join().close();
		assertThat(elsewhere).isCompleted();
		assertThat(callers.get(2)).isNotDone();
	}

	@Test
	void contentionMessageBeforeAnswerLimitsHandOffs() {
		this.store.hold = true;
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, FOREVER, 40);
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(FOREVER);
		this.store.deliver();
		assertThat(serve(callers)).isEqualTo(17);
		assertThat(elsewhere).isCompleted();
	}

	@Test
	void releaseQueuesPlaceForRemainingLocalWaiters() {
		List<CompletableFuture<LockHandle>> here = ask(this.firstInstance, FOREVER, 2);
		CompletableFuture<LockHandle> there = this.secondInstance.ask(FOREVER);
		this.ticker.advance(Duration.ofMillis(50));
		this.store.commands.clear();
		here.get(0).join().close();
		assertThat(this.store.commands).singleElement().isInstanceOf(ReleaseCommand.class);
		assertThat(waiting()).isOne();
		there.join().close();
		assertThat(here.get(1)).isCompleted();
	}

	@Test
	void handOffEndsWithLossWhenStoreHasForgottenKey() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, FOREVER, 16);
		StoreFaults.forget(this.memory, KEY);
		LockHandle somebodyElse = this.secondInstance.ask(FOREVER).join();
		this.ticker.advance(Duration.ofMillis(251));
		LockHandle first = callers.get(0).join();
		first.close();
		assertThat(first.loss()).map(LockLoss::reason).contains(LockLoss.Reason.GONE);
		assertThat(callers.get(1)).isNotDone();
		TestEngine.pass(Duration.ofMinutes(1), this.firstInstance, this.secondInstance);
		assertServedAfterTheClose(callers.get(1), somebodyElse);
	}

	private static void assertServedAfterTheClose(CompletableFuture<LockHandle> caller, LockHandle handle) {
		assertThat(caller).isNotDone();
		handle.close();
		assertThat(caller).isCompleted();
	}

	@Test
	void leaseForcedDuringConfirmationIsNotHandedOff() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, FOREVER, 2);
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		LockHandle first = callers.get(0).join();
		var unused = first.closeAsync();
		assertThat(this.secondInstance.engine.forceRelease(KEY)).isTrue();
		LockHandle somebodyElse = this.secondInstance.ask(FOREVER).join();
		this.store.deliver();
		assertServedAfterTheClose(callers.get(1), somebodyElse);
		assertThat(first.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
	}

	@Test
	void contentionMessageDuringConfirmationLimitsHandOffs() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, FOREVER, 40);
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		var unused = callers.get(0).join().closeAsync();
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(FOREVER);
		this.store.deliver();
		assertThat(serve(callers.subList(1, 40))).isEqualTo(16);
		assertThat(elsewhere).isCompleted();
	}

	@Test
	void handOffGivesCallerFullLengthOfItsOwnLease() {
		CompletableFuture<LockHandle> first = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> longer = this.firstInstance
			.ask(FOREVER.withLease(Lease.renewed(Duration.ofMinutes(5))));
		CompletableFuture<LockHandle> fixed = this.firstInstance
			.ask(FOREVER.withLease(Lease.fixed(Duration.ofSeconds(5))));
		CompletableFuture<LockHandle> again = this.firstInstance.ask(FOREVER);
		first.join().close();
		assertThat(longer.join().remaining()).isEqualTo(Duration.ofSeconds(247));
		longer.join().close();
		assertThat(fixed.join().remaining()).isEqualTo(Duration.ofMillis(4_950));
		this.store.commands.clear();
		this.firstInstance.pass(Duration.ofSeconds(4));
		assertThat(this.store.count(RenewCommand.class)).isZero();
		fixed.join().close();
		assertThat(again.join().remaining()).isEqualTo(Duration.ofMillis(24_700));
		again.join().close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void fixedLeaseThatExpiresAfterHandOffFreesKey() {
		CompletableFuture<LockHandle> first = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> fixed = this.firstInstance
			.ask(FOREVER.withLease(Lease.fixed(Duration.ofSeconds(5))));
		first.join().close();
		this.firstInstance.pass(Duration.ofSeconds(5));
		assertThat(fixed.join().isHeld()).as("'fixed.join' is held").isFalse();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void callersBeyondOneTokenBlockAreServedAfterRenewals() {
		long last = serveInOrder(ask(this.firstInstance, FOREVER, 3 * TokenBlock.SIZE));
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(3);
		assertThat(this.secondInstance.ask(FOREVER).join().fencingToken()).isGreaterThan(last);
	}

	@Test
	void leaseIsReleasedWhenLastWaiterGivesUpDuringConfirmation() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, FOREVER, 2);
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		var unused = callers.get(0).join().closeAsync();
		callers.get(1).cancel(false);
		this.store.deliver();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertThat(this.firstInstance.events.count("released")).isOne();
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void waiterIsServedLaterWhenConfirmationForHandOffFails() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, FOREVER, 2);
		this.ticker.advance(Duration.ofMillis(251));
		this.store.down = true;
		callers.get(0).join().close();
		assertThat(callers.get(1)).isNotDone();
		this.store.down = false;
		this.firstInstance.pass(Duration.ofSeconds(32));
		assertThat(callers.get(1)).isCompleted();
	}

}
