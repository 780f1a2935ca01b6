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
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is done for all keys of an instance.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class LockRegistryTests extends TwoInstances {

	private static final LockRequest FOREVER = LockRequest.of("orders").withWaitTime(Duration.ofMillis(-1));

	@Test
	void whereTheStoreHasMovedTheThousandAndFirstIsLookedAtATickLater() {
		for (int i = 0; i < 1_000; i++) {
			this.test.ask(LockRequest.of("orders", "" + i)).join();
		}
		this.test.ask(LockRequest.of("last").withLease(Lease.renewed(Duration.ofMinutes(2)))).join();
		// Not at the beginning of a tick, where the next one belongs to this.
		this.ticker.advance(TestEngine.TICK.dividedBy(2));
		this.test.engine.registry.moved();
		this.test.pass(TestEngine.TICK);
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(1_000);
		this.test.pass(TestEngine.TICK);
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(1_001);
		assertThat(this.store.sent(RenewCommand.class).get(1_000).key()).isEqualTo(LockKey.of("last"));
	}

	@Test
	void listedIsWhoHoldsAndWhoWaitsAndForHowLong() throws Exception {
		LockHandle handle = this.test.engine.acquire(FOREVER);
		this.test.pass(Duration.ofSeconds(2));
		CompletableFuture<LockHandle> waiting = TestEngine.onThreadThatEnds(() -> this.test.ask(FOREVER));
		this.test.pass(Duration.ofSeconds(1));
		assertThat(this.test.engine.list()).satisfiesExactly((held) -> {
			assertThat(held.status()).isEqualTo(LockSnapshot.Status.HELD);
			assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(held.elapsed()).isEqualTo(Duration.ofSeconds(3));
			assertThat(held.since()).isEqualTo(this.ticker.wallClock.instant().minusSeconds(3));
			assertThat(held.waiting()).isOne();
		}, (waits) -> {
			assertThat(waits.status()).isEqualTo(LockSnapshot.Status.WAITING);
			assertThat(waits.thread()).isNull();
			assertThat(waits.elapsed()).isEqualTo(Duration.ofSeconds(1));
			assertThat(waits.since()).isEqualTo(this.ticker.wallClock.instant().minusSeconds(1));
			assertThat(waits.waiting()).isOne();
		});
		waiting.cancel(false);
		handle.close();
		assertThat(this.test.engine.list()).isEmpty();
	}

}
