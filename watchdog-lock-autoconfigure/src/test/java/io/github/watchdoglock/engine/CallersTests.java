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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.settings.EngineSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Callers who wait on their own thread, and what they hear in the end.
 */
class CallersTests extends TwoInstances {

	private static final LockRequest REQUEST = LockRequest.of("orders").withWaitTime(Duration.ofSeconds(2));

	private final ThreadsByHand threads = new ThreadsByHand(this.ticker);

	private final TestEngine caller = new TestEngine(EngineSettings.of("test"), this.threads, this.ticker, this.store,
			this.memory, this.memory, Runnable::run);

	@Test
	void whoHasWaitedInVainHearsForHowLong() {
		LockHandle taken = this.other.ask(REQUEST).join();
		this.ticker.advance(Duration.ofSeconds(1));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.caller.engine.acquire(REQUEST))
			.satisfies((ex) -> assertThat(ex.getWaited()).isEqualTo(Duration.ofSeconds(2)));
		assertThat(taken.isHeld()).isTrue();
		assertThat(this.caller.keys()).isZero();
		assertThat(this.caller.pendingAlarms()).isZero();
	}

	@Test
	void whoIsInterruptedBeforeAskingAsksNothing() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.caller.engine.acquire(REQUEST))
			.withMessage("Interrupted before asking for lock 'orders'");
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.store.commands).isEmpty();
		assertThat(this.caller.keys()).isZero();
	}

	@Test
	void whoIsInterruptedWhileWaitingLeavesNothing() {
		LockHandle taken = this.other.ask(REQUEST).join();
		this.threads.wait = (nanos) -> Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.caller.engine.acquire(REQUEST))
			.withMessage("Interrupted while waiting for lock 'orders'");
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.caller.events.heard).containsExactly("not acquired: INTERRUPTED");
		assertThat(this.caller.keys()).isZero();
		taken.close();
	}

}
