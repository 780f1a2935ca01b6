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
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the stacks of holders.
 */
class HolderStackTests extends RunningEngine {

	private final CountDownLatch finish = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.finish.countDown();
	}

	@Test
	void stackIsFoundForHolderWithUnnamedThreadAndLongKey() throws Exception {
		// Longer than the key that the store keeps.
		LockKey key = LockKey.of("orders", "4".repeat(300));
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		Thread thread = new Thread(() -> standStill(LockRequest.of(key), held), "");
		thread.start();
		LockHandle handle = held.get(20, TimeUnit.SECONDS);
		assertThat(stack(key, handle.fencingToken(), ""))
			.anyMatch((frame) -> frame.getMethodName().equals("standStill"));
		assertThat(stack(key, handle.fencingToken() + 1, "")).isEmpty();
		assertThat(stack(LockKey.of("orders"), handle.fencingToken(), "")).isEmpty();
		this.finish.countDown();
		thread.join(20_000);
		assertThat(stack(key, handle.fencingToken(), "")).isEmpty();
	}

	@Test
	void detachedHoldHasNoHolderStack() throws Exception {
		LockRequest request = LockRequest.of("orders");
		try (LockHandle handle = this.engine.acquire(request).detach()) {
			assertThat(stack(request.key(), handle.fencingToken(), null)).isEmpty();
		}
	}

	@Test
	void stackOfEachReaderIsFoundByThreadWithSharedToken() throws Exception {
		LockRequest reading = LockRequest.of("catalog").withMode(LockMode.READ);
		CompletableFuture<LockHandle> held = new CompletableFuture<>();
		Thread thread = new Thread(() -> standStill(reading, held), "reader");
		try (LockHandle own = this.engine.acquire(reading)) {
			thread.start();
			assertThat(held.get(20, TimeUnit.SECONDS).fencingToken()).isEqualTo(own.fencingToken());
			for (LockSnapshot snapshot : this.engine.localLocks().list()) {
				assertThat(snapshot.mode()).isEqualTo(LockSnapshot.Mode.READ);
				assertThat(this.engine.holderStack(snapshot)
					.stream()
					.anyMatch((frame) -> frame.getMethodName().equals("standStill")))
					.isEqualTo("reader".equals(snapshot.thread()));
			}
		}
		this.finish.countDown();
		thread.join(20_000);
	}

	private List<StackTraceElement> stack(LockKey key, long token, @Nullable String thread) {
		return this.engine.holderStack(new LockListing.Snapshot(key, LockSnapshot.Status.HELD, thread, Instant.EPOCH,
				Duration.ZERO, token, Duration.ZERO, Lease.renewed(Duration.ofSeconds(30)), 0, false, 0,
				LockSnapshot.Mode.EXCLUSIVE, false));
	}

	private void standStill(LockRequest request, CompletableFuture<LockHandle> held) {
		try (LockHandle handle = this.engine.acquire(request)) {
			held.complete(handle);
			this.finish.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			held.completeExceptionally(ex);
		}
	}

}
