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
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the effect of a lost lock on the work under it.
 */
class OnLossTests extends TwoInstances {

	private static final LockRequest INTERRUPT = ORDERS.withOnLoss(OnLoss.INTERRUPT);

	private static final LockRequest FAIL = ORDERS.withOnLoss(OnLoss.FAIL);

	private final LockEngine engine = this.firstInstance.engine;

	@Test
	void threadOfHolderIsInterruptedByLossAndFlagIsClearedByClose() throws Exception {
		LockHandle handle = acquire(INTERRUPT);
		lose();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		handle.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void sleepingThreadOfHolderIsInterruptedByLoss() throws Exception {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		Thread holder = new Thread(() -> {
			try (LockHandle handle = acquire(INTERRUPT)) {
				held.complete(handle);
				SlowWork.take(Duration.ofMinutes(1));
				interrupted.complete(false);
			}
			catch (InterruptedException ex) {
				interrupted.complete(true);
			}
		});
		holder.start();
		held.get(10, TimeUnit.SECONDS);
		lose();
		assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void interruptBeforeLossIsKeptAfterClose() throws Exception {
		LockHandle handle = acquire(INTERRUPT);
		Thread.currentThread().interrupt();
		lose();
		handle.close();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void reentryOfLostHoldThrowsLockLostExceptionDespiteInterrupt() throws Exception {
		LockHandle handle = acquire(INTERRUPT);
		lose();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> acquire(INTERRUPT));
		handle.close();
	}

	@Test
	void interruptIsKeptForOuterHandleWhenInnerHandleIsClosed() throws Exception {
		LockHandle outer = acquire(INTERRUPT);
		LockHandle inner = acquire(INTERRUPT);
		lose();
		inner.close();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		outer.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void lossDoesNotInterruptThreadAfterInterruptingHandleIsClosed() throws Exception {
		LockHandle outer = acquire(ORDERS);
		acquire(INTERRUPT).close();
		lose();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		outer.close();
	}

	@Test
	void lossOfDetachedHandleDoesNotInterruptThread() throws Exception {
		LockHandle handle = acquire(INTERRUPT).detach();
		lose();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(handle.loss()).isPresent();
		handle.close();
	}

	@Test
	void executeFailsInsteadOfReturningResultWhenLockIsLost() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.execute(FAIL, (handle) -> {
			lose();
			return "result";
		})).satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(LockLoss.Reason.FORCED));
	}

	@Test
	void executeFailsWhenLeaseIsGoneAtRelease() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.execute(FAIL, (handle) -> {
			StoreFaults.forget(this.memory, KEY);
			return "result";
		})).withMessageContaining("gone");
	}

	@Test
	void exceptionOfWorkIsThrownInsteadOfLoss() {
		assertThatIllegalStateException().isThrownBy(() -> this.engine.execute(FAIL, (handle) -> {
			lose();
			throw new IllegalStateException("the work's own");
		})).withMessage("the work's own");
	}

	@Test
	void lossIsOnlyReportedByDefaultAndExecuteReturnsResult() {
		String result = this.engine.execute(ORDERS, (handle) -> {
			lose();
			return "result";
		});
		assertThat(result).isEqualTo("result");
		assertThat(this.firstInstance.events.heard).contains("lost: FORCED");
	}

	@Test
	void commitIsRejectedWhenLockWithOnLossFailIsLost() throws Exception {
		LockHandle other = acquire(LockRequest.of("other"));
		this.engine.ensureCommitAllowed((hold) -> true, List.of(), () -> {
		});
		LockHandle handle = acquire(FAIL);
		this.engine.ensureCommitAllowed((hold) -> true, List.of(), () -> {
		});
		lose();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.engine.ensureCommitAllowed((hold) -> true, List.of(), () -> {
			}))
			.withMessageContaining("orders");
		handle.close();
		this.engine.forceRelease(LockKey.of("other"));
		this.engine.ensureCommitAllowed((hold) -> true, List.of(), () -> {
		});
		other.close();
	}

	@Test
	void commitIsRejectedAfterDeadlineOfLease() throws Exception {
		LockHandle handle = acquire(FAIL);
		this.ticker.advance(Duration.ofSeconds(25));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.engine.ensureCommitAllowed((hold) -> true, List.of(), () -> {
			}))
			.withMessageContaining("expired");
		handle.close();
	}

	private void lose() {
		assertThat(this.engine.forceRelease(KEY)).isTrue();
	}

}
