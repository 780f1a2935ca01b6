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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an instance whose subscription begins after messages for its attempts were
 * lost.
 */
class LateSubscriptionTests extends TwoInstances {

	private final TestEngine late = deaf(SETTINGS);

	@Test
	void waitingCallerGetsFreeLockWhenSubscriptionBegins() {
		LockHandle held = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.late.ask(FOREVER);
		held.close();
		assertThat(waiting).as("before its next poll").isNotDone();
		this.late.engine.messages.subscribed();
		this.late.pass(TestEngine.TICK);
		assertThat(waiting).isCompleted();
	}

	@Test
	void waitingCallerWhoseAnswerIsPendingAsksAgainWhenSubscriptionBegins() {
		LockHandle held = this.secondInstance.ask(FOREVER).join();
		this.store.hold = true;
		CompletableFuture<LockHandle> waiting = this.late.ask(FOREVER);
		held.close();
		this.late.engine.messages.subscribed();
		this.late.pass(TestEngine.TICK);
		assertThat(this.store.count(AcquireCommand.class)).as("at most one command without an answer").isOne();
		this.store.deliver();
		assertThat(waiting).isCompleted();
	}

	@Test
	void callerThatTriesBehindIdleLockGetsItWhenSubscriptionBegins() {
		TestEngine lingering = deaf(LINGERING);
		lingering.ask(FOREVER).join().close();
		AttemptId idle = asked().attempt();
		CompletableFuture<LockHandle> tried = this.late.ask(ONCE);
		lingering.engine.messages.contended(KEY, idle, asked().attempt());
		assertThat(tried).as("before the end of its moment").isNotDone();
		this.late.engine.messages.subscribed();
		this.late.pass(TestEngine.TICK);
		assertThat(tried).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void subscriptionRepeatsHundredAttemptsPerTurnAndSkipsHeldLocks() {
		this.late.ask(LockRequest.of("held")).join();
		for (int i = 0; i < 101; i++) {
			this.secondInstance.ask(LockRequest.of("orders", "" + i)).join();
			var unused = this.late.ask(LockRequest.of("orders", "" + i).withWaitTime(Duration.ofMillis(-1)));
		}
		// Not at the beginning of a tick, because the next tick would belong to this one.
		this.ticker.advance(TestEngine.TICK.dividedBy(2));
		this.store.commands.clear();
		this.late.engine.messages.subscribed();
		this.late.pass(TestEngine.TICK);
		assertThat(this.store.commands).hasSize(100).hasOnlyElementsOfType(AcquireCommand.class);
		this.late.pass(TestEngine.TICK);
		assertThat(this.store.commands).hasSize(101).hasOnlyElementsOfType(AcquireCommand.class);
		assertSilent(this.late, Duration.ofMillis(800));
	}

}
