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
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.support.SlowWork;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What the loss of a lock means to the work under it.
 */
class OnLossTests {

	private static final LockRequest ORDERS = LockRequest.of("orders");

	private static final LockRequest INTERRUPT = ORDERS.withOnLoss(OnLoss.INTERRUPT);

	private static final LockRequest FAIL = ORDERS.withOnLoss(OnLoss.FAIL);

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(this.ticker, InstantSource.system());

	private final TestEngine test = TestEngine.over(this.ticker, this.store);

	private final LockEngine engine = this.test.engine;

	@AfterEach
	void noInterruptIsLeftBehind() {
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void theHoldersThreadIsInterruptedAndTheFlagIsGoneWhenItCloses() throws Exception {
		LockHandle handle = this.engine.acquire(INTERRUPT);
		lose();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		handle.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void aThreadThatSleepsIsWoken() throws Exception {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		Thread holder = new Thread(() -> {
			try (LockHandle handle = this.engine.acquire(INTERRUPT)) {
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
	void anInterruptOfSomebodyElseIsKept() throws Exception {
		LockHandle handle = this.engine.acquire(INTERRUPT);
		Thread.currentThread().interrupt();
		handle.close();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void anInterruptBeforeTheLossIsKept() throws Exception {
		LockHandle handle = this.engine.acquire(INTERRUPT);
		Thread.currentThread().interrupt();
		lose();
		handle.close();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void reEnteringALostHoldFailsByTheLossAndNotByItsInterrupt() throws Exception {
		LockHandle handle = this.engine.acquire(INTERRUPT);
		lose();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.acquire(INTERRUPT));
		handle.close();
	}

	@Test
	void aLossThatOnlyTheClockHasNoticedStaysAnExpiry() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.ticker.advance(Duration.ofSeconds(25));
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.EXPIRED);
		lose();
		assertThat(handle.whenLost().toCompletableFuture().join().reason()).isEqualTo(LockLoss.Reason.EXPIRED);
	}

	@Test
	void theOuterFrameStillSeesTheInterruptWhenAnInnerOneHasClosed() throws Exception {
		LockHandle outer = this.engine.acquire(INTERRUPT);
		LockHandle inner = this.engine.acquire(INTERRUPT);
		lose();
		inner.close();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		outer.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void onlyTheFrameThatAskedForItIsInterrupted() throws Exception {
		LockHandle outer = this.engine.acquire(ORDERS);
		this.engine.acquire(INTERRUPT).close();
		lose();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		outer.close();
	}

	@Test
	void aDetachedHandleInterruptsNobody() throws Exception {
		LockHandle handle = this.engine.acquire(INTERRUPT).detach();
		lose();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(handle.loss()).isPresent();
		handle.close();
	}

	@Test
	void workThatLostItsLockFailsInPlaceOfItsResult() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.execute(FAIL, (handle) -> {
			lose();
			return "result";
		})).satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(LockLoss.Reason.FORCED));
	}

	@Test
	void workWhoseLockWasFoundGoneAtTheEndFailsToo() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.execute(FAIL, (handle) -> {
			StoreFaults.forget(this.store, LockKey.of("orders"));
			return "result";
		})).withMessageContaining("gone");
	}

	@Test
	void anExceptionOfTheWorkIsNotMasked() {
		assertThatIllegalStateException().isThrownBy(() -> this.engine.execute(FAIL, (handle) -> {
			lose();
			throw new IllegalStateException("the work's own");
		})).withMessage("the work's own");
	}

	@Test
	void byDefaultALossIsReportedOnly() {
		String result = this.engine.execute(ORDERS, (handle) -> {
			lose();
			return "result";
		});
		assertThat(result).isEqualTo("result");
		assertThat(this.test.events.heard).contains("lost: FORCED");
	}

	@Test
	void aCommitIsRefusedUnderALostLockThatIsToFail() throws Exception {
		LockHandle other = this.engine.acquire(LockRequest.of("other"));
		this.engine.ensureCommitAllowed();
		LockHandle handle = this.engine.acquire(FAIL);
		this.engine.ensureCommitAllowed();
		lose();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.engine::ensureCommitAllowed)
			.withMessageContaining("orders");
		handle.close();
		this.engine.forceRelease(LockKey.of("other"));
		this.engine.ensureCommitAllowed();
		other.close();
	}

	@Test
	void aCommitIsRefusedFromTheDeadlineOn() throws Exception {
		LockHandle handle = this.engine.acquire(FAIL);
		this.ticker.advance(Duration.ofSeconds(25));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.engine::ensureCommitAllowed)
			.withMessageContaining("expired");
		handle.close();
	}

	@Test
	void aReleasedHoldHasNoLoss() {
		LockHandle handle = this.test.ask(ORDERS).join();
		assertThat(handle.loss()).isEmpty();
		handle.close();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(handle.loss()).isEmpty();
	}

	private void lose() {
		assertThat(this.engine.forceRelease(LockKey.of("orders"))).isTrue();
	}

}
