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

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.RenewCommand;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What listeners hear of a hold, with the times in it.
 */
class HoldNewsTests extends InstancesByHand {

	private static final LockRequest ORDERS = LockRequest.of("orders").withWaitTime(Duration.ofMillis(-1));

	private final List<String> news = new ArrayList<>();

	private final Core core = new Core(EngineSettings.of("told"), "told", this.threads, this.ticker,
			this.ticker.wallClock, this.store, new Events(new Reporter()), Runnable::run);

	private final LockEngine engine = new LockEngine(this.core, this.memory, this.memory);

	@Test
	void howLongAHoldHasLastedIsToldWhenItIsReleased() {
		LockHandle handle = this.engine.acquireAsync(ORDERS).join();
		this.ticker.advance(Duration.ofSeconds(2));
		handle.close();
		assertThat(this.news).containsExactly("acquired after PT0S", "released after PT2S");
	}

	@Test
	void howLongTheNextCallerHasWaitedIsTold() {
		LockHandle first = this.engine.acquireAsync(ORDERS).join();
		this.ticker.advance(Duration.ofSeconds(1));
		LockHandle[] second = new LockHandle[1];
		var unused = this.engine.acquireAsync(ORDERS).thenAccept((handle) -> second[0] = handle);
		this.ticker.advance(Duration.ofSeconds(2));
		first.close();
		this.ticker.advance(Duration.ofSeconds(4));
		second[0].close();
		assertThat(this.news).containsExactlyInAnyOrder("acquired after PT0S", "released after PT3S",
				"acquired after PT2S", "released after PT4S");
	}

	@Test
	void whatIsLeftOfALeaseAtRiskIsTold() {
		LockHandle handle = this.engine.acquireAsync(ORDERS).join();
		this.store.down = true;
		pass(Duration.ofMillis(7_600));
		assertThat(this.news).containsExactly("acquired after PT0S", "at risk with PT17.2S");
		assertThat(handle.isHeld()).isTrue();
	}

	@Test
	void howLongAHoldWasIsToldAtItsMaximum() {
		LockHandle handle = this.engine.acquireAsync(ORDERS.withMaxHoldTime(Duration.ofSeconds(3))).join();
		pass(Duration.ofSeconds(3));
		assertThat(this.news).containsExactly("acquired after PT0S", "too long with PT3S", "lost: MAX_HOLD after PT3S");
		assertThat(handle.isHeld()).isFalse();
	}

	@Test
	void howLongAHoldIsIsToldWhenItIsCalledLong() {
		LockHandle handle = this.engine.acquireAsync(ORDERS.withLease(Lease.renewed(Duration.ofSeconds(3)))).join();
		pass(Duration.ofSeconds(60));
		assertThat(this.news).containsExactly("acquired after PT0S", "long with PT30S");
		handle.close();
	}

	@Test
	void aThreadThatHasEndedIsNamedAndItsHoldIsNotRenewed() throws Exception {
		Thread worker = new Thread(() -> {
			try {
				this.engine.acquire(ORDERS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}, "worker");
		worker.start();
		worker.join();
		pass(Duration.ofSeconds(8));
		assertThat(this.news).containsExactly("acquired after PT0S", "abandoned by worker",
				"lost: ABANDONED after PT7.5S");
		assertThat(this.store.count(RenewCommand.class)).isZero();
		assertThat(this.engine.find(LockKey.of("orders"))).isEmpty();
	}

	private void pass(Duration time) {
		for (long left = time.toMillis(); left > 0; left -= TestEngine.TICK.toMillis()) {
			this.ticker.advance(TestEngine.TICK);
			this.core.watchdog.turn();
		}
	}

	/**
	 * Puts news into words.
	 */
	private final class Reporter implements EngineObserver {

		private void write(String news) {
			HoldNewsTests.this.news.add(news);
		}

		@Override
		public void acquired(LockKey key, long token, Duration waited) {
			write("acquired after " + waited);
		}

		@Override
		public void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
			write("at risk with " + remaining);
		}

		@Override
		public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
			write("long with " + held);
		}

		@Override
		public void maxHoldExceeded(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
			write("too long with " + held);
		}

		@Override
		public void abandoned(LockKey key, long token, @Nullable String thread) {
			write("abandoned by " + thread);
		}

		@Override
		public void lost(LockLoss loss, Duration held) {
			write("lost: " + loss.reason() + " after " + held);
		}

		@Override
		public void released(LockKey key, long token, Duration held) {
			write("released after " + held);
		}

	}

}
