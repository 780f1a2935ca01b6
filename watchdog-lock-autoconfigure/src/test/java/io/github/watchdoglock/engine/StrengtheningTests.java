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
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What the lease of a re-entry means to the hold: tests for {@link GrantedLease} and
 * {@link Reentry}.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class StrengtheningTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest RENEWED = request(Lease.renewed(Duration.ofSeconds(30)));

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, InstantSource.system());

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final TestEngine test = new TestEngine(this.ticker, this.store, this.memory, this.memory);

	private final TestEngine other = TestEngine.over(this.ticker, this.memory);

	private static LockRequest request(Lease lease) {
		return LockRequest.of(KEY).withLease(lease);
	}

	private static LockRequest fixed(int seconds) {
		return request(Lease.fixed(Duration.ofSeconds(seconds)));
	}

	@Test
	void aRenewedReEntryOfAFixedHoldIsRenewedFromThenOnUntilTheHoldEnds() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.test.pass(Duration.ofSeconds(4));
		LockHandle inner = this.test.engine.acquire(LockRequest.of(KEY));
		assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
		assertThat(inner.remaining()).isEqualTo(Duration.ofMillis(24_700)).isEqualTo(outer.remaining());
		assertThat(remainingInStore()).isEqualTo(Duration.ofSeconds(30));
		assertThat(this.test.engine.list()).extracting(LockSnapshot::lease).containsExactly(RENEWED.lease());
		assertThat(this.store.count(RenewCommand.class)).isOne();
		inner.close();
		this.test.pass(Duration.ofMinutes(2));
		assertThat(outer.isHeld()).isTrue();
		assertThat(this.other.ask(LockRequest.of(KEY).withWaitTime(Duration.ZERO))).isCompletedExceptionally();
		outer.close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
		assertThat(this.test.events.heard).startsWith("acquired", "renewed").endsWith("released");
	}

	@Test
	void aFixedReEntryOfAShorterFixedHoldHasItsFullLeaseAndIsNotRenewed() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.test.pass(Duration.ofSeconds(4));
		LockHandle inner = this.test.engine.acquire(fixed(20));
		assertThat(inner.remaining()).isEqualTo(Duration.ofMillis(19_800));
		this.test.pass(Duration.ofMillis(19_790));
		assertThat(outer.isHeld()).isTrue();
		this.test.pass(Duration.ofMillis(20));
		assertThat(inner.isHeld()).isFalse();
		assertThat(this.store.count(RenewCommand.class)).isOne();
		assertThat(this.test.events.heard).containsExactly("acquired", "renewed", "lost: EXPIRED");
	}

	@Test
	void aReEntryThatAsksForNoMoreAsksNobody() throws Exception {
		this.test.engine.acquire(RENEWED);
		long before = this.store.commands.size();
		this.test.engine.acquire(RENEWED);
		this.test.engine.acquire(fixed(30));
		this.test.engine.acquire(request(Lease.renewed(Duration.ofSeconds(10))));
		assertThat(this.test.engine.acquireAsync(fixed(5))).isCompleted();
		assertThat(this.store.commands).hasSize((int) before);
	}

	@Test
	void aLongerLeaseCountsWhetherTheHoldIsRenewedOrTheReEntry() throws Exception {
		LockHandle outer = this.test.engine.acquire(RENEWED);
		this.test.engine.acquire(fixed(60));
		assertThat(outer.remaining()).isEqualTo(Duration.ofMillis(49_400));
		assertThat(this.test.engine.list()).extracting(LockSnapshot::lease)
			.containsExactly(Lease.renewed(Duration.ofMinutes(1)));
		this.test.pass(Duration.ofMinutes(3));
		assertThat(outer.isHeld()).isTrue();
	}

	@Test
	void whatIsHeldAlreadyIsNotCutByTheMarginOfARenewedLease() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(30));
		LockHandle inner = this.test.engine.acquire(RENEWED);
		assertThat(outer.remaining()).isEqualTo(Duration.ofMillis(29_700)).isEqualTo(inner.remaining());
		this.store.down = true;
		this.test.pass(Duration.ofMillis(29_690));
		assertThat(outer.isHeld()).isTrue();
		this.test.pass(Duration.ofMillis(20));
		assertThat(this.test.events.count("lost: EXPIRED")).isOne();
	}

	@Test
	void aMaximumCountsFromTheFirstAcquireAsBefore() throws Exception {
		this.test.engine.acquire(fixed(5).withMaxHoldTime(Duration.ofSeconds(20)));
		this.test.pass(Duration.ofSeconds(4));
		this.test.engine.acquire(RENEWED);
		this.test.pass(Duration.ofSeconds(17));
		assertThat(this.test.events.heard).contains("lost: MAX_HOLD");
	}

	@Test
	void aReEntryThatTheStoreDoesNotConfirmFailsAndTheHoldGoesOnAsItWas() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.store.down = true;
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.test.engine.acquire(RENEWED.withMinHoldTime(Duration.ofMinutes(10))))
			.withMessageContaining("'orders'")
			.withMessageEndingWith("could not be extended: down");
		this.store.down = false;
		assertThat(this.test.engine.current()).containsExactly(outer);
		assertThat(outer.remaining()).isEqualTo(Duration.ofMillis(4_950));
		assertThat(this.test.events.heard).containsExactly("acquired", "renewal failed");
		outer.close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void theMinimumOfAStrongerReEntryAppliesOnceTheStoreHasConfirmedIt() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.test.engine.acquire(RENEWED.withMinHoldTime(Duration.ofMinutes(10))).close();
		outer.close();
		assertThat(this.other.engine.find(KEY)).isPresent();
	}

	@Test
	void aKeyThatAnUnconfirmedReEntryKeepsIsReleasedWhenTheFixedHoldIsOver() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.store.loseAnswers = true;
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.test.engine.acquire(RENEWED));
		this.store.loseAnswers = false;
		assertThat(remainingInStore()).isEqualTo(Duration.ofSeconds(30));
		this.test.pass(Duration.ofSeconds(5));
		assertThat(outer.isHeld()).isFalse();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aReEntryThatFindsTheKeyGoneIsALoss() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		StoreFaults.expireLease(this.memory, KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.test.engine.acquire(RENEWED))
			.withMessageContaining("gone")
			.withMessageEndingWith("then acquire it anew");
		assertThat(outer.isHeld()).isFalse();
		assertThat(this.test.events.heard).containsExactly("acquired", "lost: GONE");
		outer.close();
		this.test.engine.acquire(RENEWED).close();
	}

	@Test
	void anAnswerThatComesWhenTheHoldIsOverRevivesNothing() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.store.hold = true;
		CompletableFuture<LockHandle> inner = this.test.engine.acquireAsync(RENEWED);
		this.ticker.advance(Duration.ofMillis(4_960));
		this.store.deliver();
		assertThat(inner).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(inner::join)
			.withCauseInstanceOf(LockLostException.class);
		assertThat(outer.loss()).map(LockLoss::reason).contains(LockLoss.Reason.EXPIRED);
		assertThat(this.test.events.heard).containsExactly("acquired", "lost: EXPIRED");
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.test.events.count("lost: EXPIRED")).isOne();
	}

	@Test
	void anAsynchronousReEntryIsCompleteWhenItHasItsLease() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.store.hold = true;
		CompletableFuture<LockHandle> inner = this.test.engine.acquireAsync(RENEWED);
		outer.close();
		assertThat(inner).isNotDone();
		this.store.deliver();
		assertThat(inner.join().remaining()).isEqualTo(Duration.ofMillis(24_700));
		this.test.pass(Duration.ofMinutes(1));
		assertThat(inner.join().isHeld()).isTrue();
		inner.join().close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void anAsynchronousReEntryThatIsGivenUpHoldsNothing() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.store.hold = true;
		CompletableFuture<LockHandle> inner = this.test.engine.acquireAsync(RENEWED);
		inner.cancel(false);
		this.store.deliver();
		assertThat(outer.isHeld()).isTrue();
		outer.close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void anInterruptEndsTheWaitForTheAnswerAndTheReEntryHoldsNothing() throws Exception {
		CompletableFuture<LockHandle> acquired = new CompletableFuture<>();
		AtomicReference<Throwable> ended = new AtomicReference<>();
		Thread thread = new Thread(() -> {
			try {
				acquired.complete(this.test.engine.acquire(fixed(5)));
				this.store.hold = true;
				this.test.engine.acquire(RENEWED);
			}
			catch (InterruptedException | RuntimeException ex) {
				ended.set(ex);
			}
			acquired.join().detach();
		});
		thread.start();
		await().until(() -> this.store.count(RenewCommand.class) == 1);
		thread.interrupt();
		thread.join();
		assertThat(ended.get()).isInstanceOf(InterruptedException.class);
		this.store.deliver();
		assertThat(acquired.join().isHeld()).isTrue();
		acquired.join().close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aHoldThatIsClosedMeanwhileIsReleasedBehindTheRenewal() throws Exception {
		LockHandle handle = this.test.ask(fixed(5)).join();
		this.store.hold = true;
		CompletableFuture<Void> strengthened = handle.extend(Lease.renewed(Duration.ofSeconds(30)));
		CompletableFuture<Void> closed = handle.closeAsync();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(strengthened).isCompletedExceptionally();
		assertThat(this.other.engine.find(KEY)).isEmpty();
		assertThat(this.test.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void twoThatAskForMoreAtTheSameTimeBothHaveIt() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(5));
		this.store.hold = true;
		CompletableFuture<LockHandle> longer = this.test.engine.acquireAsync(fixed(60));
		CompletableFuture<LockHandle> renewed = this.test.engine.acquireAsync(RENEWED);
		this.store.deliver();
		assertThat(longer).isCompleted();
		assertThat(renewed).isCompleted();
		assertThat(this.test.engine.list()).extracting(LockSnapshot::lease)
			.containsExactly(Lease.renewed(Duration.ofMinutes(1)));
		assertThat(outer.remaining()).isEqualTo(Duration.ofMillis(59_400));
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(3);
	}

	@Test
	void theNextCallerHasItsOwnLeaseAgain() throws Exception {
		LockHandle outer = this.test.ask(fixed(5)).join();
		CompletableFuture<LockHandle> next = this.test.ask(fixed(5));
		assertThat(outer.extend(Lease.renewed(Duration.ofMinutes(1)))).isCompleted();
		outer.close();
		assertThat(next.join().remaining()).isEqualTo(Duration.ofMillis(4_950));
		this.test.pass(Duration.ofSeconds(5));
		assertThat(next.join().isHeld()).isFalse();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void theNextCallerHasTheMarginOfItsOwnLeaseThoughTheHoldKeptAnother() throws Exception {
		LockHandle outer = this.test.ask(fixed(30)).join();
		CompletableFuture<LockHandle> next = this.test.ask(RENEWED);
		assertThat(outer.extend(RENEWED.lease())).isCompleted();
		this.ticker.advance(Duration.ofSeconds(4));
		outer.close();
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(2);
		assertThat(next.join().remaining()).isEqualTo(Duration.ofMillis(24_700));
	}

	@Test
	void aKeyThatAnUnconfirmedRenewalOfTheSameLengthKeepsIsReleasedWhenTheFixedHoldIsOver() throws Exception {
		LockHandle outer = this.test.engine.acquire(fixed(30));
		this.test.pass(Duration.ofSeconds(20));
		this.store.loseAnswers = true;
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.test.engine.acquire(RENEWED));
		this.store.loseAnswers = false;
		this.test.pass(Duration.ofSeconds(10));
		assertThat(outer.isHeld()).isFalse();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void theStoreHasTheTimeOutOfTheLongerLeaseToConfirmIt() throws Exception {
		CompletableFuture<LockHandle> inner = CompletableFuture.supplyAsync(() -> {
			try {
				this.test.engine.acquire(fixed(20));
				this.store.hold = true;
				return this.test.engine.acquire(request(Lease.renewed(Duration.ofSeconds(1))));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		await().until(() -> this.store.count(RenewCommand.class) == 1);
		// More than two time-outs of the shorter lease, less than one of the longer.
		await().pollDelay(Duration.ofMillis(600)).until(() -> true);
		this.store.deliver();
		assertThat(inner.get(5, TimeUnit.SECONDS).isHeld()).isTrue();
	}

	@Test
	void aReleaseComesBehindHoweverManyRenewals() {
		LockHandle handle = this.test.ask(fixed(5)).join();
		this.store.hold = true;
		for (int i = 0; i < 256; i++) {
			handle.extend(Lease.renewed(Duration.ofSeconds(30)));
		}
		CompletableFuture<Void> closed = handle.closeAsync();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void onlyAnOpenHandleThatIsHeldIsStrengthened() throws Exception {
		Lease renewed = Lease.renewed(Duration.ofSeconds(30));
		LockHandle handle = this.test.ask(fixed(5)).join();
		handle.close();
		assertThat(handle.extend(renewed)).failsWithin(1, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(IllegalStateException.class);
		LockHandle lost = this.test.ask(fixed(5)).join();
		this.ticker.advance(Duration.ofSeconds(5));
		assertThat(lost.extend(renewed)).failsWithin(1, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(LockLostException.class);
		assertThat(this.store.count(RenewCommand.class)).isZero();
	}

	private Duration remainingInStore() {
		return this.other.engine.find(KEY).orElseThrow().remaining();
	}

}
