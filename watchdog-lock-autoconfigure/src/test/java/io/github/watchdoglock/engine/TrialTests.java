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
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.NoWakeUps;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for callers that do not wait: how long their instance waits for an instance that
 * may keep the key idle and does not answer.
 */
class TrialTests extends TwoInstances {

	private static final Duration MOMENT = Duration.ofMillis(100);

	private final TestEngine silent = engine(LINGERING, this.memory, new NoWakeUps());

	@Test
	void trialBehindIdleLeaseFailsExactlyAtItsTimeLimit() {
		List<CompletableFuture<LockHandle>> tries = List.of(tryBehindAnIdleOne(), this.firstInstance.ask(ONCE));
		this.firstInstance.pass(MOMENT.minus(TestEngine.TICK));
		assertThat(tries).noneMatch(CompletableFuture::isDone);
		this.firstInstance.pass(TestEngine.TICK);
		tries.forEach((tried) -> assertFailed(tried, LockNotAcquiredException.class));
		assertThat(this.store.commands).as("as('commands of both attempts together'): 2").hasSize(2);
		nothingIsLeft();
	}

	@Test
	void trialWaitsForPendingAnswerAtItsTimeLimitAndFails() {
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		this.firstInstance.pass(MOMENT.dividedBy(2));
		this.store.hold = true;
		hint();
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
		this.firstInstance.pass(MOMENT.dividedBy(2));
		assertThat(tried).isNotDone();
		this.store.deliver();
		assertFailed(tried, LockNotAcquiredException.class);
		nothingIsLeft();
	}

	@Test
	void trialContinuesUntilTimeLimitAfterEarlierBusyAnswer() {
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		this.store.hold = true;
		hint();
		this.firstInstance.pass(MOMENT.minus(TestEngine.TICK));
		this.store.deliver();
		assertThat(tried).isNotDone();
		this.firstInstance.pass(TestEngine.TICK);
		assertFailed(tried, LockNotAcquiredException.class);
		assertThat(this.store.count(AcquireCommand.class)).as("as('acquisitions sent, the second after the hint'): 2")
			.isEqualTo(2);
		nothingIsLeft();
	}

	@Test
	void trialRequestsLeaseAgainWhenHintArrivesBeforeAnswer() {
		this.store.hold = true;
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		hint();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		this.store.deliver();
		assertThat(this.store.count(AcquireCommand.class))
			.as("as('acquisitions sent after the answer, because of the hint before it'): 2")
			.isEqualTo(2);
		assertThat(tried).isNotDone();
		this.firstInstance.pass(MOMENT);
		assertFailed(tried, LockNotAcquiredException.class);
	}

	@Test
	void trialFailsImmediatelyWhenKeyIsReportedInUse() {
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		this.firstInstance.engine.messages.inUse(KEY, asked().attempt());
		assertFailed(tried, LockNotAcquiredException.class);
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		nothingIsLeft();
	}

	@Test
	void waiterContinuesToWaitWhenKeyIsReportedInUse() {
		this.silent.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		this.firstInstance.engine.messages.inUse(KEY, asked().attempt());
		assertThat(waiting).isNotDone();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
	}

	private CompletableFuture<LockHandle> tryBehindAnIdleOne() {
		this.silent.ask(FOREVER).join().close();
		return this.firstInstance.ask(ONCE);
	}

	/* The hint says that the key may be reserved for the caller; it is not. */
	private void hint() {
		this.firstInstance.engine.messages.granted(KEY, asked().attempt());
	}

	private void nothingIsLeft() {
		assertThat(waiting()).isZero();
		assertThat(this.firstInstance.keys()).as("as('keys in use after the trial'): none").isZero();
	}

}
