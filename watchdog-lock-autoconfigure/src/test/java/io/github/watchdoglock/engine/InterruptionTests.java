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

import java.io.IOException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Interrupts of holders who lose their lock: sent by threads that nobody waits for, and
 * only to the work under that lock.
 */
class InterruptionTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest REQUEST = LockRequest.of("orders").withOnLoss(OnLoss.INTERRUPT);

	@Test
	@Tag("slow")
	void anInterruptThatBlocksDelaysNobody() throws Exception {
		InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		ExecutorService threads = Executors.newCachedThreadPool();
		SlowToClose channel = new SlowToClose();
		try (LockEngine engine = new LockEngine(EngineSettings.of("test"), store, store, store)) {
			Future<?> holder = threads.submit(() -> {
				try (LockHandle lock = engine.acquire(REQUEST)) {
					channel.block();
				}
				return null;
			});
			assertThat(channel.blocking.await(10, TimeUnit.SECONDS)).isTrue();
			Lease lease = Lease.renewed(Duration.ofSeconds(1));
			try (LockHandle other = engine.acquire(LockRequest.of("others").withLease(lease))) {
				assertThat(threads.submit(() -> engine.forceRelease(KEY)).get(10, TimeUnit.SECONDS)).isTrue();
				assertThat(channel.closing.await(10, TimeUnit.SECONDS)).isTrue();
				// Waits for three leases, which the watchdog renews meanwhile.
				assertThat(other.whenLost().toCompletableFuture()).failsWithin(Duration.ofSeconds(3))
					.withThrowableOfType(java.util.concurrent.TimeoutException.class);
				assertThat(other.isHeld()).isTrue();
				engine.acquire(LockRequest.of("orders")).close();
				assertThat(holder.isDone()).isFalse();
			}
			channel.closed.countDown();
			holder.get(10, TimeUnit.SECONDS);
		}
		finally {
			channel.closed.countDown();
			threads.shutdownNow();
		}
	}

	@Test
	void anInterruptThatComesTooLateIsNotSent() throws Exception {
		ManualTicker ticker = new ManualTicker();
		InMemoryLeaseStore store = new InMemoryLeaseStore(ticker, ticker.wallClock);
		Queue<Runnable> pool = new ArrayDeque<>();
		TestEngine test = new TestEngine(ticker, store, pool::add);
		LockHandle lock = test.engine.acquire(REQUEST);
		test.engine.forceRelease(KEY);
		assertThat(pool).isNotEmpty();
		lock.close();
		pool.forEach(Runnable::run);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void anInterruptFromElsewhereIsKept() throws Exception {
		ManualTicker ticker = new ManualTicker();
		InMemoryLeaseStore store = new InMemoryLeaseStore(ticker, ticker.wallClock);
		TestEngine test = TestEngine.over(ticker, store);
		LockHandle lock = test.engine.acquire(REQUEST);
		Thread.currentThread().interrupt();
		test.engine.forceRelease(KEY);
		lock.close();
		assertThat(Thread.interrupted()).isTrue();
	}

	/**
	 * Closed by the interrupt of a thread that uses it, which takes a while.
	 */
	private static final class SlowToClose extends AbstractInterruptibleChannel {

		private final CountDownLatch blocking = new CountDownLatch(1);

		private final CountDownLatch closing = new CountDownLatch(1);

		private final CountDownLatch closed = new CountDownLatch(1);

		private void block() throws IOException {
			begin();
			try {
				this.blocking.countDown();
				// As what reads from a channel: not the interrupt ends that, but the
				// close.
				awaitClosed();
			}
			finally {
				try {
					end(false);
				}
				catch (java.nio.channels.ClosedByInterruptException ex) {
					Thread.interrupted();
				}
			}
		}

		@Override
		protected void implCloseChannel() {
			this.closing.countDown();
			awaitClosed();
		}

		private void awaitClosed() {
			boolean interrupted = false;
			boolean done = false;
			while (!done) {
				try {
					done = this.closed.await(1, TimeUnit.MINUTES);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
