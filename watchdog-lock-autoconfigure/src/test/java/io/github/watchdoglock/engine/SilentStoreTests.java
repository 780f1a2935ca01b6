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
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for a store that does not answer, although it has promised to: all callers
 * continue after twice the time that an answer may take.
 */
class SilentStoreTests extends TwoInstances {

	private static final LockRequest WAITING = ORDERS.withWaitTime(Duration.ofSeconds(3));

	/* Twice the timeout of two seconds. */
	private static final Duration PATIENCE = Duration.ofSeconds(4);

	@Test
	void aCallerIsToldSoAndTheFirstOneWaitsForAConnectionToo() throws Exception {
		this.store.hold = true;
		assertSilenceAfter(this.test.ask(FOREVER), PATIENCE.plusSeconds(10));
		this.store.deliver();
		this.test.pass(Duration.ofMinutes(1));
		this.test.engine.acquire(WAITING).close();
		this.store.hold = true;
		assertSilenceAfter(this.test.ask(WAITING), PATIENCE);
		assertThat(this.test.events.count("not acquired: ERROR")).isEqualTo(2);
		this.store.deliver();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.test.keys()).isZero();
	}

	private void assertSilenceAfter(CompletableFuture<LockHandle> asked, Duration time) {
		this.test.pass(time.minus(TestEngine.TICK));
		assertThat(asked).isNotDone();
		this.test.pass(TestEngine.TICK);
		assertThat(asked).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(OutcomeUnknownException.class)
			.withMessageContaining("answer");
	}

	@Test
	void aCallerWhoBlocksIsToldSoThoughTheWatchdogDoesNotTurn() {
		this.store.hold = true;
		long start = this.ticker.read();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.test.engine.acquire(FOREVER))
			.withMessageContaining("did not answer");
		assertThat(Duration.ofNanos(this.ticker.read() - start)).isEqualTo(PATIENCE.plusMillis(10_100));
		this.store.deliver();
		assertNothingIsLeft();
	}

	@Test
	void aCallerWhoBlocksIsRefusedInTimeThoughTheWatchdogDoesNotTurn() {
		LockHandle holder = this.other.ask(FOREVER).join();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.test.engine.acquire(WAITING))
			.satisfies((ex) -> assertThat(ex.getWaited()).isEqualTo(Duration.ofSeconds(3)));
		assertThat(this.test.keys()).isZero();
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(3).toNanos());
		holder.close();
	}

	@Test
	void aCallerWhoBlocksWaitsForAnAnswerBeyondItsOwnTime() throws Exception {
		this.store.hold = true;
		this.threads.wait = (nanos) -> {
			this.threads.pass(nanos);
			if (this.threads.parks.size() == 2) {
				this.threads.unparked.clear();
				this.store.deliver();
				// The caller looks by itself, so it need not be unparked.
				assertThat(this.threads.unparked).isEmpty();
			}
		};
		LockHandle late = this.test.engine.acquire(WAITING);
		assertThat(late.isHeld()).isTrue();
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(3).toNanos(),
				Duration.ofMillis(11_100).toNanos());
		assertThat(this.test.events.waited).containsExactly(Duration.ofMillis(14_100));
		late.close();
	}

	@Test
	void whoHasLittleTimeLeftFailsRatherThanHaveTheCommandsOfOthersEndAsSoon() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> first = this.test.ask(FOREVER);
		this.test.pass(Duration.ofSeconds(1));
		CompletableFuture<LockHandle> second = this.test.ask(FOREVER);
		this.test.pass(Duration.ofMillis(990));
		assertThat(first).isCompletedExceptionally();
		assertThat(second).isNotDone();
		assertThat(this.store.sent(AcquireCommand.class)).hasSizeGreaterThan(2)
			.allSatisfy((command) -> assertThat(command.timeout()).isBetween(Duration.ofMillis(500),
					Duration.ofSeconds(2)));
		this.store.loseAnswers = false;
		this.test.pass(Duration.ofMillis(600));
		second.join().close();
	}

	@Test
	void whoComesForAnIdleLockOfAShorterLeaseWaitsAsLongAsItsOwnCommandMayTake() {
		TestEngine lingering = engine(LINGERING);
		lingering.ask(WAITING.withLease(Lease.renewed(Duration.ofSeconds(3)))).join().close();
		this.store.hold = true;
		CompletableFuture<LockHandle> next = lingering.ask(WAITING);
		lingering.pass(Duration.ofMillis(900));
		assertThat(next).isNotDone();
		this.store.deliver();
		next.join().close();
	}

	@Test
	void aGrantOfWhichACommandBeforeItTellsIsHadOnce() {
		LockHandle holder = this.other.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(FOREVER);
		this.store.hold = true;
		passUntilSent(AcquireCommand.class);
		holder.close();
		passUntilSent(AcquireCommand.class);
		this.store.deliver();
		LockHandle handle = waiting.join();
		assertThat(handle.isHeld()).isTrue();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).isTrue();
		assertThat(this.test.events.count("acquired")).isOne();
		handle.close();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aReleaseThatIsNotAnsweredHasFailedAndIsRepeated() {
		LockHandle handle = this.test.ask(WAITING).join();
		this.store.hold = true;
		CompletableFuture<Void> closed = handle.closeAsync();
		CompletableFuture<Void> stopped = this.test.engine.stop().toCompletableFuture();
		assertServedAfter(closed, PATIENCE.minus(TestEngine.TICK), TestEngine.TICK.multipliedBy(2));
		assertThat(this.test.events.count("release failed: OutcomeUnknownException")).isOne();
		this.store.hold = false;
		this.test.pass(Duration.ofSeconds(3));
		assertThat(stopped).isCompleted();
		assertThat(this.other.engine.find(KEY)).isEmpty();
		long releases = this.store.count(ReleaseCommand.class);
		assertThat(releases).isGreaterThan(1);
		this.store.deliver();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(releases);
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void anAsynchronousReEntryWithALongerLeaseIsToldSoAndTheHoldGoesOn() throws Exception {
		LockHandle handle = acquire(ORDERS);
		this.store.hold = true;
		CompletableFuture<LockHandle> again = this.test.engine
			.acquireAsync(WAITING.withLease(Lease.renewed(Duration.ofMinutes(5))));
		this.test.pass(PATIENCE.minus(TestEngine.TICK));
		assertThat(again).isNotDone();
		this.test.pass(TestEngine.TICK.multipliedBy(2));
		assertThat(again).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("could not be extended");
		assertThat(handle.isHeld()).isTrue();
		this.store.deliver();
		this.test.pass(Duration.ofSeconds(1));
		handle.close();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void closeWaitsForOneCommandTimeoutAndKeepsInterrupt() throws Exception {
		LockHandle handle = acquire(ORDERS);
		this.store.hold = true;
		this.threads.wait = (nanos) -> {
			Thread.currentThread().interrupt();
			this.threads.pass(Duration.ofSeconds(1).toNanos());
		};
		long start = this.ticker.read();
		handle.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(Duration.ofNanos(this.ticker.read() - start)).isEqualTo(Duration.ofSeconds(2));
		assertThat(this.threads.parks).as("waits of a second").hasSize(2);
		this.store.deliver();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void closeDuringUnansweredRenewalWaitsForOneCommandTimeout() throws Exception {
		LockHandle handle = acquire(ORDERS);
		this.store.hold = true;
		passUntilSent(RenewCommand.class);
		long start = this.ticker.read();
		handle.close();
		assertThat(Duration.ofNanos(this.ticker.read() - start)).isEqualTo(Duration.ofSeconds(2));
		this.store.deliver();
		assertThat(this.test.keys()).as("keys in use").isZero();
	}

	@Test
	void closeContinuesWithTheAnswer() throws Exception {
		LockHandle handle = acquire(ORDERS);
		this.store.hold = true;
		this.threads.wait = (nanos) -> {
			this.threads.unparked.clear();
			this.store.deliver();
			assertThat(this.threads.unparked).containsExactly(Thread.currentThread());
		};
		handle.close();
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(2).toNanos());
	}

	@Test
	void whoTakesALockAgainWithALongerLeaseIsToldSoAndTheHoldGoesOn() throws Exception {
		LockHandle handle = acquire(ORDERS);
		this.store.hold = true;
		long start = this.ticker.read();
		LockRequest longer = WAITING.withLease(Lease.renewed(Duration.ofMinutes(5)));
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.test.engine.acquire(longer))
			.withMessageContaining("did not answer");
		assertThat(Duration.ofNanos(this.ticker.read() - start)).isEqualTo(Duration.ofSeconds(4));
		assertThat(this.test.engine.localLocks().current()).containsExactly(handle);
		assertThat(handle.isHeld()).isTrue();
		this.store.deliver();
		handle.close();
		assertThat(this.test.keys()).isZero();
	}

}
