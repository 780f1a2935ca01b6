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
	void holdIsLostAtMaxHoldTimeAndLeaseIsLeftToExpire() {
		LockHandle handle = this.firstInstance.ask(ORDERS.withMaxHoldTime(Duration.ofSeconds(45))).join();
		this.firstInstance.pass(Duration.ofMillis(44_990));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.firstInstance.pass(Duration.ofMillis(20));
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
		assertThat(this.firstInstance.events.heard).contains("max hold exceeded", "lost: MAX_HOLD");
		assertThat(this.firstInstance.events.length).isEqualTo(Duration.ofSeconds(45));
		assertThat(this.firstInstance.events.held).containsExactly(Duration.ofSeconds(45));
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		this.firstInstance.pass(Duration.ofSeconds(30));
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void stackOfHolderIsCapturedBeforeInterruptAtMaxHoldTime() throws Exception {
		LockRequest request = ORDERS.withMaxHoldTime(Duration.ofSeconds(5)).withOnLoss(OnLoss.INTERRUPT);
		Thread holder = startStuck(request);
		this.firstInstance.pass(Duration.ofSeconds(6));
		holder.join();
		assertThat(this.firstInstance.events.stack).anyMatch((frame) -> frame.getMethodName().equals("stuck"));
		assertThat(this.firstInstance.events.heard).containsSubsequence("max hold exceeded", "lost: MAX_HOLD");
	}

	@Test
	void stackOfHolderIsReportedOnceAfterLongHold() throws Exception {
		Thread holder = startStuck(ORDERS);
		this.firstInstance.pass(Duration.ofMillis(299_980));
		assertThat(this.firstInstance.events.stack).isEmpty();
		this.firstInstance.pass(Duration.ofMillis(40));
		assertThat(this.firstInstance.events.stack).anyMatch((frame) -> frame.getMethodName().equals("stuck"));
		assertThat(this.firstInstance.events.length).isEqualTo(Duration.ofMinutes(5));
		this.firstInstance.pass(Duration.ofMinutes(10));
		assertThat(this.firstInstance.events.count("long hold")).isOne();
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
		try (LockHandle handle = this.firstInstance.engine.acquire(request)) {
			assertThat(handle.isHeld()).as("'handle' is held").isTrue();
			SlowWork.take(Duration.ofMinutes(1));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void callersWaitUntilMinHoldTimeOfClosedHoldEnds() {
		LockHandle handle = this.firstInstance.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(60))).join();
		this.firstInstance.pass(Duration.ofSeconds(20));
		handle.close();
		CompletableFuture<LockHandle> here = this.firstInstance.ask(ORDERS.withWaitTime(Duration.ofMinutes(5)));
		CompletableFuture<LockHandle> there = this.secondInstance.ask(ORDERS.withWaitTime(Duration.ofMinutes(5)));
		TestEngine.pass(Duration.ofMillis(39_900), this.firstInstance, this.secondInstance);
		assertThat(List.of(here, there)).noneMatch(CompletableFuture::isDone);
		TestEngine.pass(Duration.ofSeconds(3), this.firstInstance, this.secondInstance);
		assertThat(CompletableFuture.anyOf(here, there)).isCompleted();
	}

	@Test
	void minHoldTimeIsKeptWhenThreadOfHolderHasEnded() throws Exception {
		TestEngine.onThreadThatEnds(() -> acquire(ORDERS.withMinHoldTime(Duration.ofMinutes(5))));
		this.firstInstance.pass(Duration.ofMinutes(4));
		assertThat(this.firstInstance.events.heard).contains("lost: ABANDONED");
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void longerMinHoldTimeOfReentryApplies() throws Exception {
		LockHandle outer = acquire(ORDERS.withMinHoldTime(Duration.ofSeconds(10)));
		this.firstInstance.pass(Duration.ofSeconds(5));
		acquire(ORDERS.withMinHoldTime(Duration.ofSeconds(20))).close();
		acquire(ORDERS.withMinHoldTime(Duration.ofSeconds(1))).close();
		outer.close();
		this.firstInstance.pass(Duration.ofMillis(19_900));
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		this.firstInstance.pass(Duration.ofMillis(200));
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void shorterMaxHoldTimeOfReentryAppliesWhileHandleIsOpen() throws Exception {
		LockHandle outer = acquire(ORDERS.withMaxHoldTime(Duration.ofMinutes(1)));
		this.firstInstance.pass(Duration.ofSeconds(1));
		acquire(ORDERS.withMaxHoldTime(Duration.ofSeconds(5))).close();
		this.firstInstance.pass(Duration.ofSeconds(10));
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		LockHandle inner = acquire(ORDERS.withMaxHoldTime(Duration.ofSeconds(5)));
		LockHandle patient = acquire(ORDERS.withMaxHoldTime(Duration.ofHours(1)));
		this.firstInstance.pass(Duration.ofMillis(4_990));
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		this.firstInstance.pass(Duration.ofMillis(20));
		assertThat(List.of(outer, inner, patient)).noneMatch(LockHandle::isHeld);
		assertThat(outer.loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
		List.of(patient, inner, outer).forEach(LockHandle::close);
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void leaseIsReleasedOnCloseAfterMinHoldTime() {
		LockHandle handle = this.firstInstance.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(5))).join();
		this.firstInstance.pass(Duration.ofSeconds(6));
		handle.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void holdIsAbandonedWhenOnlyItsLossCallbackRefersToHandle() throws Exception {
		List<LockLoss> losses = new ArrayList<>();
		referToItself(this.firstInstance.engine.acquireAsync(ORDERS).join(), losses);
		LockHandle attached = TestEngine
			.onThreadThatEnds(() -> this.firstInstance.engine.acquire(LockRequest.of("attached")));
		referToItself(attached, losses);
		attached.detach();
		attached = null;
		await().until(() -> {
			System.gc();
			this.firstInstance.pass(Duration.ofSeconds(10));
			return Collections.frequency(this.firstInstance.events.heard, "lost: ABANDONED") == 2;
		});
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void holdIsAbandonedWhenHandleDetachedByOtherThreadIsDropped() throws Exception {
		TestEngine.onThreadThatEnds(this.firstInstance.engine.acquire(ORDERS)::detach);
		await().until(() -> {
			System.gc();
			this.firstInstance.pass(Duration.ofSeconds(10));
			return this.firstInstance.events.heard.contains("lost: ABANDONED");
		});
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@SuppressWarnings("FutureReturnValueIgnored")
	private static void referToItself(LockHandle handle, List<LockLoss> losses) {
		handle.whenLost().thenAccept((loss) -> {
			losses.add(loss);
			handle.close();
		});
	}

	@Test
	void lossCallbackRunsWhenOnlyHandleIsReferenced() {
		List<LockLoss> losses = new ArrayList<>();
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		referToItself(handle, losses);
		System.gc();
		this.secondInstance.engine.forceRelease(KEY);
		this.firstInstance.pass(Duration.ofSeconds(11));
		assertThat(losses).as("losses that reached the callback").hasSize(1);
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
	}

	@Test
	void lossCallbackRunsWhenThreadOfHolderHasEnded() throws Exception {
		List<LockLoss> losses = new ArrayList<>();
		TestEngine.onThreadThatEnds(() -> {
			referToItself(acquire(ORDERS), losses);
			return "";
		});
		System.gc();
		this.firstInstance.pass(Duration.ofSeconds(20));
		assertThat(losses).singleElement().returns(LockLoss.Reason.ABANDONED, LockLoss::reason);
	}

	@Test
	void detachedHandleKeepsHoldOfEndedThreadUntilClosed() throws Exception {
		LockHandle handle = TestEngine.onThreadThatEnds(() -> {
			acquire(ORDERS);
			return this.firstInstance.engine.acquire(ORDERS).detach();
		});
		System.gc();
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		handle.close();
		// The thread's own handle can no longer be closed.
		this.firstInstance.pass(Duration.ofSeconds(20));
		assertThat(this.firstInstance.events.heard).contains("lost: ABANDONED");
	}

	@Test
	void fixedLeaseOfEndedThreadIsAbandonedAndReleased() throws Exception {
		TestEngine.onThreadThatEnds(
				() -> this.firstInstance.engine.acquire(ORDERS.withLease(Lease.fixed(Duration.ofMinutes(3)))));
		this.firstInstance.pass(Duration.ofMinutes(2));
		assertThat(this.firstInstance.events.heard).contains("lost: ABANDONED");
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

}
