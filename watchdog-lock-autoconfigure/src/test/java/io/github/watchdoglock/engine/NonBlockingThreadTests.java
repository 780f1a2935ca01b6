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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for requests on a thread that must not block.
 */
class NonBlockingThreadTests extends TwoInstances {

	private final LockService service = this.firstInstance.engine;

	private volatile boolean nonBlocking;

	@BeforeEach
	void rejectBlocking() {
		this.firstInstance.engine.customizations().rejectBlocking(() -> this.nonBlocking);
	}

	@Test
	void acquisitionsThatWouldBlockFailAndSendNothing() {
		this.nonBlocking = true;
		Lock view = this.service.asLock(ORDERS);
		Stream
			.<ThrowingCallable>of(() -> this.service.acquire(ORDERS), () -> this.service.acquire(ONCE),
					() -> this.service.tryAcquire(ONCE), () -> this.service.execute(ORDERS, (handle) -> "run"),
					() -> this.service.executeWithoutResult(ORDERS, LockHandle::detach),
					() -> this.service.acquireAll(List.of(ORDERS, LockRequest.of("stock"))), view::lock,
					view::lockInterruptibly, view::tryLock, () -> view.tryLock(1, TimeUnit.SECONDS),
					() -> this.service.asReadWriteLock(ORDERS).readLock().lock(),
					() -> this.service.asReadWriteLock(ORDERS).writeLock().tryLock())
			.forEach((call) -> assertThatIllegalStateException().isThrownBy(call)
				.withMessageContainingAll(
						"' was requested on thread '" + Thread.currentThread().getName() + "', which must not block",
						"ReactiveLockService"));
		assertThat(this.store.commands).isEmpty();
		this.firstInstance.assertNoKeyInUse();
		assertThat(this.service.acquireAsync(ORDERS)).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void heldLocksAreReenteredCheckedAndReleased() throws Exception {
		Lock view = this.service.asLock(ORDERS);
		LockHandle outer = this.service.acquire(ORDERS);
		assertThat(view.tryLock()).isTrue();
		int sent = this.store.commands.size();
		this.nonBlocking = true;
		this.service.acquire(ORDERS.withWaitTime(Duration.ZERO)).close();
		this.service.acquireAll(List.of(ORDERS)).close();
		assertThat(view.tryLock()).isTrue();
		view.unlock();
		this.firstInstance.engine.localLocks().ensureHeld();
		view.unlock();
		assertThat(this.store.commands).as("nothing was sent").hasSize(sent);
		outer.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

}
