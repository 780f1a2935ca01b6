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

package io.github.watchdoglock.disabled;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link UnguardedLockService}.
 */
class UnguardedLockServiceTests {

	private static final LockRequest ORDERS = LockRequest.of("orders");

	private final UnguardedLockService service = new UnguardedLockService(InstantSource.fixed(Instant.ofEpochMilli(5)));

	@Test
	void secondCallerGetsHeldLockWithHigherToken() {
		LockHandle mine = this.service.acquire(ORDERS);
		LockHandle theirs = CompletableFuture.supplyAsync(() -> this.service.acquire(ORDERS)).join();
		assertThat(mine.fencingToken()).isGreaterThan(5000);
		assertThat(theirs.fencingToken()).isGreaterThan(mine.fencingToken());
		assertThat(mine.isHeld()).isTrue();
		assertThat(theirs.isHeld()).isTrue();
	}

	@Test
	void reentryKeepsTokenAndAddsHandle() {
		try (LockHandle outer = this.service.acquire(ORDERS); LockHandle inner = this.service.acquire(ORDERS)) {
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			assertThat(this.service.localLocks().current()).as("handles of this thread after a re-entry").hasSize(2);
		}
		assertThat(this.service.localLocks().current()).isEmpty();
	}

	@Test
	void closedHandleIsNotHeldAndHasNoRemainingTime() {
		LockHandle handle = this.service.tryAcquire(ORDERS).orElseThrow();
		handle.close();
		assertThat(handle.isHeld()).isFalse();
		assertThat(handle.remaining()).isZero();
	}

	@Test
	void currentLocksOmitHandleClosedOrDetachedByOtherThread() {
		LockHandle closed = this.service.acquire(ORDERS);
		LockHandle detached = this.service.acquire(ORDERS);
		List<LockHandle> before = this.service.localLocks().current();
		CompletableFuture.runAsync(closed::close).thenRunAsync(detached::detach).join();
		assertThat(before).containsExactly(closed, detached);
		assertThat(this.service.localLocks().current()).isEmpty();
		assertThat(detached.isHeld()).isTrue();
	}

	@Test
	void asynchronousHandleBelongsToNoThread() {
		assertThat(this.service.acquireAsync(ORDERS)).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(this.service.localLocks().current()).isEmpty();
	}

	@Test
	void executeReturnsResultOfCallback() {
		assertThat(this.service.<String, RuntimeException>execute(ORDERS, (handle) -> "done")).isEqualTo("done");
	}

	@Test
	void executeWithoutResultRunsActionAndClosesHandle() {
		List<Long> tokens = new ArrayList<>();
		this.service.executeWithoutResult(ORDERS, (handle) -> tokens.add(handle.fencingToken()));
		assertThat(tokens).hasSize(1);
		assertThat(this.service.localLocks().current()).isEmpty();
	}

	@Test
	void acquireAllGrantsLocksInOrderOfKeysAndRejectsEmptyList() {
		try (LockHandles handles = this.service.acquireAll(List.of(LockRequest.of("orders", "2"), ORDERS))) {
			assertThat(this.service.localLocks().current()).extracting(LockHandle::key)
				.containsExactly(LockKey.of("orders"), LockKey.of("orders", "2"));
			assertThat(handles.isHeld()).isTrue();
			assertThat(handles.get(ORDERS.key()).isHeld()).isTrue();
		}
		assertThat(this.service.localLocks().current()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> this.service.acquireAll(List.of()));
	}

	@Test
	void tryLockOfViewSucceedsWhileOtherThreadHoldsLock() {
		Lock lock = this.service.asLock(ORDERS);
		lock.lock();
		assertThat(CompletableFuture.supplyAsync(lock::tryLock).join())
			.as("another thread gets the lock that this thread holds")
			.isTrue();
	}

	@Test
	void findReturnsEmptyAndForceReleaseReturnsFalse() {
		assertThat(this.service.find(LockKey.of("orders"))).isEmpty();
		assertThat(this.service.forceRelease(LockKey.of("orders"))).isFalse();
	}

	@Test
	void ensureHeldPassesWhenLockIsNotHeld() {
		this.service.localLocks().ensureHeld(LockKey.of("orders"));
	}

	@Test
	void tryExecuteRunsWorkAndClosesHandle() {
		assertThat(this.service.tryExecute(ORDERS, LockHandle::isHeld)).contains(true);
		assertThat(this.service.localLocks().current()).as("the locks after the work").isEmpty();
	}

}
