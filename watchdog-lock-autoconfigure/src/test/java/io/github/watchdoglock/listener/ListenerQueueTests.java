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

package io.github.watchdoglock.listener;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListenerQueue}: notifications that could not be delivered.
 */
class ListenerQueueTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockKey OTHER = LockKey.of("invoices");

	private final List<LockKey> heard = new ArrayList<>();

	private final LockListener listener = new LockListener() {

		@Override
		public void waiting(LockKey key) {
			ListenerQueueTests.this.heard.add(key);
		}

	};

	private final AtomicInteger failures = new AtomicInteger(1);

	private final ListenerQueue queue = new ListenerQueue(this.listener, Threads.system(), (task) -> {
		if (this.failures.getAndDecrement() > 0) {
			throw new OutOfMemoryError("on purpose");
		}
		task.run();
	});

	@Test
	void nextNotificationDeliversPendingOneAfterPoolError() {
		this.queue.add((listener) -> listener.waiting(KEY));
		assertThat(this.heard).isEmpty();
		this.queue.add((listener) -> listener.waiting(OTHER));
		assertThat(this.heard).containsExactly(KEY, OTHER);
	}

	@Test
	void proceedDeliversPendingNotificationOnceAfterPoolError() {
		this.queue.add((listener) -> listener.waiting(KEY));
		this.queue.proceed();
		assertThat(this.heard).containsExactly(KEY);
		this.queue.proceed();
		assertThat(this.heard).containsExactly(KEY);
	}

}
