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
	void asynchronousCallerFailsAfterTwiceTimeoutPlusFirstConnection() throws Exception {
		this.store.hold = true;
		assertSilenceAfter(this.firstInstance.ask(FOREVER), PATIENCE.plusSeconds(10));
		this.store.deliver();
		this.firstInstance.pass(Duration.ofMinutes(1));
		this.firstInstance.engine.acquire(WAITING).close();
		this.store.hold = true;
		assertSilenceAfter(this.firstInstance.ask(WAITING), PATIENCE);
		assertThat(this.firstInstance.events.count("not acquired: ERROR")).isEqualTo(2);
		this.store.deliver();
		this.firstInstance.pass(Duration.ofMinutes(1));
		this.firstInstance.assertNoKeyInUse();
	}

	private void assertSilenceAfter(CompletableFuture<LockHandle> asked, Duration time) {
		this.firstInstance.pass(time.minus(TestEngine.TICK));
		assertThat(asked).isNotDone();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(asked).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(OutcomeUnknownException.class)
			.withMessageContaining("answer");
	}

	@Test
	void blockingCallerFailsWithoutAnswerWhenWatchdogDoesNotTurn() {
		this.store.hold = true;
		long start = this.ticker.read();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.firstInstance.engine.acquire(FOREVER))
			.withMessageContaining("did not answer");
		assertThat(Duration.ofNanos(this.ticker.read() - start)).isEqualTo(PATIENCE.plusMillis(10_100));
		this.store.deliver();
		assertNothingIsLeft();
	}

	@Test
	void waitTimeOfBlockingCallerEndsWhenWatchdogDoesNotTurn() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(WAITING))
			.satisfies((ex) -> assertThat(ex.getWaited()).isEqualTo(Duration.ofSeconds(3)));
		this.firstInstance.assertNoKeyInUse();
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(3).toNanos());
		holder.close();
	}

	@Test
	void blockingCallerAwaitsAnswerBeyondWaitTime() throws Exception {
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
		LockHandle late = this.firstInstance.engine.acquire(WAITING);
		assertThat(late.isHeld()).as("'late' is held").isTrue();
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(3).toNanos(),
				Duration.ofMillis(11_100).toNanos());
		assertThat(this.firstInstance.events.waited).containsExactly(Duration.ofMillis(14_100));
		late.close();
	}

	@Test
	void acquireTimeoutIsNotShortenedForCallerWithLittleTimeLeft() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> first = this.firstInstance.ask(FOREVER);
		this.firstInstance.pass(Duration.ofSeconds(1));
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		this.firstInstance.pass(Duration.ofMillis(990));
		assertThat(first).isCompletedExceptionally();
		assertThat(second).isNotDone();
		assertThat(this.store.sent(AcquireCommand.class)).hasSizeGreaterThan(2)
			.allSatisfy((command) -> assertThat(command.timeout()).isBetween(Duration.ofMillis(500),
					Duration.ofSeconds(2)));
		this.store.loseAnswers = false;
		this.firstInstance.pass(Duration.ofMillis(600));
		second.join().close();
	}

	@Test
	void waitForIdleLeaseLastsAsLongAsCommandTimeoutOfCaller() {
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
	void leaseReportedByTwoAnswersIsGrantedToCallerOnce() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		this.store.hold = true;
		passUntilSent(AcquireCommand.class);
		holder.close();
		passUntilSent(AcquireCommand.class);
		this.store.deliver();
		LockHandle handle = waiting.join();
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		assertThat(this.firstInstance.events.count("acquired")).isOne();
		handle.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void releaseWithoutAnswerFailsAndIsRepeated() {
		LockHandle handle = this.firstInstance.ask(WAITING).join();
		this.store.hold = true;
		CompletableFuture<Void> closed = handle.closeAsync();
		CompletableFuture<Void> stopped = this.firstInstance.engine.stop().toCompletableFuture();
		assertServedAfter(closed, PATIENCE.minus(TestEngine.TICK), TestEngine.TICK.multipliedBy(2));
		assertThat(this.firstInstance.events.count("release failed: OutcomeUnknownException")).isOne();
		this.store.hold = false;
		this.firstInstance.pass(Duration.ofSeconds(3));
		assertThat(stopped).isCompleted();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		long releases = this.store.count(ReleaseCommand.class);
		assertThat(releases).isGreaterThan(1);
		this.store.deliver();
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(releases);
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void asynchronousReentryWithLongerLeaseFailsAndHoldContinues() throws Exception {
		LockHandle handle = acquire(ORDERS);
		this.store.hold = true;
		CompletableFuture<LockHandle> again = this.firstInstance.engine
			.acquireAsync(WAITING.withLease(Lease.renewed(Duration.ofMinutes(5))));
		this.firstInstance.pass(PATIENCE.minus(TestEngine.TICK));
		assertThat(again).isNotDone();
		this.firstInstance.pass(TestEngine.TICK.multipliedBy(2));
		assertThat(again).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("could not be extended");
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.store.deliver();
		this.firstInstance.pass(Duration.ofSeconds(1));
		handle.close();
		this.firstInstance.pass(Duration.ofMinutes(1));
		this.firstInstance.assertNoKeyInUse();
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
		this.firstInstance.assertNoKeyInUse();
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
		assertThat(this.firstInstance.keys()).as("keys in use").isZero();
	}

	@Test
	void closeReturnsWhenReleaseIsAnswered() throws Exception {
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
	void blockingReentryWithLongerLeaseFailsAndHoldContinues() throws Exception {
		LockHandle handle = acquire(ORDERS);
		this.store.hold = true;
		long start = this.ticker.read();
		LockRequest longer = WAITING.withLease(Lease.renewed(Duration.ofMinutes(5)));
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.firstInstance.engine.acquire(longer))
			.withMessageContaining("did not answer");
		assertThat(Duration.ofNanos(this.ticker.read() - start)).isEqualTo(Duration.ofSeconds(4));
		assertThat(this.firstInstance.engine.localLocks().current()).containsExactly(handle);
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.store.deliver();
		handle.close();
		this.firstInstance.assertNoKeyInUse();
	}

}
