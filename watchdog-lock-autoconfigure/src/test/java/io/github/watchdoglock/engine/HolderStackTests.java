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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the stacks of holders.
 */
class HolderStackTests {

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());

	private final LockEngine engine = new LockEngine(EngineSettings.of("test"), this.store, this.store, this.store,
			new LockListener() {
			});

	private final CountDownLatch finish = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.finish.countDown();
		this.engine.close();
	}

	@Test
	void aHolderIsWhereItStandsThoughItsThreadHasNoName() throws Exception {
		// Longer than a key is in the store.
		LockKey key = LockKey.of("orders", "4".repeat(300));
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		Thread thread = new Thread(() -> standStill(key, held), "");
		thread.start();
		LockHandle handle = held.get(20, TimeUnit.SECONDS);
		assertThat(this.engine.holderStack(key, handle.fencingToken()))
			.anyMatch((frame) -> frame.getMethodName().equals("standStill"));
		assertThat(this.engine.holderStack(key, handle.fencingToken() + 1)).isEmpty();
		assertThat(this.engine.holderStack(LockKey.of("orders"), handle.fencingToken())).isEmpty();
		this.finish.countDown();
		thread.join(20_000);
		assertThat(this.engine.holderStack(key, handle.fencingToken())).isEmpty();
	}

	@Test
	void aDetachedHoldHasNoThreadToShow() throws Exception {
		LockRequest request = LockRequest.of("orders");
		try (LockHandle handle = this.engine.acquire(request).detach()) {
			assertThat(this.engine.holderStack(request.key(), handle.fencingToken())).isEmpty();
		}
	}

	private void standStill(LockKey key, CompletableFuture<LockHandle> held) {
		try (LockHandle handle = this.engine.acquire(LockRequest.of(key))) {
			held.complete(handle);
			this.finish.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			held.completeExceptionally(ex);
		}
	}

}
