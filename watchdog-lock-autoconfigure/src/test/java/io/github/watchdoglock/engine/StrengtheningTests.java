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

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GrantedLease} and {@link Reentry}: the effect of a re-entry's lease on
 * the hold.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class StrengtheningTests extends TwoInstances {

	private static final LockRequest RENEWED = request(Lease.renewed(Duration.ofSeconds(30)));

	private static LockRequest request(Lease lease) {
		return LockRequest.of(KEY).withLease(lease);
	}

	private static LockRequest fixed(int seconds) {
		return request(Lease.fixed(Duration.ofSeconds(seconds)));
	}

	@Test
	void fixedHoldIsRenewedAfterRenewedReentryUntilItsRelease() throws Exception {
		LockHandle outer = acquire(fixed(5));
		this.firstInstance.pass(Duration.ofSeconds(4));
		LockHandle inner = acquire(ORDERS);
		assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
		assertThat(inner.remaining()).isEqualTo(Duration.ofMillis(24_700)).isEqualTo(outer.remaining());
		assertThat(this.secondInstance.engine.find(KEY).orElseThrow().remaining()).isEqualTo(Duration.ofSeconds(30));
		assertThat(this.firstInstance.engine.localLocks().list()).extracting(LockSnapshot::lease)
			.containsExactly(RENEWED.lease());
		assertThat(this.store.count(RenewCommand.class)).as("as('renewals sent for the re-entry'): one").isOne();
		inner.close();
		this.firstInstance.pass(Duration.ofMinutes(2));
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		assertThat(this.secondInstance.ask(ONCE)).as("as('attempt of the other instance during the hold'): fails")
			.isCompletedExceptionally();
		outer.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertThat(this.firstInstance.events.heard).startsWith("acquired", "renewed").endsWith("released");
	}

	@Test
	void longerFixedReentryExtendsHoldOnceAndIsNotRenewed() throws Exception {
		LockHandle outer = acquire(fixed(5));
		this.firstInstance.pass(Duration.ofSeconds(4));
		LockHandle inner = acquire(fixed(20));
		assertThat(inner.remaining()).isEqualTo(Duration.ofMillis(19_800));
		this.firstInstance.pass(Duration.ofMillis(19_790));
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		this.firstInstance.pass(Duration.ofMillis(20));
		assertThat(inner.isHeld()).as("as('inner handle after the end of its fixed lease'): not held").isFalse();
		assertThat(this.store.count(RenewCommand.class)).isOne();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "renewed", "lost: EXPIRED");
	}

	@Test
	void reentryWithoutStrongerLeaseSendsNoCommand() throws Exception {
		acquire(RENEWED);
		long before = this.store.commands.size();
		acquire(RENEWED);
		acquire(fixed(30));
		acquire(request(Lease.renewed(Duration.ofSeconds(10))));
		assertThat(this.firstInstance.engine.acquireAsync(fixed(5))).isCompleted();
		assertThat(this.store.commands).as("as('commands sent for re-entries that are not stronger'): none")
			.hasSize((int) before);
	}

	@Test
	void renewedHoldIsRenewedWithLongerLeaseOfFixedReentry() throws Exception {
		LockHandle outer = acquire(RENEWED);
		acquire(fixed(60));
		assertThat(outer.remaining()).isEqualTo(Duration.ofMillis(49_400));
		assertThat(this.firstInstance.engine.localLocks().list()).extracting(LockSnapshot::lease)
			.containsExactly(Lease.renewed(Duration.ofMinutes(1)));
		this.firstInstance.pass(Duration.ofMinutes(3));
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
	}

	@Test
	void renewedReentryDoesNotShortenFixedHoldByItsMargin() throws Exception {
		LockHandle outer = acquire(fixed(30));
		assertThat(acquire(RENEWED).remaining()).isEqualTo(Duration.ofMillis(29_700)).isEqualTo(outer.remaining());
		this.store.down = true;
		this.firstInstance.pass(Duration.ofMillis(29_690));
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		this.firstInstance.pass(Duration.ofMillis(20));
		assertThat(this.firstInstance.events.count("lost: EXPIRED")).isOne();
	}

	@Test
	void reentryFailsAndHoldIsUnchangedIfStoreDoesNotConfirm() throws Exception {
		LockHandle outer = acquire(fixed(5));
		this.store.down = true;
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(RENEWED.withMinHoldTime(Duration.ofMinutes(10))))
			.withMessageContaining("'orders'")
			.withMessageEndingWith("could not be extended: down");
		this.store.down = false;
		assertThat(this.firstInstance.engine.localLocks().current()).containsExactly(outer);
		assertThat(outer.remaining()).isEqualTo(Duration.ofMillis(4_950));
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "renewal failed");
		outer.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void minHoldTimeOfConfirmedReentryAppliesAfterClose() throws Exception {
		LockHandle outer = acquire(fixed(5));
		acquire(RENEWED.withMinHoldTime(Duration.ofMinutes(10))).close();
		outer.close();
		assertThat(this.secondInstance.engine.find(KEY))
			.as("as('lease in the store during minHoldTime of the re-entry'): present")
			.isPresent();
	}

	@Test
	void reentryReportsLossWhenLeaseIsGoneInStore() throws Exception {
		LockHandle outer = acquire(fixed(5));
		StoreFaults.forget(this.memory, KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.firstInstance.engine.acquire(RENEWED))
			.withMessageContaining("gone")
			.withMessageEndingWith("then acquire the lock again");
		assertThat(outer.isHeld()).as("'outer' is held").isFalse();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "lost: GONE");
		outer.close();
		acquire(RENEWED).close();
	}

	@Test
	void asynchronousReentryCompletesWhenLeaseIsConfirmed() throws Exception {
		LockHandle outer = acquire(fixed(5));
		this.store.hold = true;
		CompletableFuture<LockHandle> inner = this.firstInstance.engine.acquireAsync(RENEWED);
		outer.close();
		assertThat(inner).isNotDone();
		this.store.deliver();
		assertThat(inner.join().remaining()).isEqualTo(Duration.ofMillis(24_700));
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(inner.join().isHeld()).as("'inner.join' is held").isTrue();
		inner.join().close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void canceledAsynchronousReentryDoesNotKeepLease() throws Exception {
		LockHandle outer = acquire(fixed(5));
		this.store.hold = true;
		this.firstInstance.engine.acquireAsync(RENEWED).cancel(false);
		this.store.deliver();
		assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		outer.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void releaseWaitsForAnswerOfExtensionWhenHandleIsClosed() {
		LockHandle handle = this.firstInstance.ask(fixed(5)).join();
		this.store.hold = true;
		CompletableFuture<Void> strengthened = handle.extend(Lease.renewed(Duration.ofSeconds(30)));
		CompletableFuture<Void> closed = handle.closeAsync();
		assertThat(this.store.count(ReleaseCommand.class))
			.as("as('releases sent before the answer to the extension'): none")
			.isZero();
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(strengthened).isCompletedExceptionally();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void concurrentReentriesGetCombinedStrongerLease() throws Exception {
		LockHandle outer = acquire(fixed(5));
		this.store.hold = true;
		CompletableFuture<LockHandle> longer = this.firstInstance.engine.acquireAsync(fixed(60));
		CompletableFuture<LockHandle> renewed = this.firstInstance.engine.acquireAsync(RENEWED);
		this.store.deliver();
		assertThat(List.of(longer, renewed)).allSatisfy((asked) -> assertThat(asked).isCompleted());
		assertThat(this.firstInstance.engine.localLocks().list()).extracting(LockSnapshot::lease)
			.containsExactly(Lease.renewed(Duration.ofMinutes(1)));
		assertThat(outer.remaining()).isEqualTo(Duration.ofMillis(59_400));
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(3);
	}

	@Test
	void nextCallerHasItsOwnLeaseAfterExtendedHold() {
		LockHandle outer = this.firstInstance.ask(fixed(5)).join();
		CompletableFuture<LockHandle> next = this.firstInstance.ask(fixed(5));
		assertThat(outer.extend(Lease.renewed(Duration.ofMinutes(1)))).isCompleted();
		outer.close();
		assertThat(next.join().remaining()).isEqualTo(Duration.ofMillis(4_950));
		this.firstInstance.pass(Duration.ofSeconds(5));
		assertThat(next.join().isHeld()).as("'next.join' is held").isFalse();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void keyIsReleasedAtEndOfFixedHoldAfterUnconfirmedReentry() throws Exception {
		LockHandle outer = acquire(fixed(30));
		this.firstInstance.pass(Duration.ofSeconds(20));
		this.store.loseAnswers = true;
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(RENEWED));
		this.store.loseAnswers = false;
		this.firstInstance.pass(Duration.ofSeconds(10));
		assertThat(outer.isHeld()).as("'outer' is held").isFalse();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void extendFailsIfHandleIsClosedOrLost() {
		Lease renewed = Lease.renewed(Duration.ofSeconds(30));
		LockHandle handle = this.firstInstance.ask(fixed(5)).join();
		handle.close();
		assertThat(handle.extend(renewed)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(IllegalStateException.class)
			.withMessageContaining("The handle of lock 'orders' is closed");
		LockHandle lost = this.firstInstance.ask(fixed(5)).join();
		this.ticker.advance(Duration.ofSeconds(5));
		assertFailed(lost.extend(renewed), LockLostException.class);
		assertThat(this.store.count(RenewCommand.class)).as("as('renewals sent for closed and lost handles'): none")
			.isZero();
	}

	@Test
	void interruptedReentryThrowsAndDoesNotKeepLease() throws Exception {
		LockHandle outer = acquire(fixed(5));
		this.store.hold = true;
		this.threads.wait = (nanos) -> Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(RENEWED));
		this.store.deliver();
		assertThat(this.firstInstance.engine.localLocks().current()).containsExactly(outer);
		outer.close();
		assertThat(isFree()).isTrue();
	}

	@Test
	void confirmationTimeoutOfReentryIsThatOfLongerLease() throws Exception {
		LockHandle outer = acquire(fixed(20));
		this.store.hold = true;
		this.threads.wait = (nanos) -> this.store.deliver();
		LockHandle inner = acquire(request(Lease.renewed(Duration.ofSeconds(1))));
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(4).toNanos());
		assertThat(inner.isHeld()).as("'inner' is held").isTrue();
		outer.close();
	}

	@Test
	void nextCallerHasMarginOfItsOwnLeaseWithExistingToken() {
		LockHandle blocker = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> first = this.firstInstance.ask(fixed(30).withWaitTime(Duration.ofMinutes(1)));
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		blocker.close();
		assertThat(first).isCompleted();
		assertThat(first.join().extend(RENEWED.lease())).isCompleted();
		assertThat(this.store.count(RenewCommand.class)).isOne();
		this.ticker.advance(Duration.ofSeconds(4));
		first.join().close();
		assertThat(second).isCompleted();
		assertThat(this.store.count(RenewCommand.class)).as("as('renewals after the hand-off to the second caller'): 2")
			.isEqualTo(2);
		assertThat(second.join().remaining()).isEqualTo(Duration.ofMillis(24_700));
	}

}
