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

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.store.ReleaseCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Handles, threads and what they share.
 */
@SuppressWarnings({ "FutureReturnValueIgnored", "LockNotBeforeTry" })
class HoldTests extends TwoInstances {

	private static final LockRequest ORDERS = LockRequest.of("orders");

	private static final LockRequest ONCE = ORDERS.withWaitTime(Duration.ZERO);

	@Test
	void reEntryIsTheSameHoldWithAHandleOfItsOwnAndAsksNobody() throws Exception {
		LockHandle outer = this.test.engine.acquire(ORDERS);
		this.store.commands.clear();
		for (int i = 0; i < 200; i++) {
			LockHandle inner = this.test.engine.acquire(ONCE.withLease(Lease.fixed(Duration.ofSeconds(1))));
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			assertThat(inner.remaining()).isEqualTo(outer.remaining());
			inner.close();
			assertThat(inner.isHeld()).isFalse();
		}
		assertThat(outer.isHeld()).isTrue();
		assertThat(this.store.commands).isEmpty();
		assertThat(this.test.pendingAlarms()).isOne();
	}

	@Test
	void theHoldEndsWithTheLastCloseInWhateverOrder() throws Exception {
		LockHandle outer = this.test.engine.acquire(ORDERS);
		LockHandle inner = this.test.engine.acquire(ORDERS);
		outer.close();
		outer.close();
		assertThat(outer.isHeld()).isFalse();
		assertThat(inner.isHeld()).isTrue();
		assertThat(this.test.engine.find(LockKey.of("orders"))).isPresent();
		inner.close();
		assertThat(this.test.engine.find(LockKey.of("orders"))).isEmpty();
		assertThat(this.store.count(ReleaseCommand.class)).isOne();
	}

	@Test
	void anotherThreadDoesNotReEnter() throws Exception {
		this.test.engine.acquire(ORDERS);
		assertThat(CompletableFuture.supplyAsync(() -> tryAcquire(ONCE)).get(5, TimeUnit.SECONDS)).isFalse();
	}

	@Test
	void aDetachedHandleIsNotReEnteredAndAnyThreadClosesIt() throws Exception {
		LockHandle handle = this.test.engine.acquire(ORDERS).detach();
		assertThat(this.test.engine.current()).isEmpty();
		assertThat(this.test.engine.tryAcquire(ONCE)).isEmpty();
		CompletableFuture.runAsync(handle::close).get(5, TimeUnit.SECONDS);
		assertThat(handle.isHeld()).isFalse();
		assertThat(this.test.engine.tryAcquire(ONCE)).isPresent();
	}

	@Test
	void aThreadThatKeepsAnAttachedHandleStillReEnters() throws Exception {
		LockHandle detached = this.test.engine.acquire(ORDERS);
		LockHandle attached = this.test.engine.acquire(ORDERS);
		detached.detach();
		LockHandle third = this.test.engine.acquire(ONCE);
		assertThat(third.fencingToken()).isEqualTo(attached.fencingToken());
		third.close();
		attached.close();
		assertThat(this.test.engine.tryAcquire(ONCE)).isEmpty();
		detached.close();
	}

	@Test
	void anAsynchronousCallByTheHoldingThreadIsAnotherHandleOnItsHold() throws Exception {
		LockHandle outer = this.test.engine.acquire(ORDERS);
		LockHandle detached = this.test.ask(ORDERS).get(1, TimeUnit.SECONDS);
		assertThat(detached.fencingToken()).isEqualTo(outer.fencingToken());
		outer.close();
		assertThat(detached.isHeld()).isTrue();
		detached.close();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void theThreadSeesItsOpenHandlesOutermostFirst() throws Exception {
		LockHandle orders = this.test.engine.acquire(ORDERS);
		LockHandle stock = this.test.engine.acquire(LockRequest.of("stock", "7"));
		assertThat(this.test.engine.current()).containsExactly(orders, stock);
		this.test.engine.ensureHeld();
		CompletableFuture.runAsync(orders::close).get(5, TimeUnit.SECONDS);
		assertThat(this.test.engine.current()).containsExactly(stock);
		stock.close();
		assertThat(this.test.engine.current()).isEmpty();
	}

	@Test
	void theListShowsWhatIsHeldAndWaitedFor() throws Exception {
		this.test.engine.acquire(ORDERS);
		this.test.ask(LockRequest.of("stock", "7"));
		this.ticker.advance(Duration.ofSeconds(3));
		CompletableFuture.runAsync(() -> this.test.ask(ORDERS)).get(5, TimeUnit.SECONDS);
		assertThat(this.test.engine.list()).hasSize(3).anySatisfy((held) -> {
			assertThat(held.key()).isEqualTo(LockKey.of("orders"));
			assertThat(held.status()).isEqualTo(LockSnapshot.Status.HELD);
			assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(held.elapsed()).isEqualTo(Duration.ofSeconds(3));
			assertThat(held.remaining()).isEqualTo(Duration.ofMillis(21_700));
			assertThat(held.waiting()).isOne();
		}).anySatisfy((held) -> {
			assertThat(held.key()).isEqualTo(LockKey.of("stock", "7"));
			assertThat(held.thread()).isNull();
		}).anySatisfy((waits) -> assertThat(waits.status()).isEqualTo(LockSnapshot.Status.WAITING));
	}

	@Test
	void executeClosesWhateverHappens() {
		assertThat(this.test.engine.<String, RuntimeException>execute(ORDERS, (handle) -> {
			assertThat(handle.isHeld()).isTrue();
			return "done";
		})).isEqualTo("done");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.test.engine.execute(ORDERS, (handle) -> {
			throw new IOException("from the work");
		}));
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void anActionRunsUnderTheLockAsACallbackDoes() {
		AtomicLong token = new AtomicLong();
		this.test.engine.executeWithoutResult(ORDERS, (handle) -> {
			assertThat(handle.isHeld()).isTrue();
			token.set(handle.fencingToken());
		});
		assertThat(token).hasPositiveValue();
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.test.engine.executeWithoutResult(ORDERS, (handle) -> {
				throw new IOException("from the work");
			}));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.test.engine.executeWithoutResult(ORDERS.withOnLoss(OnLoss.FAIL),
					(handle) -> this.test.engine.forceRelease(handle.key())));
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void anInterruptOfTheWorkIsTheWorksOwn() {
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.test.engine.execute(ORDERS, (handle) -> {
				throw new InterruptedException("from the work");
			}))
			.withMessage("from the work");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class)
			.isThrownBy(() -> this.test.engine.execute(ORDERS, (handle) -> "never"));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void anInterruptedThreadStillReleases() throws Exception {
		LockHandle handle = this.test.engine.acquire(ORDERS);
		Thread.currentThread().interrupt();
		handle.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.test.engine.find(LockKey.of("orders"))).isEmpty();
	}

	@Test
	void closeAsyncIsCompleteWhenTheStoreKnows() throws Exception {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.hold = true;
		CompletableFuture<Void> closing = handle.closeAsync();
		CompletableFuture<Void> again = handle.closeAsync();
		assertThat(closing).isNotDone();
		assertThat(again).isNotDone();
		this.store.deliver();
		closing.get(1, TimeUnit.SECONDS);
		again.get(1, TimeUnit.SECONDS);
	}

	@Test
	void aLeaseThatIsTooShortIsRefused() {
		LockRequest request = ORDERS.withLease(Lease.renewed(Duration.ofMillis(999)));
		assertThatIllegalArgumentException().isThrownBy(() -> this.test.engine.acquire(request))
			.withMessageContaining("watchdog-lock.min-lease-time");
		assertThat(this.test.ask(request)).isCompletedExceptionally();
	}

	@Test
	void theViewIsALockByItsThread() throws Exception {
		Lock lock = this.test.engine.asLock(ORDERS);
		lock.lock();
		assertThat(lock.tryLock()).isTrue();
		assertThat(CompletableFuture.supplyAsync(lock::tryLock).get(5, TimeUnit.SECONDS)).isFalse();
		lock.unlock();
		lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
		Thread.currentThread().interrupt();
		lock.lock();
		assertThat(Thread.interrupted()).isTrue();
		lock.unlock();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void aHandleOfAnEndedHoldStaysClosed() {
		LockHandle first = this.test.ask(ORDERS).join();
		first.close();
		LockHandle second = this.test.ask(ORDERS).join();
		first.close();
		first.detach();
		assertThat(second.isHeld()).isTrue();
		assertThat(first.remaining()).isZero();
	}

	private boolean tryAcquire(LockRequest request) {
		try {
			return this.test.engine.tryAcquire(request).isPresent();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
