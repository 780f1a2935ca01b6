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
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Re-entries of a hold that is lost, and what a stronger lease leaves to the next caller.
 */
class ReentryTests extends InstancesByHand {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	@Test
	void aThreadThatHasLostItsHoldIsNotGivenAnotherWithoutNotice() throws Exception {
		LockHandle lost = this.test.engine.acquire(ORDERS);
		assertThat(this.other.engine.forceRelease(KEY)).isTrue();
		assertThat(this.test.engine.acquireAsync(ORDERS)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockLostException.class)
			.withMessageContaining("then acquire it anew");
		assertThat(this.other.engine.find(KEY)).isEmpty();
		lost.close();
		this.test.engine.acquire(ORDERS).close();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void theNextCallerHasTheMarginOfItsOwnLeaseThoughThereIsATokenForIt() {
		LockHandle blocker = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> first = this.test.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(30))));
		CompletableFuture<LockHandle> second = this.test.ask(ORDERS);
		blocker.close();
		assertThat(first).isCompleted();
		assertThat(first.join().extend(Lease.renewed(Duration.ofSeconds(30)))).isCompleted();
		assertThat(this.store.count(RenewCommand.class)).isOne();
		this.ticker.advance(Duration.ofSeconds(4));
		first.join().close();
		assertThat(second).isCompleted();
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(2);
		assertThat(second.join().remaining()).isEqualTo(Duration.ofMillis(24_700));
	}

}
