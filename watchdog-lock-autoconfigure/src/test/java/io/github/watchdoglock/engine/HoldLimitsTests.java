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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for minimum and maximum hold times.
 */
class HoldLimitsTests extends TwoInstances {

	@Test
	void aHoldIsLostAtItsMaximumAndItsKeyIsLeftToTheLease() {
		LockHandle handle = this.test.ask(ORDERS.withMaxHoldTime(Duration.ofSeconds(45))).join();
		this.test.pass(Duration.ofMillis(44_990));
		assertThat(handle.isHeld()).isTrue();
		this.test.pass(Duration.ofMillis(20));
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
		assertThat(this.test.events.heard).contains("max hold exceeded", "lost: MAX_HOLD");
		assertThat(this.test.events.length).isEqualTo(Duration.ofSeconds(45));
		assertThat(this.test.events.held).containsExactly(Duration.ofSeconds(45));
		assertThat(this.other.engine.find(KEY)).isPresent();
		this.test.pass(Duration.ofSeconds(30));
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void theStackOfAHolderBeyondItsMaximumIsTakenBeforeItIsInterrupted() throws Exception {
		LockRequest request = ORDERS.withMaxHoldTime(Duration.ofSeconds(5)).withOnLoss(OnLoss.INTERRUPT);
		Thread holder = startStuck(request);
		this.test.pass(Duration.ofSeconds(6));
		holder.join();
		assertThat(this.test.events.stack).anyMatch((frame) -> frame.getMethodName().equals("stuck"));
		assertThat(this.test.events.heard).containsSubsequence("max hold exceeded", "lost: MAX_HOLD");
	}

	@Test
	void theStackOfAStuckHolderIsTold() throws Exception {
		Thread holder = startStuck(ORDERS);
		this.test.pass(Duration.ofMillis(299_980));
		assertThat(this.test.events.stack).isEmpty();
		this.test.pass(Duration.ofMillis(40));
		assertThat(this.test.events.stack).anyMatch((frame) -> frame.getMethodName().equals("stuck"));
		assertThat(this.test.events.length).isEqualTo(Duration.ofMinutes(5));
		this.test.pass(Duration.ofMinutes(10));
		assertThat(this.test.events.count("long hold")).isOne();
		assertThat(isFree()).isFalse();
		holder.interrupt();
		holder.join();
	}

	private Thread startStuck(LockRequest request) {
		Thread holder = new Thread(() -> stuck(request), "stuck");
		holder.start();
		await().until(() -> holder.getState() == Thread.State.TIMED_WAITING);
		return holder;
	}

	private void stuck(LockRequest request) {
		try (LockHandle handle = this.test.engine.acquire(request)) {
			assertThat(handle.isHeld()).isTrue();
			SlowWork.take(Duration.ofMinutes(1));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void nobodyGetsAKeyBeforeItsMinimumIsOver() {
		LockHandle handle = this.test.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(60))).join();
		this.test.pass(Duration.ofSeconds(20));
		handle.close();
		CompletableFuture<LockHandle> here = this.test.ask(ORDERS.withWaitTime(Duration.ofMinutes(5)));
		CompletableFuture<LockHandle> there = this.other.ask(ORDERS.withWaitTime(Duration.ofMinutes(5)));
		TestEngine.pass(Duration.ofMillis(39_900), this.test, this.other);
		assertThat(List.of(here, there)).noneMatch(CompletableFuture::isDone);
		TestEngine.pass(Duration.ofSeconds(3), this.test, this.other);
		assertThat(CompletableFuture.anyOf(here, there)).isCompleted();
	}

	@Test
	void theMinimumIsKeptThoughTheThreadHasEnded() throws Exception {
		TestEngine.onThreadThatEnds(() -> acquire(ORDERS.withMinHoldTime(Duration.ofMinutes(5))));
		this.test.pass(Duration.ofMinutes(4));
		assertThat(this.test.events.heard).contains("lost: ABANDONED");
		assertThat(this.other.engine.find(KEY)).isPresent();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void theLongerMinimumOfAReEntryApplies() throws Exception {
		LockHandle outer = acquire(ORDERS.withMinHoldTime(Duration.ofSeconds(10)));
		this.test.pass(Duration.ofSeconds(5));
		acquire(ORDERS.withMinHoldTime(Duration.ofSeconds(20))).close();
		acquire(ORDERS.withMinHoldTime(Duration.ofSeconds(1))).close();
		outer.close();
		this.test.pass(Duration.ofMillis(19_900));
		assertThat(this.other.engine.find(KEY)).isPresent();
		this.test.pass(Duration.ofMillis(200));
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void theEarlierMaximumOfAReEntryAppliesWhileItsHandleIsOpen() throws Exception {
		LockHandle outer = acquire(ORDERS.withMaxHoldTime(Duration.ofMinutes(1)));
		this.test.pass(Duration.ofSeconds(1));
		acquire(ORDERS.withMaxHoldTime(Duration.ofSeconds(5))).close();
		this.test.pass(Duration.ofSeconds(10));
		assertThat(outer.isHeld()).isTrue();
		LockHandle inner = acquire(ORDERS.withMaxHoldTime(Duration.ofSeconds(5)));
		LockHandle patient = acquire(ORDERS.withMaxHoldTime(Duration.ofHours(1)));
		this.test.pass(Duration.ofMillis(4_990));
		assertThat(outer.isHeld()).isTrue();
		this.test.pass(Duration.ofMillis(20));
		assertThat(List.of(outer, inner, patient)).noneMatch(LockHandle::isHeld);
		assertThat(outer.loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
		List.of(patient, inner, outer).forEach(LockHandle::close);
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aHoldBeyondItsMinimumIsReleasedAtOnce() {
		LockHandle handle = this.test.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(5))).join();
		this.test.pass(Duration.ofSeconds(6));
		handle.close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aHandleIsAbandonedThoughItsCallbackForLossesRefersToIt() throws Exception {
		List<LockLoss> losses = new ArrayList<>();
		referToItself(this.test.engine.acquireAsync(ORDERS).join(), losses);
		LockHandle attached = TestEngine.onThreadThatEnds(() -> this.test.engine.acquire(LockRequest.of("attached")));
		referToItself(attached, losses);
		attached.detach();
		attached = null;
		await().until(() -> {
			System.gc();
			this.test.pass(Duration.ofSeconds(10));
			return Collections.frequency(this.test.events.heard, "lost: ABANDONED") == 2;
		});
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aHandleThatAnotherThreadDetachesAndDropsIsAbandoned() throws Exception {
		TestEngine.onThreadThatEnds(this.test.engine.acquire(ORDERS)::detach);
		await().until(() -> {
			System.gc();
			this.test.pass(Duration.ofSeconds(10));
			return this.test.events.heard.contains("lost: ABANDONED");
		});
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@SuppressWarnings("FutureReturnValueIgnored")
	private static void referToItself(LockHandle handle, List<LockLoss> losses) {
		handle.whenLost().thenAccept((loss) -> {
			losses.add(loss);
			handle.close();
		});
	}

	@Test
	void callbacksForLossesAreCalledThoughOnlyTheHandleIsKept() {
		List<LockLoss> losses = new ArrayList<>();
		LockHandle handle = this.test.ask(ORDERS).join();
		referToItself(handle, losses);
		System.gc();
		this.other.engine.forceRelease(KEY);
		this.test.pass(Duration.ofSeconds(11));
		assertThat(losses).hasSize(1);
		assertThat(handle.isHeld()).isFalse();
	}

	@Test
	void callbacksForLossesOfAThreadAreCalledWhenItHasEnded() throws Exception {
		List<LockLoss> losses = new ArrayList<>();
		TestEngine.onThreadThatEnds(() -> {
			referToItself(acquire(ORDERS), losses);
			return "";
		});
		System.gc();
		this.test.pass(Duration.ofSeconds(20));
		assertThat(losses).singleElement().returns(LockLoss.Reason.ABANDONED, LockLoss::reason);
	}

	@Test
	void aDetachedHandleKeepsTheHoldOfAThreadThatHasEnded() throws Exception {
		LockHandle handle = TestEngine.onThreadThatEnds(() -> {
			acquire(ORDERS);
			return this.test.engine.acquire(ORDERS).detach();
		});
		System.gc();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).isTrue();
		handle.close();
		// The thread's own handle can no longer be closed.
		this.test.pass(Duration.ofSeconds(20));
		assertThat(this.test.events.heard).contains("lost: ABANDONED");
	}

	@Test
	void aFixedHoldOfAThreadThatHasEndedIsReleasedToo() throws Exception {
		TestEngine
			.onThreadThatEnds(() -> this.test.engine.acquire(ORDERS.withLease(Lease.fixed(Duration.ofMinutes(3)))));
		this.test.pass(Duration.ofMinutes(2));
		assertThat(this.test.events.heard).contains("lost: ABANDONED");
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

}
