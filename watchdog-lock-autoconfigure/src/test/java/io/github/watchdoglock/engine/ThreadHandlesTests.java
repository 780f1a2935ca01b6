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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ThreadHandles}.
 */
class ThreadHandlesTests extends RunningEngine {

	private static final int MANY = 1_000;

	private final ThreadHandles handles = new ThreadHandles();

	/* The number of handles that were inspected. */
	private int looks;

	@ParameterizedTest
	@ValueSource(ints = { 1, 4, 40, 400 })
	void innermostOpenHandleOfAKeyIsFoundHoweverManyThereAre(int most) throws Exception {
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
		assertThat(this.engine.current()).isEqualTo(open);
		open.forEach(LockHandle::close);
		assertThat(this.engine.current()).isEmpty();
	}

	@Test
	void handlesThatOtherThreadsHaveClosedAreForgotten() throws Exception {
		rememberMany().forEach((handle) -> handle.attached = false);
		List<Looked> next = rememberMany();
		this.looks = 0;
		assertThat(this.handles.list()).isEqualTo(next);
		assertThat(this.looks).isLessThan(2 * MANY);
	}

	private List<Looked> rememberMany() throws InterruptedException {
		Hold hold = ((Handle) this.engine.acquire(LockRequest.of("any", "hold"))).hold();
		List<Looked> remembered = new ArrayList<>();
		for (int i = 0; i < MANY; i++) {
			Looked handle = new Looked(hold, LockKey.of("orders", "order-" + i));
			remembered.add(handle);
			this.handles.add(handle);
		}
		return remembered;
	}

	/**
	 * A handle that counts its inspections.
	 */
	private final class Looked extends Handle {

		private final LockKey key;

		private boolean attached = true;

		private Looked(Hold hold, LockKey key) {
			super(hold, false, OnLoss.REPORT);
			this.key = key;
		}

		@Override
		boolean isAttached() {
			ThreadHandlesTests.this.looks++;
			return this.attached;
		}

		@Override
		public LockKey key() {
			return this.key;
		}

	}

}
