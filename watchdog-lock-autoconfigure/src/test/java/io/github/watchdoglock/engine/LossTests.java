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
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How a hold ends that nobody closed.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class LossTests extends TwoInstances {

	private static final LockRequest ORDERS = LockRequest.of("orders");

	@Test
	void aHoldThatCannotBeRenewedIsLostAMarginBeforeTheKeyIsFree() {
		LockHandle handle = this.test.ask(ORDERS).join();
		CompletableFuture<LockLoss> loss = handle.whenLost().toCompletableFuture();
		this.store.down = true;
		// 30 s less a hundredth for drift and a sixth to stop in: 24.7 s.
		this.test.pass(Duration.ofMillis(24_690));
		assertThat(handle.isHeld()).isTrue();
		this.ticker.advance(Duration.ofMillis(10));
		assertThat(handle.isHeld()).isFalse();
		assertThat(loss).isNotDone();
		this.test.turn();
		assertThat(loss.join())
			.isEqualTo(new LockLoss(LockKey.of("orders"), handle.fencingToken(), LockLoss.Reason.EXPIRED));
		assertThat(this.other.engine.find(LockKey.of("orders"))).isPresent();
		assertThat(this.other.ask(ORDERS.withWaitTime(Duration.ZERO))).isCompletedExceptionally();
	}

	@Test
	void aLateAnswerRevivesNothing() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.hold = true;
		this.test.pass(Duration.ofMillis(24_690));
		this.ticker.advance(Duration.ofMillis(20));
		assertThat(handle.isHeld()).isFalse();
		this.store.deliver();
		assertThat(handle.isHeld()).isFalse();
		this.test.turn();
		assertThat(this.test.events.count("lost: EXPIRED")).isOne();
		assertThat(this.test.events.count("renewed")).isZero();
	}

	@Test
	void theDeadlineCountsFromWhenTheCommandWasSent() {
		this.store.hold = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS);
		this.ticker.advance(Duration.ofSeconds(2));
		this.store.deliver();
		assertThat(future.join().remaining()).isEqualTo(Duration.ofMillis(22_700));
	}

	@Test
	void anAnswerThatComesLaterThanItsTimeOutLeavesTheLeaseToBeHadAnew() {
		this.store.hold = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(2))));
		this.ticker.advance(Duration.ofMillis(1_900));
		this.store.deliver();
		assertThat(future.join().remaining()).isEqualTo(Duration.ofMillis(1_980));
	}

	@Test
	void anAnswerThatComesAfterItsOwnDeadlineMakesNoHolder() {
		this.store.hold = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS);
		this.ticker.advance(Duration.ofSeconds(25));
		this.store.deliver();
		// Asked again: the lease is still ours, and now it lasts from this command on.
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
		assertThat(future.join().remaining()).isEqualTo(Duration.ofMillis(24_700));
	}

	@Test
	void aDeletedKeyIsALossAtTheNextRenewal() {
		LockHandle handle = this.test.ask(ORDERS).join();
		StoreFaults.expireLease(this.memory, LockKey.of("orders"));
		this.test.pass(Duration.ofSeconds(10));
		assertThat(handle.isHeld()).isFalse();
		assertThat(this.test.events.heard).contains("lost: GONE");
		assertThat(this.test.events.renewalsGone).hasValue(1);
	}

	@Test
	void aHoldThatHadGoneUnnoticedIsReportedWhenItIsClosed() {
		LockHandle handle = this.test.ask(ORDERS).join();
		StoreFaults.forget(this.memory, LockKey.of("orders"));
		handle.close();
		assertThat(this.test.events.heard).containsExactly("acquired", "lost: GONE");
		assertThat(this.test.events.renewalsGone).hasValue(0);
	}

	@Test
	void aForcedHoldIsLostAtOnce() {
		LockHandle handle = this.test.ask(ORDERS).join();
		assertThat(this.other.engine.forceRelease(LockKey.of("orders"))).isTrue();
		assertThat(handle.isHeld()).isFalse();
		assertThat(this.test.events.heard).contains("lost: FORCED");
		assertThat(this.other.engine.forceRelease(LockKey.of("orders"))).isFalse();
	}

	@Test
	void aHoldThatItsOwnInstanceForcesIsLostAtOnceWithoutAMessage() {
		TestEngine deaf = new TestEngine(this.ticker, this.store, this.memory, new NoWakeUps());
		LockHandle handle = deaf.ask(ORDERS).join();
		assertThat(deaf.engine.forceRelease(LockKey.of("orders"))).isTrue();
		assertThat(handle.isHeld()).isFalse();
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
		assertThat(deaf.events.heard).containsExactly("acquired", "lost: FORCED");
	}

	@Test
	void aForcedHoldIsLostOnceWhenTheMessageComesLaterAndItsSuccessorHereIsNot() {
		TestEngine deaf = new TestEngine(this.ticker, this.store, this.memory, new NoWakeUps());
		LockHandle handle = deaf.ask(ORDERS).join();
		CompletableFuture<LockHandle> next = deaf.ask(ORDERS.withWaitTime(Duration.ofMinutes(5)));
		RenewCommand renewal = renewal(deaf);
		assertThat(deaf.engine.forceRelease(LockKey.of("orders"))).isTrue();
		assertThat(handle.isHeld()).isFalse();
		assertThat(next.join().isHeld()).isTrue();
		deaf.engine.registry.forced(renewal.key(), renewal.attempt());
		assertThat(next.join().isHeld()).isTrue();
		deaf.pass(Duration.ofMinutes(1));
		assertThat(next.join().isHeld()).isTrue();
		assertThat(deaf.events.count("lost: FORCED")).isOne();
		assertThat(deaf.events.count("lost: GONE")).isZero();
	}

	@Test
	void aKeyThatIsForcedBeforeTheAnswerToItsAcquireComesMakesNoHolder() {
		this.store.hold = true;
		CompletableFuture<LockHandle> handle = this.test
			.ask(ORDERS.withLease(Lease.fixed(Duration.ofMinutes(1))).withWaitTime(Duration.ofMinutes(5)));
		assertThat(this.test.engine.forceRelease(LockKey.of("orders"))).isTrue();
		LockHandle somebodyElse = this.other.ask(ORDERS).join();
		this.store.deliver();
		assertThat(handle).isNotDone();
		somebodyElse.close();
		assertThat(handle.join().isHeld()).isTrue();
	}

	/* Which shows the attempt that has the key. */
	private RenewCommand renewal(TestEngine engine) {
		engine.pass(Duration.ofSeconds(10));
		return this.store.sent(RenewCommand.class).get(0);
	}

	@Test
	void aKeyThatIsForcedWhenItIsSomebodyElsesLeavesTheCallersOfThisInstanceAlone() {
		LockHandle handle = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> next = this.test.ask(ORDERS);
		assertThat(this.test.engine.forceRelease(LockKey.of("orders"))).isTrue();
		assertThat(handle.isHeld()).isFalse();
		assertThat(next.join().isHeld()).isTrue();
		assertThat(this.test.events.heard).containsExactly("acquired");
	}

	@Test
	void aHoldWhoseThreadHasEndedIsReleased() throws Exception {
		TestEngine.onThreadThatEnds(() -> this.test.engine.acquire(ORDERS));
		this.test.pass(Duration.ofSeconds(20));
		assertThat(this.test.events.heard).contains("lost: ABANDONED");
		assertThat(this.other.engine.find(LockKey.of("orders"))).isEmpty();
	}

	@Test
	void aDetachedHoldSurvivesItsThread() throws Exception {
		LockHandle handle = TestEngine.onThreadThatEnds(() -> this.test.engine.acquire(ORDERS).detach());
		this.test.pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).isTrue();
	}

	@Test
	void closingALostHoldFreesWhatTheStoreStillKeeps() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.down = true;
		this.test.pass(Duration.ofMillis(24_700));
		assertThat(handle.isHeld()).isFalse();
		this.store.down = false;
		handle.close();
		assertThat(this.other.engine.find(LockKey.of("orders"))).isEmpty();
		assertThat(this.test.events.heard).doesNotContain("released");
	}

	@Test
	void closingALostHoldDoesNotTouchASuccessor() {
		LockHandle lost = this.test.ask(ORDERS).join();
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(31));
		LockHandle successor = this.other.ask(ORDERS).join();
		this.store.down = false;
		lost.close();
		TestEngine.pass(Duration.ofMinutes(1), this.test, this.other);
		assertThat(successor.isHeld()).isTrue();
		assertThat(successor.fencingToken()).isGreaterThan(lost.fencingToken());
	}

	@Test
	void reEnteringALostHoldFails() throws Exception {
		LockHandle lost = this.test.engine.acquire(ORDERS);
		StoreFaults.expireLease(this.memory, LockKey.of("orders"));
		this.test.pass(Duration.ofSeconds(10));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.test.engine.acquire(ORDERS))
			.withMessageContaining("orders")
			.withMessageContaining("gone");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.test.engine.ensureHeld());
		lost.close();
		this.test.engine.ensureHeld();
		this.test.engine.acquire(ORDERS).close();
	}

	@Test
	void anotherCallerOfThisInstanceGetsTheKeyAfterALoss() {
		this.test.ask(ORDERS);
		CompletableFuture<LockHandle> next = this.test.ask(ORDERS.withWaitTime(Duration.ofMinutes(1)));
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(25));
		this.store.down = false;
		assertThat(next).isNotDone();
		this.test.pass(Duration.ofSeconds(7));
		assertThat(next).isCompleted();
	}

	@Test
	void aFixedHoldOfAKeyThatLivesLongerIsReleasedWhenItIsOver() {
		LockHandle blocker = this.other.ask(ORDERS).join();
		// The attempt is made for the first caller, whose lease is long; then it gives up
		// while its grant is under way.
		CompletableFuture<LockHandle> first = this.test.ask(ORDERS.withLease(Lease.renewed(Duration.ofMinutes(5))));
		CompletableFuture<LockHandle> second = this.test.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(2))));
		this.store.hold = true;
		blocker.close();
		first.cancel(false);
		this.store.deliver();
		assertThat(second.join().isHeld()).isTrue();
		assertThat(this.other.engine.find(LockKey.of("orders")).orElseThrow().remaining())
			.isGreaterThan(Duration.ofMinutes(4));
		this.test.pass(Duration.ofSeconds(2));
		assertThat(second.join().isHeld()).isFalse();
		assertThat(this.other.engine.find(LockKey.of("orders"))).isEmpty();
	}

	@Test
	void whenLostOfAHoldThatIsClosedInTimeStaysIncomplete() {
		LockHandle handle = this.test.ask(ORDERS).join();
		CompletableFuture<LockLoss> loss = handle.whenLost().toCompletableFuture();
		handle.close();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(loss).isNotDone();
		assertThat(this.test.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void fixedHoldThatWasHandedOnAndIsLostIsLeftToItsLease() {
		CompletableFuture<LockHandle> first = this.test.ask(ORDERS);
		CompletableFuture<LockHandle> fixed = this.test.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(20))));
		first.join().close();
		this.test.pass(Duration.ofSeconds(1));
		this.test.engine.lose(LockKey.of("orders"), fixed.join().fencingToken(), LockLoss.Reason.SHUTDOWN);
		assertThat(fixed.join().loss()).isPresent();
		assertThat(this.other.ask(ORDERS.withWaitTime(Duration.ZERO))).isCompletedExceptionally();
	}

}
