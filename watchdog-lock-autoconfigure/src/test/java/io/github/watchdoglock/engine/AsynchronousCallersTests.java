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

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which threads complete users' futures: never those that everybody's locks depend on,
 * nor those that wait for them.
 */
class AsynchronousCallersTests {

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());

	private final LockEngine engine = new LockEngine(EngineSettings.of("test"), this.store, this.store, this.store,
			new EngineObserver() {
			});

	@AfterEach
	void close() {
		this.engine.close();
	}

	@Test
	void aPoolWhoseThreadsAllWaitForTheirFuturesIsServed() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		try {
			List<CompletableFuture<Void>> tasks = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				LockRequest request = LockRequest.of("orders", "" + i % 2);
				tasks.add(CompletableFuture.runAsync(() -> this.engine.acquireAsync(request).join().close(), pool));
			}
			CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
		}
		finally {
			pool.shutdownNow();
		}
	}

	@Test
	void whatDependsOnAFutureRunsOnAThreadOfItsOwn() throws Exception {
		LockHandle holder = this.engine.acquireAsync(LockRequest.of("orders")).get(5, TimeUnit.SECONDS);
		CompletableFuture<String> granted = this.engine.acquireAsync(LockRequest.of("orders"))
			.thenApply((handle) -> Thread.currentThread().getName());
		CompletableFuture<String> lost = holder.whenLost()
			.thenApply((loss) -> loss.reason() + " " + Thread.currentThread().getName())
			.toCompletableFuture();
		assertThat(this.engine.forceRelease(holder.key())).isTrue();
		assertThat(granted.get(5, TimeUnit.SECONDS)).isEqualTo("watchdog-lock-completions");
		assertThat(lost.get(5, TimeUnit.SECONDS)).isEqualTo(LockLoss.Reason.FORCED + " watchdog-lock-completions");
	}

}
