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

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ThreadHandles}.
 */
class ThreadHandlesTests extends RunningEngine {

	@ParameterizedTest
	@ValueSource(ints = { 1, 4, 40, 400 })
	void innermostOpenHandleOfKeyIsFoundAmongManyHandles(int most) throws Exception {
		Random random = new Random(most);
		List<LockHandle> open = new ArrayList<>();
		for (int i = 0; i < 5_000; i++) {
			LockKey key = LockKey.of("orders", "order-" + random.nextInt(2 * most));
			if (open.size() < most && random.nextInt(3) > 0) {
				open.add(this.engine.acquire(LockRequest.of(key)));
			}
			else if (!open.isEmpty()) {
				LockHandle handle = open.remove(random.nextInt(open.size()));
				if (random.nextInt(20) == 0) {
					Thread other = new Thread(handle::close);
					other.start();
					other.join();
				}
				else if (random.nextInt(10) == 0) {
					handle.detach().close();
				}
				else {
					handle.close();
				}
			}
			LockHandle innermost = null;
			for (LockHandle handle : open) {
				innermost = handle.key().equals(key) ? handle : innermost;
			}
			assertThat(this.engine.localLocks().current(key).orElse(null)).isSameAs(innermost);
		}
		assertThat(this.engine.localLocks().current()).isEqualTo(open);
		open.forEach(LockHandle::close);
		assertThat(this.engine.localLocks().current()).isEmpty();
	}

	@Test
	void handleClosedByAnotherThreadIsGarbageCollected() throws Exception {
		LockHandle kept = this.engine.acquire(LockRequest.of("kept"));
		WeakReference<LockHandle> closed = acquireAndCloseElsewhere();
		await().untilAsserted(() -> {
			System.gc();
			assertThat(closed.refersTo(null)).as("is collected").isTrue();
		});
		assertThat(this.engine.localLocks().current()).containsExactly(kept);
		kept.close();
	}

	@Test
	void reenteredHoldRemainsWhenAnotherThreadClosesItsHandle() throws Exception {
		LockHandle outer = this.engine.acquire(LockRequest.of("orders"));
		LockHandle inner = this.engine.acquire(LockRequest.of("orders"));
		CompletableFuture.runAsync(outer::close).get(10, TimeUnit.SECONDS);
		assertThat(this.engine.localLocks().current()).containsExactly(inner);
		assertThat(inner.isHeld()).as("'inner' is held").isTrue();
		CompletableFuture.runAsync(inner::detach).get(10, TimeUnit.SECONDS);
		assertThat(this.engine.localLocks().current()).isEmpty();
		assertThat(inner.isHeld()).as("'inner' is held").isTrue();
		inner.close();
	}

	@Test
	void handlesAreListedWhileOtherThreadsCloseThem() throws Exception {
		for (int round = 0; round < 50; round++) {
			List<LockHandle> open = new ArrayList<>();
			for (int i = 0; i < 40; i++) {
				open.add(this.engine.acquire(LockRequest.of("orders", "order-" + i)));
			}
			List<CompletableFuture<Void>> closing = open.stream()
				.map((handle) -> CompletableFuture.runAsync(handle::close))
				.toList();
			while (!this.engine.localLocks().current().isEmpty()) {
				assertThat(open).as("round %s", round).containsAll(this.engine.localLocks().current());
			}
			closing.forEach(CompletableFuture::join);
		}
	}

	/* A separate stack frame, which keeps no references. */
	private WeakReference<LockHandle> acquireAndCloseElsewhere() throws Exception {
		LockHandle handle = this.engine.acquire(LockRequest.of("orders"));
		CompletableFuture.runAsync(handle::close).get(10, TimeUnit.SECONDS);
		return new WeakReference<>(handle);
	}

}
