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

package io.github.watchdoglock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link FakeLockService}, as a user writes them.
 */
class FakeLockServiceTests {

	private static final LockKey PHONE = LockKey.of("flash-sale", "phone");

	private static final LockKey TABLET = LockKey.of("flash-sale", "tablet");

	@AutoClose
	private final FakeLockService lockService = new FakeLockService();

	private final Checkout checkout = new Checkout(this.lockService);

	@Test
	void executeHoldsLockOnlyDuringAction() {
		assertThat(this.checkout.buy("phone", () -> this.lockService.locks().isTaken(PHONE)))
			.as("key is held while the action runs (line 60: after execute)")
			.isTrue();
		assertThat(this.lockService.locks().acquired()).containsExactly(PHONE);
		assertThat(this.lockService.locks().isTaken(PHONE)).isFalse();
	}

	@Test
	void executeFailsAtOnceWhileOtherInstanceHoldsLock() {
		LockHandle elsewhere = this.lockService.locks().holdElsewhere(PHONE);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.checkout.buy("phone", () -> true))
			.satisfies((ex) -> assertThat(ex.getWaited()).isZero());
		elsewhere.close();
		assertThat(this.checkout.buy("phone", () -> true)).isTrue();
	}

	@Test
	void executeFailsWhenLockIsLostDuringAction() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.checkout.buy("phone", () -> {
			this.lockService.locks().lose(PHONE);
			return true;
		}));
	}

	@Test
	void readersOfOtherInstanceExcludeWritersButNotReaders() throws InterruptedException {
		LockRequest writing = LockRequest.of(PHONE);
		LockRequest reading = writing.withMode(LockMode.READ);
		this.lockService.locks().holdElsewhere(reading);
		this.lockService.locks().holdElsewhere(reading);
		assertThat(this.lockService.tryAcquire(reading)).hasValueSatisfying(LockHandle::close);
		assertThat(this.lockService.tryAcquire(writing)).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> this.lockService.locks().holdElsewhere(writing))
			.withMessageContaining("held by another instance");
	}

	@Test
	void readerExcludesWritersButNotReadersOfOtherInstance() throws InterruptedException {
		LockRequest reading = LockRequest.of(PHONE).withMode(LockMode.READ);
		try (LockHandle handle = this.lockService.acquire(reading)) {
			assertThat(this.lockService.locks().holdElsewhere(reading).isHeld()).isTrue();
			assertThatIllegalStateException().isThrownBy(() -> this.lockService.locks().holdElsewhere(PHONE));
			assertThat(handle.isHeld()).isTrue();
		}
	}

	@Test
	void otherInstanceAndApplicationSharePermitsUpToLimit() throws InterruptedException {
		LockRequest permit = LockRequest.of(PHONE).withPermits(3);
		this.lockService.locks().holdElsewhere(permit);
		LockHandle second = this.lockService.locks().holdElsewhere(permit);
		try (LockHandle third = this.lockService.acquire(permit)) {
			assertThat(third.isHeld()).isTrue();
			assertThatIllegalStateException().isThrownBy(() -> this.lockService.locks().holdElsewhere(permit));
		}
		this.lockService.locks().holdElsewhere(permit);
		assertThat(this.lockService.tryAcquire(permit)).isEmpty();
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.lockService.locks().holdElsewhere(PHONE));
		second.close();
		assertThat(this.lockService.tryAcquire(permit)).hasValueSatisfying(LockHandle::close);
	}

	@Test
	void requestWithWaitTimeIsGrantedAfterRelease() throws InterruptedException {
		LockHandle elsewhere = this.lockService.locks().holdElsewhere(PHONE);
		CompletableFuture<LockHandle> coming = this.lockService
			.acquireAsync(LockRequest.of(PHONE).withWaitTime(Duration.ofSeconds(10)));
		assertThat(coming).isNotDone();
		elsewhere.close();
		assertThat(coming).succeedsWithin(Duration.ofSeconds(5)).satisfies((handle) -> {
			assertThat(handle.isHeld()).isTrue();
			handle.close();
		});
		assertThat(this.lockService.tryAcquire(LockRequest.of(PHONE))).hasValueSatisfying(LockHandle::close);
	}

	@Test
	void acquireAllAcquiresAllLocksOrNone() throws InterruptedException {
		List<LockRequest> both = List.of(LockRequest.of(TABLET), LockRequest.of(PHONE));
		try (LockHandles handles = this.lockService.acquireAll(both)) {
			assertThat(handles.isHeld()).isTrue();
		}
		this.lockService.locks().holdElsewhere(TABLET);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.lockService.acquireAll(both));
		assertThat(this.lockService.locks().isTaken(PHONE)).isFalse();
	}

	@Test
	void lockViewLocalLocksAndOperatorsShareLocks() throws InterruptedException {
		Lock lock = this.lockService.asLock(LockRequest.of(PHONE));
		assertThat(lock.tryLock()).isTrue();
		LockHandle handle = this.lockService.localLocks().current(PHONE).orElseThrow();
		assertThat(this.lockService.find(PHONE))
			.hasValueSatisfying((state) -> assertThat(state.token()).isEqualTo(handle.fencingToken()));
		lock.unlock();
		assertThat(this.lockService.find(PHONE)).isEmpty();
		try (LockHandle taken = this.lockService.acquire(LockRequest.of(PHONE))) {
			assertThat(this.lockService.forceRelease(PHONE)).isTrue();
			assertThat(taken.isHeld()).isFalse();
		}
		assertThat(this.lockService.forceRelease(PHONE)).isFalse();
	}

	@Test
	void fakeServicesHoldSameKeyIndependently() throws InterruptedException {
		try (FakeLockService another = new FakeLockService();
				LockHandle mine = this.lockService.acquire(LockRequest.of(PHONE));
				LockHandle theirs = another.acquire(LockRequest.of(PHONE))) {
			assertThat(mine.isHeld()).isTrue();
			assertThat(theirs.isHeld()).isTrue();
			assertThat(another.locks().acquired()).containsExactly(PHONE);
		}
	}

	@Test
	void closeEndsHoldOfOtherInstanceAndRejectsRequests() {
		FakeLockService closed = new FakeLockService();
		LockHandle elsewhere = closed.locks().holdElsewhere(PHONE);
		closed.close();
		assertThat(elsewhere.isHeld()).isFalse();
		assertThatExceptionOfType(LockServiceClosedException.class)
			.isThrownBy(() -> closed.acquire(LockRequest.of(PHONE)));
	}

	record Checkout(LockService lockService) {

		boolean buy(String sku, Payment payment) {
			return this.lockService.execute(LockRequest.of("flash-sale", sku).withOnLoss(OnLoss.FAIL),
					(handle) -> payment.take());
		}

	}

	interface Payment {

		boolean take();

	}

}
