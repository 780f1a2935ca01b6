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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for keys with permits, with two instances.
 */
class PermitsTests extends TwoInstances {

	private static final LockRequest TWO = FOREVER.withPermits(2);

	private static final LockRequest TWO_ONCE = TWO.withWaitTime(Duration.ZERO);

	@Test
	void asManyHaveOneAsThereAre() {
		List<LockHandle> held = List.of(this.test.ask(TWO).join(), this.other.ask(TWO).join());
		CompletableFuture<LockHandle> third = this.test.ask(TWO);
		assertThat(third).isNotDone();
		TestEngine.pass(Duration.ofMinutes(1), this.test, this.other);
		assertThat(held).allMatch(LockHandle::isHeld);
		assertThat(third).isNotDone();
		held.get(1).close();
		assertThat(third).isCompleted();
		assertThat(third.join().fencingToken()).isGreaterThan(held.get(1).fencingToken());
		held.get(0).close();
		third.join().close();
		assertNothingIsLeft();
	}

	@Test
	void eachAskerGoesByItsOwnNumber() {
		List<CompletableFuture<LockHandle>> two = ask(this.test, TWO, 2);
		assertThat(this.test.ask(TWO_ONCE)).isCompletedExceptionally();
		CompletableFuture<LockHandle> three = this.test.ask(TWO.withPermits(3));
		assertThat(three).isCompleted();
		two.get(0).join().close();
		assertThat(this.test.ask(TWO_ONCE)).isCompletedExceptionally();
		three.join().close();
		assertThat(this.test.ask(TWO_ONCE)).isCompleted();
	}

	@Test
	void whoWaitsForLessThanTheStoreTakesIsOwedItsAnswerThoughOthersHadTheirs() {
		this.store.hold = true;
		List<CompletableFuture<LockHandle>> callers = ask(this.test, TWO.withWaitTime(Duration.ofMillis(10)), 2);
		this.store.deliverOne();
		assertThat(callers.get(0)).isCompleted();
		this.test.pass(TestEngine.TICK.multipliedBy(4));
		assertThat(callers.get(1)).isNotDone();
		this.store.deliver();
		assertThat(callers).allMatch((caller) -> caller.join().isHeld());
	}

	@Test
	void aPermitIsHandedOnInsideItsInstanceWithOneCommand() {
		List<CompletableFuture<LockHandle>> callers = ask(this.test, TWO, 4);
		assertThat(callers.get(2)).isNotDone();
		this.store.commands.clear();
		callers.get(1).join().close();
		assertThat(callers.get(2)).isCompleted();
		assertThat(callers.get(3)).isNotDone();
		assertThat(this.store.commands).hasOnlyElementsOfType(RenewCommand.class).hasSize(1);
		assertThat(this.test.events.count("handed off: LOCAL")).isOne();
	}

	@Test
	void theAttemptOfTheInstanceIsGivenUpWithTheLastWhoWaits() {
		List<CompletableFuture<LockHandle>> callers = ask(this.test, TWO, 4);
		callers.get(0).join().close();
		assertThat(waiting()).isOne();
		callers.get(3).cancel(false);
		assertThat(waiting()).isZero();
		assertThat(this.other.ask(TWO_ONCE)).isCompletedExceptionally();
		callers.get(1).join().close();
		assertThat(this.other.ask(TWO_ONCE)).isCompleted();
	}

	@Test
	void oneThatWaitsElsewhereIsPassedBySixteenWithEachPermitAtMost() {
		List<CompletableFuture<LockHandle>> callers = ask(this.test, TWO, 80);
		CompletableFuture<LockHandle> elsewhere = this.other.ask(TWO);
		int served = 0;
		while (!elsewhere.isDone()) {
			callers.get(served++).join().close();
		}
		// The instance's own place in the queue comes first.
		assertThat(served).isBetween(17, 68);
		elsewhere.join().close();
		assertThat(serve(callers.subList(served, 80))).isEqualTo(80 - served);
	}

	@Test
	void oneThatWaitsElsewhereIsPassedForFiftyMillisecondsAtMost() {
		List<CompletableFuture<LockHandle>> callers = ask(this.test, TWO, 2);
		CompletableFuture<LockHandle> elsewhere = this.other.ask(TWO);
		CompletableFuture<LockHandle> here = this.test.ask(TWO);
		this.ticker.advance(Duration.ofMillis(60));
		callers.get(0).join().close();
		assertThat(here).isNotDone();
		assertThat(elsewhere).isCompleted();
		callers.get(1).join().close();
		assertThat(here).isCompleted();
	}

	@Test
	void callersWithOtherNumbersHaveTheirTurnInOrder() {
		LockRequest ofThree = FOREVER.withPermits(3);
		List<CompletableFuture<LockHandle>> three = ask(this.test, ofThree, 4);
		CompletableFuture<LockHandle> two = this.test.ask(TWO);
		CompletableFuture<LockHandle> last = this.test.ask(ofThree);
		three.get(0).join().close();
		assertThat(three.get(3)).isCompleted();
		three.get(1).join().close();
		assertThat(List.of(two, last)).noneMatch(CompletableFuture::isDone);
		three.get(2).join().close();
		assertThat(List.of(two, last)).allSatisfy((caller) -> assertThat(caller).isCompleted());
	}

	@Test
	void whoIsNextHasItWhenTheOneBeforeGivesUp() {
		List<CompletableFuture<LockHandle>> two = ask(this.test, TWO, 2);
		CompletableFuture<LockHandle> same = this.test.ask(TWO);
		CompletableFuture<LockHandle> three = this.test.ask(FOREVER.withPermits(3));
		assertThat(three).isNotDone();
		same.cancel(false);
		assertThat(three).isCompleted();
		two.forEach((caller) -> caller.join().close());
		three.join().close();
		assertNothingIsLeft();
	}

	@Test
	void oneIsLostAlone() {
		LockHandle first = this.test.ask(TWO).join();
		LockHandle second = this.test.ask(TWO).join();
		CompletableFuture<LockHandle> third = this.other.ask(TWO);
		assertThat(this.other.engine.forceRelease(KEY, first.fencingToken())).isTrue();
		assertThat(this.other.engine.forceRelease(KEY, first.fencingToken())).isFalse();
		assertThat(first.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
		assertThat(third).isCompleted();
		TestEngine.pass(Duration.ofMinutes(1), this.test, this.other);
		assertThat(second.isHeld()).isTrue();
		first.close();
		assertThat(second.isHeld()).isTrue();
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.other.engine.forceRelease(KEY, 0));
	}

	@Test
	void eachExpiresAndIsOwed() {
		List<CompletableFuture<LockHandle>> held = ask(this.test, TWO, 2);
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(27));
		assertThat(this.test.events.count("lost: EXPIRED")).isEqualTo(2);
		this.store.down = false;
		this.store.commands.clear();
		held.get(0).join().close();
		this.test.pass(Duration.ofSeconds(2));
		assertThat(this.store.sent(ReleaseCommand.class)).hasSize(1);
		held.get(1).join().close();
		this.test.pass(Duration.ofSeconds(2));
		assertThat(this.store.sent(ReleaseCommand.class)).hasSize(2);
		assertNothingIsLeft();
	}

	@Test
	void aThreadThatHasOneHasTheSameAgain() throws Exception {
		try (LockHandle outer = this.test.engine.acquire(TWO);
				LockHandle inner = this.test.engine.acquire(FOREVER.withPermits(5))) {
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			assertThat(this.other.engine.find(KEY).orElseThrow().holders()).isOne();
			LockHandle detached = this.test.engine.acquire(TWO).detach();
			assertThat(detached.fencingToken()).isEqualTo(outer.fencingToken());
			detached.close();
			assertThat(outer.isHeld()).isTrue();
		}
		assertNothingIsLeft();
	}

	@Test
	void oneWhoseThreadHasDiedIsFree() throws Exception {
		TestEngine.onThreadThatEnds(() -> this.test.engine.acquire(TWO));
		LockHandle second = this.test.ask(TWO).join();
		CompletableFuture<LockHandle> third = this.other.ask(TWO);
		TestEngine.pass(Duration.ofSeconds(12), this.test, this.other);
		assertThat(this.test.events.count("lost: ABANDONED")).isOne();
		assertThat(third).isCompleted();
		assertThat(second.isHeld()).isTrue();
	}

	@Test
	void onePermitIsTheExclusiveLock() throws Exception {
		try (LockHandle lock = this.test.engine.acquire(FOREVER);
				LockHandle again = this.test.engine.acquire(FOREVER.withPermits(1))) {
			assertThat(again.fencingToken()).isEqualTo(lock.fencingToken());
			assertThat(this.test.engine.find(KEY).orElseThrow().permits()).isEmpty();
			CompletableFuture<LockHandle> elsewhere = this.other.ask(FOREVER.withPermits(1));
			assertThat(elsewhere).isNotDone();
			elsewhere.cancel(false);
		}
	}

	@Test
	void whatIsHadAsPermitsIsNoLock() throws Exception {
		LockHandle permit = this.test.ask(TWO).join();
		for (TestEngine engine : List.of(this.test, this.other)) {
			for (LockRequest request : List.of(FOREVER, READ)) {
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> engine.engine.acquire(request))
					.withMessageContaining("in use as permits");
				assertThat(engine.ask(request)).isCompletedExceptionally();
			}
		}
		permit.close();
		LockHandle lock = this.test.engine.acquire(FOREVER);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.test.engine.acquire(TWO))
			.withMessageContaining("in use as a lock");
		assertThat(TestEngine.onThreadThatEnds(() -> this.test.ask(TWO))).isCompletedExceptionally();
		lock.close();
		assertThat(this.test.events.count("not acquired: ERROR")).isGreaterThan(0);
		LockHandle again = this.test.engine.acquire(TWO);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.test.engine.acquire(FOREVER))
			.withMessageContaining("in use as permits");
		again.close();
		assertNothingIsLeft();
	}

	@Test
	void whatOthersWaitForAsALockIsNoPermit() {
		this.store.hold = true;
		CompletableFuture<LockHandle> lock = this.test.ask(FOREVER);
		assertThat(this.test.ask(TWO)).isCompletedExceptionally();
		assertThat(this.test.ask(READ)).isNotDone();
		this.store.deliver();
		assertThat(lock).isCompleted();
	}

	@Test
	void aGrantOfANumberThatNobodyAsksForAnyMoreIsUndone() {
		this.store.hold = true;
		CompletableFuture<LockHandle> caller = this.test.ask(TWO);
		CompletableFuture<LockHandle> other = this.test.ask(FOREVER.withPermits(3));
		caller.cancel(false);
		this.store.deliver();
		this.test.pass(Duration.ofSeconds(1));
		assertThat(other).isCompleted();
		assertThat(this.other.engine.find(KEY).orElseThrow().holders()).isOne();
	}

	@Test
	void allAreLookedAtWhenTheStoreIsAnotherOne() {
		ask(this.test, TWO, 2);
		this.store.commands.clear();
		this.test.reconnect();
		this.test.pass(Duration.ofMillis(50));
		assertThat(this.store.sent(RenewCommand.class)).hasSize(2);
	}

	@Test
	void whatIsHeldWhenTheEngineIsClosedIsLost() {
		List<CompletableFuture<LockHandle>> held = ask(this.test, TWO, 3);
		this.test.engine.close();
		assertThat(held.get(2)).isCompletedExceptionally();
		assertThat(this.test.events.count("lost: SHUTDOWN")).isEqualTo(2);
		assertThat(this.other.engine.find(KEY).orElseThrow().holders()).isEqualTo(2);
	}

	@Test
	void nobodyAsksForTokensBeforehandNorForWhatMayBeIdle() {
		ask(this.test, TWO, 4);
		assertThat(this.store.sent(AcquireCommand.class))
			.allMatch((command) -> command.tokens() == 1 && !command.lingering());
	}

}
