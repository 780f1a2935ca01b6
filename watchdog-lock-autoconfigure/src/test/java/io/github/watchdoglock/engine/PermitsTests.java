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
	void thirdCallerWaitsUntilOneOfTwoPermitsIsReleased() {
		List<LockHandle> held = List.of(this.firstInstance.ask(TWO).join(), this.secondInstance.ask(TWO).join());
		CompletableFuture<LockHandle> third = this.firstInstance.ask(TWO);
		assertThat(third).isNotDone();
		TestEngine.pass(Duration.ofMinutes(1), this.firstInstance, this.secondInstance);
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
	void eachRequestIsLimitedByOwnNumberOfPermits() {
		List<CompletableFuture<LockHandle>> two = ask(this.firstInstance, TWO, 2);
		assertThat(this.firstInstance.ask(TWO_ONCE)).isCompletedExceptionally();
		CompletableFuture<LockHandle> three = this.firstInstance.ask(TWO.withPermits(3));
		assertThat(three).isCompleted();
		two.get(0).join().close();
		assertThat(this.firstInstance.ask(TWO_ONCE)).isCompletedExceptionally();
		three.join().close();
		assertThat(this.firstInstance.ask(TWO_ONCE)).isCompleted();
	}

	@Test
	void callerWithShortWaitTimeIsNotEndedBeforePendingAnswer() {
		this.store.hold = true;
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, TWO.withWaitTime(Duration.ofMillis(10)),
				2);
		this.store.deliverOne();
		assertThat(callers.get(0)).isCompleted();
		this.firstInstance.pass(TestEngine.TICK.multipliedBy(4));
		assertThat(callers.get(1)).isNotDone();
		this.store.deliver();
		assertThat(callers).allMatch((caller) -> caller.join().isHeld());
	}

	@Test
	void handOffOfPermitWithinInstanceSendsOneCommand() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, TWO, 4);
		assertThat(callers.get(2)).isNotDone();
		this.store.commands.clear();
		callers.get(1).join().close();
		assertThat(callers.get(2)).isCompleted();
		assertThat(callers.get(3)).isNotDone();
		assertThat(this.store.commands).hasOnlyElementsOfType(RenewCommand.class).hasSize(1);
		assertThat(this.firstInstance.events.count("handed off: LOCAL")).isOne();
	}

	@Test
	void attemptIsUndoneWhenLastWaiterOfInstanceGivesUp() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, TWO, 4);
		callers.get(0).join().close();
		assertThat(waiting()).as("instances that wait for a permit").isOne();
		callers.get(3).cancel(false);
		assertThat(waiting()).isZero();
		assertThat(this.secondInstance.ask(TWO_ONCE)).isCompletedExceptionally();
		callers.get(1).join().close();
		assertThat(this.secondInstance.ask(TWO_ONCE)).isCompleted();
	}

	@Test
	void waiterOfOtherInstanceIsPassedByAtMostSixteenHandOffsPerPermit() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, TWO, 80);
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(TWO);
		int served = 0;
		while (!elsewhere.isDone()) {
			callers.get(served++).join().close();
		}
		// The instance's own place in the queue comes first.
		assertThat(served).as("hand-offs before the other instance is served").isBetween(17, 68);
		elsewhere.join().close();
		assertThat(serve(callers.subList(served, 80))).isEqualTo(80 - served);
	}

	@Test
	void waiterOfOtherInstanceIsPassedForAtMostFiftyMilliseconds() {
		List<CompletableFuture<LockHandle>> callers = ask(this.firstInstance, TWO, 2);
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(TWO);
		CompletableFuture<LockHandle> here = this.firstInstance.ask(TWO);
		this.ticker.advance(Duration.ofMillis(60));
		callers.get(0).join().close();
		assertThat(here).isNotDone();
		assertThat(elsewhere).isCompleted();
		callers.get(1).join().close();
		assertThat(here).isCompleted();
	}

	@Test
	void waitersWithDifferentPermitNumbersAreServedInOrder() {
		LockRequest ofThree = FOREVER.withPermits(3);
		List<CompletableFuture<LockHandle>> three = ask(this.firstInstance, ofThree, 4);
		CompletableFuture<LockHandle> two = this.firstInstance.ask(TWO);
		CompletableFuture<LockHandle> last = this.firstInstance.ask(ofThree);
		three.get(0).join().close();
		assertThat(three.get(3)).isCompleted();
		three.get(1).join().close();
		assertThat(List.of(two, last)).noneMatch(CompletableFuture::isDone);
		three.get(2).join().close();
		assertThat(List.of(two, last)).allSatisfy((caller) -> assertThat(caller).isCompleted());
	}

	@Test
	void nextWaiterIsGrantedPermitWhenPreviousWaiterGivesUp() {
		List<CompletableFuture<LockHandle>> two = ask(this.firstInstance, TWO, 2);
		CompletableFuture<LockHandle> same = this.firstInstance.ask(TWO);
		CompletableFuture<LockHandle> three = this.firstInstance.ask(FOREVER.withPermits(3));
		assertThat(three).isNotDone();
		same.cancel(false);
		assertThat(three).isCompleted();
		two.forEach((caller) -> caller.join().close());
		three.join().close();
		assertNothingIsLeft();
	}

	@Test
	void forceReleaseOfOnePermitDoesNotAffectOtherPermit() {
		LockHandle first = this.firstInstance.ask(TWO).join();
		LockHandle second = this.firstInstance.ask(TWO).join();
		CompletableFuture<LockHandle> third = this.secondInstance.ask(TWO);
		assertThat(this.secondInstance.engine.forceRelease(KEY, first.fencingToken())).isTrue();
		assertThat(this.secondInstance.engine.forceRelease(KEY, first.fencingToken())).isFalse();
		assertThat(first.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
		assertThat(third).isCompleted();
		TestEngine.pass(Duration.ofMinutes(1), this.firstInstance, this.secondInstance);
		assertThat(second.isHeld()).as("'second' is held").isTrue();
		first.close();
		assertThat(second.isHeld()).as("'second' is held").isTrue();
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.secondInstance.engine.forceRelease(KEY, 0));
	}

	@Test
	void expiredPermitsAreReleasedWhenEachHandleIsClosed() {
		List<CompletableFuture<LockHandle>> held = ask(this.firstInstance, TWO, 2);
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(27));
		assertThat(this.firstInstance.events.count("lost: EXPIRED")).isEqualTo(2);
		this.store.down = false;
		this.store.commands.clear();
		held.get(0).join().close();
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(this.store.sent(ReleaseCommand.class)).hasSize(1);
		held.get(1).join().close();
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(this.store.sent(ReleaseCommand.class)).hasSize(2);
		assertNothingIsLeft();
	}

	@Test
	void reentryOfPermitReturnsSameToken() throws Exception {
		try (LockHandle outer = this.firstInstance.engine.acquire(TWO);
				LockHandle inner = this.firstInstance.engine.acquire(FOREVER.withPermits(5))) {
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			assertThat(this.secondInstance.engine.find(KEY).orElseThrow().holders()).isOne();
			LockHandle detached = this.firstInstance.engine.acquire(TWO).detach();
			assertThat(detached.fencingToken()).isEqualTo(outer.fencingToken());
			detached.close();
			assertThat(outer.isHeld()).as("'outer' is held").isTrue();
		}
		assertNothingIsLeft();
	}

	@Test
	void permitIsReleasedWhenThreadOfHolderHasEnded() throws Exception {
		TestEngine.onThreadThatEnds(() -> this.firstInstance.engine.acquire(TWO));
		LockHandle second = this.firstInstance.ask(TWO).join();
		CompletableFuture<LockHandle> third = this.secondInstance.ask(TWO);
		TestEngine.pass(Duration.ofSeconds(12), this.firstInstance, this.secondInstance);
		assertThat(this.firstInstance.events.count("lost: ABANDONED")).isOne();
		assertThat(third).isCompleted();
		assertThat(second.isHeld()).as("'second' is held").isTrue();
	}

	@Test
	void requestForOnePermitIsTreatedAsExclusiveLock() throws Exception {
		try (LockHandle lock = this.firstInstance.engine.acquire(FOREVER);
				LockHandle again = this.firstInstance.engine.acquire(FOREVER.withPermits(1))) {
			assertThat(again.fencingToken()).isEqualTo(lock.fencingToken());
			assertThat(this.firstInstance.engine.find(KEY).orElseThrow().permits()).isEmpty();
			CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(FOREVER.withPermits(1));
			assertThat(elsewhere).isNotDone();
			elsewhere.cancel(false);
		}
	}

	@Test
	void keyCannotBeUsedAsLockAndPermitsAtSameTime() throws Exception {
		LockHandle permit = this.firstInstance.ask(TWO).join();
		for (TestEngine engine : List.of(this.firstInstance, this.secondInstance)) {
			for (LockRequest request : List.of(FOREVER, READ)) {
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> engine.engine.acquire(request))
					.withMessageContaining("in use as permits");
				assertThat(engine.ask(request)).isCompletedExceptionally();
			}
		}
		permit.close();
		LockHandle lock = this.firstInstance.engine.acquire(FOREVER);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.firstInstance.engine.acquire(TWO))
			.withMessageContaining("in use as a lock");
		assertThat(TestEngine.onThreadThatEnds(() -> this.firstInstance.ask(TWO))).isCompletedExceptionally();
		lock.close();
		assertThat(this.firstInstance.events.count("not acquired: ERROR")).isGreaterThan(0);
		LockHandle again = this.firstInstance.engine.acquire(TWO);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.firstInstance.engine.acquire(FOREVER))
			.withMessageContaining("in use as permits");
		again.close();
		assertNothingIsLeft();
	}

	@Test
	void permitRequestFailsWhileCallersWaitForKeyAsLock() {
		this.store.hold = true;
		CompletableFuture<LockHandle> lock = this.firstInstance.ask(FOREVER);
		assertThat(this.firstInstance.ask(TWO)).isCompletedExceptionally();
		assertThat(this.firstInstance.ask(READ)).isNotDone();
		this.store.deliver();
		assertThat(lock).isCompleted();
	}

	@Test
	void leaseIsUndoneWhenLastWaiterWithPermitNumberGivesUp() {
		this.store.hold = true;
		CompletableFuture<LockHandle> caller = this.firstInstance.ask(TWO);
		CompletableFuture<LockHandle> other = this.firstInstance.ask(FOREVER.withPermits(3));
		caller.cancel(false);
		this.store.deliver();
		this.firstInstance.pass(Duration.ofSeconds(1));
		assertThat(other).isCompleted();
		assertThat(this.secondInstance.engine.find(KEY).orElseThrow().holders()).isOne();
	}

	@Test
	void allPermitsAreRenewedAfterReconnect() {
		ask(this.firstInstance, TWO, 2);
		this.store.commands.clear();
		this.firstInstance.reconnect();
		this.firstInstance.pass(Duration.ofMillis(50));
		assertThat(this.store.sent(RenewCommand.class)).hasSize(2);
	}

	@Test
	void heldPermitsAreLostWhenEngineIsClosed() {
		List<CompletableFuture<LockHandle>> held = ask(this.firstInstance, TWO, 3);
		this.firstInstance.engine.close();
		assertThat(held.get(2)).isCompletedExceptionally();
		assertThat(this.firstInstance.events.count("lost: SHUTDOWN")).isEqualTo(2);
		assertThat(this.secondInstance.engine.find(KEY).orElseThrow().holders()).isEqualTo(2);
	}

	@Test
	void permitAttemptsRequestOneTokenAndNoIdleLease() {
		ask(this.firstInstance, TWO, 4);
		assertThat(this.store.sent(AcquireCommand.class))
			.allMatch((command) -> command.tokens() == 1 && !command.lingering());
	}

}
