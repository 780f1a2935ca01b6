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
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EngineContext}.
 */
class EngineContextTests {

	private final ThreadsByHand threads = new ThreadsByHand();

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(this.threads.ticker, this.threads.ticker.wallClock);

	private final EngineContext context = new EngineContext(EngineSettings.of("test"), "one", this.threads,
			this.threads.ticker, this.threads.ticker.wallClock, this.store, new Events(), Runnable::run);

	@Test
	void instanceIdIsUniqueAndContainsNoDot() {
		assertThat(instance()).isNotEmpty().doesNotContain(".").isNotEqualTo(instance());
	}

	private String instance() {
		return new EngineContext(EngineSettings.of("test"), this.threads.ticker, this.threads.ticker.wallClock,
				this.store, new Events()).ids
			.instance();
	}

	@Test
	void holderLabelNamesInstanceAndSanitizedThread() {
		assertThat(this.context.label(null)).isEqualTo("test");
		assertThat(this.context.label(new Thread("worker\n1"))).isEqualTo("test/worker?1");
		assertThat(this.context.label(new Thread("w".repeat(65)))).isEqualTo("test/" + "w".repeat(64) + "...");
	}

	@Test
	void leaseTimingsAreCachedForAtMost256Leases() {
		for (int i = 0; i < 257; i++) {
			Lease lease = Lease.fixed(Duration.ofSeconds(1 + i));
			LeaseTiming timing = this.context.timing(lease);
			assertThat(timing.lease()).isEqualTo(lease);
			if (i < 256) {
				assertThat(this.context.timing(lease)).isSameAs(timing);
			}
			else {
				assertThat(this.context.timing(lease)).isNotSameAs(timing);
			}
		}
		assertThat(this.context.timing(null)).isSameAs(this.context.defaults);
	}

	@Test
	void waitTimeBeyondHundredYearsIsIndefinite() {
		assertThat(this.context.wait(null)).isEqualTo(Duration.ofSeconds(10).toNanos());
		assertThat(this.context.wait(Duration.ZERO)).isZero();
		assertThat(this.context.wait(Duration.ofNanos(1))).isOne();
		assertThat(this.context.wait(Duration.ofDays(36_500))).isEqualTo(Duration.ofDays(36_500).toNanos());
		assertThat(this.context.wait(Duration.ofDays(36_501))).isNegative();
		assertThat(this.context.wait(Duration.ofSeconds(Long.MAX_VALUE))).isNegative();
		assertThat(this.context.wait(Duration.ofNanos(-1))).isNegative();
	}

	@Test
	void awaitEndsAfterTimeoutDespiteSpuriousWakeup() throws Exception {
		assertThat(this.context.await(new CompletableFuture<>(), 0)).isFalse();
		assertThat(this.threads.parks).isEmpty();
		// The thread wakes up once without a reason.
		this.threads.wait = (nanos) -> this.threads.pass((nanos > 1) ? nanos - 1 : 1);
		assertThat(this.context.await(new CompletableFuture<>(), 100)).isFalse();
		assertThat(this.threads.parks).containsExactly(100L, 1L);
	}

}
