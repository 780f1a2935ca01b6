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
import java.util.Optional;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.StoreFaults;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class TryAcquireTests extends TwoInstances {

	private long elapsed(Runnable work) {
		long begun = this.ticker.read();
		work.run();
		return this.ticker.read() - begun;
	}

	private Optional<String> tryExecute(String result) {
		return this.firstInstance.engine.tryExecute(ORDERS, (handle) -> result);
	}

	@Test
	void busyLockIsNotWaitedForWithoutWaitTime() throws Exception {
		LockHandle held = this.secondInstance.engine.acquire(ORDERS);
		long begun = this.ticker.read();
		assertThat(this.firstInstance.engine.tryAcquire(ORDERS)).isEmpty();
		assertThat(this.ticker.read()).as("the time afterwards").isEqualTo(begun);
		held.close();
		assertThat(this.firstInstance.engine.tryAcquire(ORDERS)).hasValueSatisfying(LockHandle::close);
	}

	@Test
	void busyLockIsWaitedForWithWaitTime() throws Exception {
		LockHandle held = this.secondInstance.engine.acquire(ORDERS);
		long begun = this.ticker.read();
		assertThat(this.firstInstance.engine.tryAcquire(ORDERS.withWaitTime(Duration.ofSeconds(3)))).isEmpty();
		assertThat(Duration.ofNanos(this.ticker.read() - begun)).isEqualTo(Duration.ofSeconds(3));
		held.close();
	}

	@Test
	void workRunsUnderFreeLockAndReturnsItsResult() {
		assertThat(this.firstInstance.engine.tryExecute(ORDERS, (handle) -> handle.isHeld())).contains(true);
		assertThat(this.secondInstance.engine.find(KEY)).as("the lock after the work").isEmpty();
	}

	@Test
	void workIsSkippedWithoutWaitingIfLockIsBusy() throws Exception {
		LockHandle held = this.secondInstance.engine.acquire(ORDERS);
		assertThat(elapsed(() -> assertThat(tryExecute("run")).isEmpty())).isZero();
		assertThat(this.firstInstance.engine.tryExecuteWithoutResult(ORDERS, (handle) -> {
			throw new AssertionError("run without the lock");
		})).as("whether it has run").isFalse();
		held.close();
		assertThat(this.firstInstance.engine.tryExecuteWithoutResult(ORDERS, (handle) -> {
		})).as("whether it has run").isTrue();
	}

	@Test
	void notAcquiredExceptionThrownByWorkIsPropagated() {
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.firstInstance.engine.tryExecute(ORDERS, (handle) -> {
				throw new LockNotAcquiredException(KEY, Duration.ZERO, null, null);
			}));
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullResultOfWorkFailsAfterLockIsReleased() {
		assertThatNullPointerException()
			.isThrownBy(() -> this.firstInstance.engine.tryExecute(ORDERS, (handle) -> null))
			.withMessageContaining("tryExecuteWithoutResult");
		assertThat(this.secondInstance.engine.find(KEY)).as("the lock after the work").isEmpty();
	}

	@Test
	void lossFailsExecutionIfRequestHasOnLossFail() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.firstInstance.engine.tryExecute(ORDERS.withOnLoss(OnLoss.FAIL), (handle) -> {
				StoreFaults.forget(this.memory, KEY);
				this.ticker.advance(Duration.ofMinutes(1));
				return handle;
			}));
	}

	@Test
	void interruptedThreadFailsAndKeepsItsInterruptFlag() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> tryExecute("run"));
		assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
	}

}
