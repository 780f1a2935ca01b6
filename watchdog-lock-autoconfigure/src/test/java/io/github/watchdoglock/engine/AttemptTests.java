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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.ReleaseCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for an attempt: what it does when the store fails, is late, or says that the
 * attempt has ended, and what it undoes.
 */
class AttemptTests extends TwoInstances {

	private static final Duration TIME_OUT = Duration.ofSeconds(2);

	@Test
	void attemptBacksOffWhileStoreFailsAndResetsAfterSuccess() {
		waitForOther();
		failAsked();
		// Three quarters of 50 ms, doubled up to a second, rounded up to the next tick.
		assertThat(gaps(7)).containsExactly(40L, 80L, 150L, 300L, 600L, 750L, 750L);
		this.store.down = false;
		failAsked();
		assertThat(gaps(2)).containsExactly(40L, 80L);
	}

	/* The store fails after it has answered once. */
	private void failAsked() {
		passUntilSent(AcquireCommand.class);
		this.store.down = true;
		passUntilSent(AcquireCommand.class);
	}

	@Test
	void backOffOfAttemptIsBoundedByPollIntervalOfShortLease() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		var unused = this.firstInstance.ask(FOREVER.withLease(Lease.renewed(Duration.ofSeconds(2))));
		failAsked();
		// A sixth of the lease, with half of the jitter of a tenth, rounded up to the
		// next tick.
		assertThat(gaps(7)).containsExactly(40L, 80L, 150L, 300L, 320L, 320L, 320L);
		holder.close();
	}

	@Test
	void failedAttemptIsRepeatedAtOnceWhenStoreReconnects() {
		waitForOther();
		failAsked();
		assertThat(gaps(7)).endsWith(750L, 750L);
		this.store.down = false;
		this.firstInstance.engine.messages.connected();
		assertThat(gaps(1)).containsExactly(10L);
		// The attempt has not failed, so it polls as before.
		this.firstInstance.engine.messages.connected();
		assertThat(gaps(1)).containsExactly(950L);
	}

	@Test
	void reconnectRepeatsHundredAttemptsInFirstTurnAndRestInNext() {
		for (int i = 0; i < 101; i++) {
			this.secondInstance.ask(LockRequest.of("orders", "" + i)).join();
			var unused = this.firstInstance.ask(LockRequest.of("orders", "" + i).withWaitTime(Duration.ofMillis(-1)));
		}
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(5));
		this.store.commands.clear();
		passUntil(() -> !this.store.commands.isEmpty());
		this.firstInstance.pass(TestEngine.TICK.multipliedBy(3));
		// Not at the beginning of a tick, because the next tick would belong to this one.
		this.ticker.advance(TestEngine.TICK.dividedBy(2));
		this.store.commands.clear();
		this.firstInstance.engine.messages.connected();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(100);
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(101);
		// All attempts fail for the first time again, and are due together.
		assertSilent(this.firstInstance, Duration.ofMillis(740));
		this.store.commands.clear();
		this.firstInstance.engine.messages.connected();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.store.count(AcquireCommand.class)).isGreaterThanOrEqualTo(100);
	}

	@Test
	void reconnectSendsNoSecondCommandWhileAnswerIsPending() {
		waitForOther();
		failAsked();
		this.store.down = false;
		this.store.hold = true;
		passUntilSent(AcquireCommand.class);
		this.firstInstance.engine.messages.connected();
		assertSilent(this.firstInstance, Duration.ofMillis(100));
		this.store.deliver();
	}

	@Test
	void commandWithUnknownEffectIsUndoneUntilItsLeaseEnds() {
		this.store.broken = true;
		assertThat(this.firstInstance.ask(FOREVER)).isCompletedExceptionally();
		assertThat(this.store.sent(ReleaseCommand.class)).singleElement()
			.satisfies((release) -> assertThat(release.lastToken()).isEqualTo(ReleaseCommand.NONE));
		assertUndoneUntil(Duration.ofSeconds(30));
	}

	@Test
	void pendingCommandIsUndoneUntilLeaseEndsWhenCallerCancels() {
		this.store.hold = true;
		CompletableFuture<LockHandle> asked = this.firstInstance
			.ask(FOREVER.withLease(Lease.renewed(Duration.ofMinutes(2))));
		this.store.hold = false;
		this.store.down = true;
		asked.cancel(false);
		assertThat(this.secondInstance.engine.find(KEY))
			.as("lease that the pending command was granted before the undo")
			.isPresent();
		assertUndoneUntil(Duration.ofMinutes(2));
		assertThat(this.firstInstance.events.heard).containsExactly("not acquired: INTERRUPTED",
				"release repeated: OVER");
	}

	@Test
	void undoIsRepeatedWhenCommandTakesEffectAfterFirstUndo() {
		this.store.onTheWay = true;
		CompletableFuture<LockHandle> asked = this.firstInstance.ask(FOREVER);
		this.store.onTheWay = false;
		asked.cancel(false);
		this.store.down = true;
		this.store.deliver();
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		assertThat(this.store.sent(ReleaseCommand.class)).last()
			.returns(ReleaseCommand.UNKNOWN, ReleaseCommand::lastToken);
		assertUndoneUntil(Duration.ofSeconds(30));
	}

	@ParameterizedTest
	@CsvSource({ "0, 22700, 1", "1, 24700, 2" })
	void grantIsRequestedAgainOnlyAfterCommandTimeout(long late, long left, long asks) {
		this.store.hold = true;
		CompletableFuture<LockHandle> asked = this.firstInstance.ask(FOREVER);
		this.ticker.advance(TIME_OUT.plusNanos(late));
		this.store.deliver();
		// The lease begins when the command was sent.
		assertThat(asked.join().remaining()).hasMillis(left);
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(asks);
	}

	@Test
	void lateGrantIsUndoneWhenStoreFailsOnRepetition() {
		this.store.hold = true;
		CompletableFuture<LockHandle> asked = this.firstInstance.ask(FOREVER);
		this.ticker.advance(TIME_OUT.plusNanos(1));
		this.store.down = true;
		this.store.deliver();
		assertThat(asked).isCompletedExceptionally();
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		this.store.down = false;
		this.firstInstance.pass(Duration.ofMillis(200));
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void nextCommandGetsAtLeastQuarterOfTimeoutAndFullOneAfterExpiry() {
		assertThat(leftToTheStoreAfter(TIME_OUT)).isEqualTo(TIME_OUT);
		assertThat(leftToTheStoreAfter(Duration.ofMillis(500))).isEqualTo(Duration.ofMillis(1_500));
		assertThat(leftToTheStoreAfter(Duration.ofMillis(1_500))).isEqualTo(Duration.ofMillis(500));
		assertThat(leftToTheStoreAfter(TIME_OUT.minusNanos(1))).isEqualTo(Duration.ofMillis(500));
	}

	/*
	 * The command timeout that is left for the second caller after the answer to the
	 * command of the first caller, which has gone. Both callers arrived at the same time.
	 */
	private Duration leftToTheStoreAfter(Duration gone) {
		this.store.commands.clear();
		this.store.hold = true;
		CompletableFuture<LockHandle> first = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> second = this.firstInstance
			.ask(FOREVER.withLease(Lease.fixed(Duration.ofSeconds(20))));
		first.cancel(false);
		this.ticker.advance(gone);
		this.store.deliver();
		second.join().close();
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
		return this.store.sent(AcquireCommand.class).get(1).timeout();
	}

	@Test
	void answerIsIgnoredAfterTwiceCommandTimeout() {
		waitForOther();
		this.store.hold = true;
		passUntilSent(AcquireCommand.class);
		this.firstInstance.pass(TIME_OUT.multipliedBy(2));
		this.store.deliver();
		assertThat(gaps(1)).containsExactly(40L);
		assertThat(gaps(2)).containsExactly(950L, 950L);
	}

	@Test
	void waiterGetsLaterLeaseWhenAnswerOfExpiredGrantWasLost() {
		LockHandle held = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		this.store.loseAnswers = true;
		held.close();
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		this.store.loseAnswers = false;
		this.store.down = true;
		TestEngine.pass(Duration.ofSeconds(40), this.firstInstance, this.secondInstance);
		assertThat(waiting).isNotDone();
		this.store.down = false;
		TestEngine.pass(Duration.ofSeconds(3), this.firstInstance, this.secondInstance);
		assertThat(waiting.join().isHeld()).as("'waiting.join' is held").isTrue();
		assertThat(this.firstInstance.events.heard).containsExactly("acquired");
	}

	@Test
	void waiterGetsLaterLeaseWhenGrantWasForcedBeforeAnswer() {
		LockHandle held = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		this.store.hold = true;
		held.close();
		assertThat(this.secondInstance.engine.forceRelease(KEY)).isTrue();
		this.store.deliver();
		waiting.join().close();
		assertNothingIsLeft();
	}

	@Test
	void callerThatOnlyTriesIsRefusedWhenItsGrantIsForcedBeforeTheAnswerArrives() {
		this.store.hold = true;
		CompletableFuture<LockHandle> tried = this.firstInstance.ask(FOREVER.withWaitTime(Duration.ZERO));
		assertThat(this.secondInstance.engine.forceRelease(KEY)).isTrue();
		this.store.deliver();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(tried::join)
			.withCauseInstanceOf(LockNotAcquiredException.class);
		assertNothingIsLeft();
	}

	private void waitForOther() {
		this.secondInstance.ask(FOREVER.withLease(Lease.fixed(Duration.ofMinutes(10)))).join();
		var unused = this.firstInstance.ask(FOREVER);
	}

	/* The milliseconds between commands. */
	private List<Long> gaps(int count) {
		List<Long> gaps = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			long before = this.ticker.read();
			passUntilSent(AcquireCommand.class);
			gaps.add(Duration.ofNanos(this.ticker.read() - before).toMillis());
		}
		return gaps;
	}

	/* From now on, releases are sent until this time while the store fails. */
	private void assertUndoneUntil(Duration end) {
		this.firstInstance.pass(end.minusMillis(200));
		this.store.commands.clear();
		this.firstInstance.pass(Duration.ofMillis(200));
		assertThat(this.store.commands).isNotEmpty().hasOnlyElementsOfType(ReleaseCommand.class);
		assertSilent(this.firstInstance, Duration.ofSeconds(1));
	}

}
