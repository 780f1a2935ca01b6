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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for holders and waiting callers when the application stops.
 */
class ShutdownTests extends TwoInstances {

	@Test
	void holdsAreRenewedDuringStopUntilClosed() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		CompletableFuture<Void> drained = this.firstInstance.engine.stop().toCompletableFuture();
		this.firstInstance.pass(Duration.ofMinutes(2));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		assertThat(drained).as("stop has ended while a hold is open").isNotDone();
		handle.close();
		assertThat(drained).isCompleted();
		assertThat(this.firstInstance.engine.find(LockKey.of("orders"))).isEmpty();
	}

	@Test
	void waiterIsRejectedAtStopAndLeavesQueue() {
		LockHandle handle = this.secondInstance.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(ORDERS);
		assertThat(this.firstInstance.engine.stop().toCompletableFuture()).isCompleted();
		assertFailed(waiting, LockServiceClosedException.class);
		this.firstInstance.assertNoKeyInUse();
		assertThat(this.firstInstance.engine.find(handle.key()).orElseThrow().waiting()).isZero();
	}

	@Test
	void stopRejectsNewRequestsExceptReentry() throws Exception {
		LockHandle outer = this.firstInstance.engine.acquire(ORDERS);
		this.firstInstance.engine.stop();
		this.firstInstance.engine.acquire(ORDERS).close();
		assertThatExceptionOfType(LockServiceClosedException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(LockRequest.of("stock")))
			.withMessageContaining("stock");
		outer.close();
	}

	@Test
	void acquireSucceedsAfterEngineIsRestarted() throws Exception {
		this.firstInstance.engine.stop();
		this.firstInstance.engine.start();
		this.firstInstance.engine.acquire(ORDERS).close();
	}

	@Test
	void holdIsLostWhenEngineIsClosedAndLeaseIsNotReleasedInStore() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.firstInstance.engine.close();
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "lost: SHUTDOWN");
		assertThat(this.firstInstance.engine.find(handle.key())).isPresent();
		this.ticker.advance(Duration.ofSeconds(30));
		assertThat(this.firstInstance.engine.find(handle.key())).isEmpty();
		assertThat(this.store.count(RenewCommand.class)).isZero();
	}

	@Test
	void stopDoesNotWaitForLocksOfCallingThread() throws Exception {
		LockHandle own = this.firstInstance.engine.acquire(ORDERS);
		LockHandle reentered = this.firstInstance.engine.acquire(ORDERS);
		LockHandle detached = this.firstInstance.engine.acquire(LockRequest.of("stock")).detach();
		CompletableFuture<Void> drained = this.firstInstance.engine.stop().toCompletableFuture();
		assertThat(drained).as("while a detached lock is held").isNotDone();
		detached.close();
		assertThat(drained).isCompleted();
		this.firstInstance.pass(Duration.ofMinutes(2));
		assertThat(own.isHeld()).as("is still renewed").isTrue();
		reentered.close();
		own.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void stopWaitsForOtherThreadsAfterCallingThreadHasLostLock() throws Exception {
		LockHandle other = this.firstInstance.ask(LockRequest.of("stock")).join();
		LockHandle another = this.firstInstance.ask(LockRequest.of("prices")).join();
		LockHandle own = this.firstInstance.engine.acquire(ORDERS);
		CompletableFuture<Void> drained = this.firstInstance.engine.stop().toCompletableFuture();
		this.firstInstance.engine.lose(KEY, own.fencingToken(), LockLoss.Reason.FORCED);
		other.close();
		assertThat(drained).isNotDone();
		another.close();
		assertThat(drained).isCompleted();
		own.close();
	}

	@Test
	void stopWaitsForReleaseOfCallingThread() throws Exception {
		LockHandle own = this.firstInstance.engine.acquire(ORDERS);
		this.store.hold = true;
		CompletableFuture<Void> closing = own.closeAsync();
		CompletableFuture<Void> drained = this.firstInstance.engine.stop().toCompletableFuture();
		assertThat(drained).isNotDone();
		this.store.deliver();
		assertThat(drained).isCompleted();
		assertThat(closing).isCompleted();
	}

	@Test
	void severalStopsWaitForSamePendingRelease() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.hold = true;
		CompletableFuture<Void> closing = handle.closeAsync();
		List<CompletableFuture<Void>> drained = List.of(this.firstInstance.engine.stop().toCompletableFuture(),
				this.firstInstance.engine.stop().toCompletableFuture());
		assertThat(drained).noneMatch(CompletableFuture::isDone);
		this.store.deliver();
		assertThat(drained).allMatch(CompletableFuture::isDone);
		assertThat(closing).isCompleted();
	}

}
